#!/bin/sh
# Curfew's hook, written by "curfew hooks install". Agents call it: curfew-hook AGENT EVENT < JSON.
# It notes an event of a session for Curfew and ends, always with status 0. It needs no Node and
# waits for no other process.
exec 2>/dev/null
trap : PIPE HUP
set -Cf
umask 077
LC_ALL=C
PATH=/usr/bin:/bin:/run/current-system/sw/bin:$PATH
# Some agents take a repository's .env for their own: where Curfew is was noted at installation.
unset CURFEW_HOME XDG_CONFIG_HOME XDG_STATE_HOME
inbox=@INBOX@
notices=@NOTICES@
supervisor=@SUPERVISOR@
starting=@STARTING@
agent=$1 event=$2 answer=
# Cursor can run Claude Code's hooks as its own; it wants its own answers. Any other agent may have
# the variable from a repository.
[ "$agent" = claude-code ] && [ -n "$CURSOR_VERSION" ] && [ -z "$CLAUDECODE" ] && agent=cursor

# Some agents take nothing but JSON for an answer.
finish() {
  [ -n "$answer" ] || case $agent-$event in
    cursor-pre-tool-use) answer=@CURSORPERMISSION@ ;;
    cursor-* | gemini-*) answer='{}' ;;
  esac
  [ -z "$answer" ] || printf '%s\n' "$answer"
  exit 0
}

# Parent, group, kernel session and start time of process $1. A name may hold blanks, brackets and
# line breaks; what follows it may not.
look() {
  text='' part='' parent=0 group='' session='' ticks=''
  [ -r "/proc/$1/stat" ] || return 1
  while IFS= read -r part || [ -n "$part" ]; do text="$text$part "; done <"/proc/$1/stat"
  # shellcheck disable=SC2086 # numbers, and -f is set
  set -- ${text##*') '}
  [ $# -ge 20 ] || return 1
  parent=$2 group=$3 session=$4 ticks=${20}
}

# Whether the process that noted itself as the supervisor is running.
supervised() {
  [ -f "$supervisor" ] && [ -r "$supervisor" ] || return 1
  line=$(command head -c 4096 "$supervisor")
  holder=${line#*'"pid":'} since=${line#*'"startTicks":'}
  holder=${holder%%[!0-9]*} since=${since%%[!0-9]*}
  [ -n "$holder" ] || return 1
  if [ -r /proc/self/stat ]; then look "$holder" && [ "$ticks" = "$since" ]; else kill -0 "$holder"; fi
}

# Starts one pass of Curfew over what ended sessions left: in a session of its own and without the
# agent's environment, so that it can't be taken for the agent's.
start_pass() {
  [ -f @PROGRAM@ ] || return 0
  if [ -h "$starting" ] || { [ -e "$starting" ] && [ ! -f "$starting" ]; }; then return 0; fi
  # One that was started a moment ago and has not looked yet takes this event too.
  if ! (: >"$starting") && [ -e "$starting" ] && [ -z "$(command find "$starting" -mmin +1)" ]; then return 0; fi
  node=@NODE@
  [ -x "$node" ] || node=$(command -v node) || return 0
  detached=$(command -v setsid) || detached=
  # shellcheck disable=SC2086 # empty: no word
  (cd / && exec env -i ${HOME:+"HOME=$HOME"} PATH="$PATH" @ENVIRONMENT@ $detached "$node" @ARGUMENTS@ hook pass) </dev/null >/dev/null &
}

# The guard reads a command before it runs. Without an answer the command runs as it is. The agent
# waits for this before every command, so what no rule can concern is answered here, in 4 ms and
# without Node: every call of Claude Code that starts nothing in the background and has neither "<",
# nor an "&" by itself, nor a kill, a loop, or a redirection with something like "echo" behind it.
# Standard input may matter to the other agents. Text with escaped characters (\u003c) is looked at
# in any case.
ask_guard() {
  [ -f @GUARD@ ] || finish
  node=@NODE@
  [ -x "$node" ] || node=$(command -v node) || finish
  if [ -t 0 ]; then exec </dev/null; fi
  told=$(command head -c 4194304)
  case $agent in
    claude-code)
      case $told in
        *'\u00'* | *'"run_in_background":true'* | *'"run_in_background": true'*) ;;
        *kill* | *until* | *while* | *\<* | *[!\&\>]\&[!\&\>]*) ;;
        *\>*echo* | *\>*printf* | *\>*cd* | *\>*sleep* | *\>*exit* | *\>*export*) ;;
        *) finish ;;
      esac
      ;;
  esac
  # Without the agent's environment: a repository may have put there what keeps Node from starting.
  think() { printf '%s' "$told" | env -i ${HOME:+"HOME=$HOME"} PATH="$PATH" @ENVIRONMENT@ NODE_COMPILE_CACHE=@CACHE@ "$node" @GUARDARGUMENTS@ "$agent"; }
  case $agent in gemini | cursor) answer=$(think); finish ;; esac
  think
  exit 0
}

# With --witness: notes what the agent has running, each kernel session that a child of it leads,
# once. Whether a parent is an agent is decided by who reads the notes; the hook itself is left out.
note_children() {
  [ -e @WITNESSED@/"$agent" ] && [ -f @SHELLS@ ] && [ ! -h @SHELLS@ ] || return 0
  [ -z "$(command find @SHELLS@ -size +1023k)" ] || return 0
  chain=" $$ " noted='' process=$PPID count=0
  while [ "$count" -lt 3 ] && [ "$process" -gt 1 ]; do
    chain="$chain$process " children=''
    set +f
    for list in /proc/"$process"/task/*/children; do
      more=''
      IFS= read -r more <"$list"
      children="$children $more"
    done
    set -f
    for child in $children; do
      case $chain in *" $child "*) continue ;; esac
      look "$child" || continue
      [ "$session" = "$child" ] || continue
      noted="$noted$child $process $group $session $ticks
"
    done
    look "$process"
    process=$parent count=$((count + 1))
  done
  # shellcheck disable=SC2094 # grep has read all patterns when it writes
  [ -z "$noted" ] || printf '%s' "$noted" | command grep -vxF -f @SHELLS@ >>@SHELLS@
}

case $event in tool | stop | session-end) note_children ;; esac

# Without a supervisor nothing takes these, and they mean nothing later. Input is read all the same.
case $event in
  tool | stop) supervised || { command head -c 4194304 >/dev/null; finish; } ;;
  session-start | session-end | probe) ;;
  pre-tool-use) ask_guard ;;
  *) finish ;;
esac
[ -d "$inbox" ] || finish

# With --witness each tool shell of Claude Code notes itself: Claude Code puts what stands in this
# file in front of every command of the session. Old notes go, so that the file stays small.
if [ "$event" = session-start ] && [ -f @SHELLS@ ] && [ ! -h @SHELLS@ ]; then
  [ -z "$(command find @SHELLS@ -size +127k)" ] || : >|@SHELLS@
fi
if [ "$agent-$event" = claude-code-session-start ] && [ -r @WITNESS@ ] && [ -n "$CLAUDE_ENV_FILE" ]; then
  printf '%s\n' @WITNESSLINE@ >>"$CLAUDE_ENV_FILE"
fi

look $$
own=${ticks:-0}
ancestors='' process=$PPID count=0
while [ "$count" -lt 8 ] && [ "$process" -gt 1 ]; do
  look "$process"
  ancestors="$ancestors,[$process,${ticks:-null}]"
  process=$parent count=$((count + 1))
done
case $CLAUDE_PID in '' | *[!0-9]*) declared=null ;; *) declared=$CLAUDE_PID ;; esac
case $agent in
  *[!a-z-]*) finish ;;
  cline) ids=taskId folder=rootPath ;;
  *) ids='session_id sessionId conversation_id' folder=cwd ;;
esac

# Only the needed fields are kept, not what else an agent tells its hooks (prompts, files, output).
# A value with an escaped quote in it is left out; so no value can break out of its quotes. An agent
# may write megabytes (a file that it has read): 4 MiB are taken and 64 KiB looked at, where the
# wanted fields stand first.
start="\"version\":1,\"agent\":\"$agent\",\"event\":\"$event\",\"ancestors\":[${ancestors#,}],\"declaredPid\":$declared"
fresh=$inbox/.$$-$own kept=$inbox/$$-$own.event
if [ -t 0 ]; then exec </dev/null; fi
# shellcheck disable=SC2015 # a file that awk or mv left behind goes in both cases
command head -c 4194304 | command awk -v start="$start" -v event="$event" -v ids="$ids" -v folder="$folder" '
  function field(name, key,   at, value, last) {
    at = index(text, "\"" key "\":\"")
    value = substr(text, at + length(key) + 4, 4097)
    if (!at) {
      at = index(text, "\"" key "\": \"")
      value = substr(text, at + length(key) + 5, 4097)
    }
    last = index(value, "\"")
    if (!at || !last) return 0
    value = substr(value, 1, last - 1)
    if (value == "" || substr(value, length(value)) == "\\") return 0
    record = record ",\"" name "\":\"" value "\""
    return 1
  }
  length(text) < 65536 { text = text substr($0, 1, 65536) " " }
  END {
    record = "{" start
    # The first of them: what a tool is told may hold another.
    count = split(ids, keys, " ")
    first = length(text) + 1
    for (one = 1; one <= count; one++) {
      at = match(text, "\"" keys[one] "\": ?\"")
      if (at && at < first) { first = at; key = keys[one] }
    }
    if (key != "") field("session", key)
    field("project", folder)
    if (event == "session-start") field("source", "source")
    if (event == "session-end") field("reason", "reason")
    if (event == "tool") field("task", "backgroundTaskId")
    print record "}"
    at = event == "stop" ? index(text, "\"background_tasks\":[") : 0
    if (at) print "{" substr(text, at)
  }' >"$fresh" && command mv -f "$fresh" "$kept" || command rm -f "$fresh"

case $event in session-start | session-end) supervised || start_pass ;; esac

# What was ended in this project since its last session, written beforehand, is told once.
folder=${CLAUDE_PROJECT_DIR:-$PWD}
case $event$folder/ in *//* | */../* | */./*) finish ;; session-start/*) ;; *) finish ;; esac
# There is no way to tell some; the next session of another agent is told.
case $agent in opencode | cline | kimi) finish ;; esac
told=$notices${folder%/}/.notice
# shellcheck disable=SC2015 # finish ends the script in both cases
[ -f "$told" ] && [ ! -h "$told" ] && [ -s "$told" ] && command mv -f "$told" "$told.$$" || finish
text=$(command head -c 65536 "$told.$$" | command head -n 1)
command rm -f "$told.$$"
[ -n "$text" ] || finish
case $agent in
  copilot) answer="{\"additionalContext\":\"$text\"}" ;;
  cursor) answer="{\"additional_context\":\"$text\"}" ;;
  *) answer="{\"hookSpecificOutput\":{\"hookEventName\":\"SessionStart\",\"additionalContext\":\"$text\"}}" ;;
esac
finish
