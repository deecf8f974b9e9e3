#!/bin/sh
# Curfew's status line: prints what the supervisor noted last, and that it is old where it is. Reads
# the beginning of one small file and starts two programs. Where no supervisor watches, it prints
# what a look of the last two minutes saw, and starts one such look a minute, for which it does not
# wait. Written by "curfew hooks install --statusline".
file=@FILE@ looks=@LOOKS@ now=$(date +%s) own=

# In a session of its own and without the agent's environment, so that it can't be taken for the
# agent's. Only one of all callers can make the file of a minute. None is made in a folder of
# another user (sudo -E), and those of minutes before the last one go: a look that fails removes
# none.
start_look() {
  [ -d "$looks" ] && [ -O "$looks" ] && [ -f @PROGRAM@ ] || return 0
  (set -C && : >"$looks/minute-$((now / 60))") 2>/dev/null || return 0
  (for old in "$looks"/minute-[0-9]*; do
    [ "${old##*-}" -ge $((now / 60 - 1)) ] || command rm -f "$old"
  done) </dev/null >/dev/null 2>&1 &
  node=@NODE@
  [ -x "$node" ] || node=$(command -v node) || return 0
  detached=$(command -v setsid) || detached=
  # shellcheck disable=SC2086 # empty: no word
  (cd / && exec env -i ${HOME:+"HOME=$HOME"} PATH="$PATH" @ENVIRONMENT@ $detached "$node" @PROGRAM@ statusline --look) </dev/null >/dev/null 2>&1 &
}

if [ ! -f "$file" ]; then
  start_look
  file=$looks/line own=1
  [ -f "$file" ] || exit 0
fi
command head -c 8192 "$file" 2>/dev/null | {
  { IFS= read -r until && IFS= read -r line; } || exit 0
  # In another language than English: the line in English, and what is said of an old one.
  { IFS= read -r old && IFS= read -r old; } || old='Curfew is not watching'
  case $until in '' | *[!0-9]*) exit 0 ;; esac
  [ -n "$line" ] || exit 0
  if [ "$now" -gt "$until" ]; then
    [ -z "$own" ] || exit 0
    line=$old
  fi
  printf '%s\n' "$line"
}
