# shellcheck shell=bash
# Sourced by each tool shell of Claude Code, where hooks were installed with --witness: notes its
# pid, parent, process group, kernel session and start, see proc_pid_stat(5), and has the kernel end
# it before its agent where memory is short, see proc_pid_oom_score_adj(5). It uses builtins of bash
# and zsh alone, starts no process, and never fails or says anything.
curfew_note() {
  # shellcheck disable=SC2034,SC3043 # fields that are not wanted; bash and zsh have `local`
  local pid comm state parent group session a b c d e f g h i j k l m n o start rest
  # What the user set higher stays.
  IFS= read -r o </proc/$$/oom_score_adj && [ "$o" -lt 300 ] && printf 300 >/proc/$$/oom_score_adj
  # What lies in its place instead is not waited for, or written through.
  [ -f @NOTES@ ] && [ ! -h @NOTES@ ] || return 0
  # shellcheck disable=SC2034
  IFS=' ' read -r pid comm state parent group session a b c d e f g h i j k l m n o start rest </proc/$$/stat || return 0
  printf '%s %s %s %s %s\n' "$pid" "$parent" "$group" "$session" "$start" >>@NOTES@
}
curfew_note 2>/dev/null
unset -f curfew_note
