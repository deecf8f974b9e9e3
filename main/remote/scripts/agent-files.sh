# What agents keep of their sessions: the names in a few folders, and the few small files that are
# read. Names come from the shell itself: a find without the option would show an empty folder, and
# the sessions in it as ended ones. Of files `find` is only the quick way: POSIX knows neither of
# the options of grep used here. What was not sent is unknown, never absent.
. ./head.sh

curfew_folder() {
  if [ -d "$1" ] && [ -r "$1" ] && [ -x "$1" ]; then printf '?read %s\0' "$1"
  elif [ -e "$1" ] || [ -L "$1" ]; then printf '?unreadable %s\0' "$1"
  elif [ -d "$2" ] && ! [ -x "$2" ]; then printf '?unreadable %s\0' "$1"
  elif ! [ -d "$2" ] && { [ -e "$2" ] || [ -L "$2" ]; }; then printf '?unreadable %s\0' "$1"
  else printf '?absent %s\0' "$1"
  fi
}
curfew_names() {
  if [ -e "$1" ] || [ -L "$1" ]; then printf '%s\0' "$@"; fi
}
curfew_small() {
  { [ -e "$1" ] || [ -L "$1" ]; } || return
  if [ -n "$curfew_nul" ] && [ -n "$curfew_find" ]; then
    find "$@" -prune -type f -user "$curfew_uid" -size -513 -exec grep -s -z -a -H '' /dev/null {} +
    return
  fi
  # Reads no file when a test fails, which is what is meant.
  # shellcheck disable=SC2015,SC2046 # the words of ls before the name hold no pattern
  for file in "$@"; do
    [ -f "$file" ] && ! [ -L "$file" ] || continue
    set -- $(ls -lnd "$file")
    case $5 in '' | *[!0-9]*) continue ;; esac
    [ "$3" = "$curfew_uid" ] && [ "$5" -le 262144 ] || continue
    printf '%s:%s\0' "$file" "$(tr '\000' ' ' <"$file")"
  done
}
curfew_unreadable() {
  for folder in "$@"; do
    { [ -d "$folder" ] && [ -r "$folder" ] && [ -x "$folder" ]; } || ! { [ -e "$folder" ] || [ -L "$folder" ]; } ||
      printf '?unreadable %s\0' "$folder"
  done
}
curfew_claude() {
  for part in sessions jobs daemon; do
    curfew_folder "$1/$part" "$1"
    curfew_names "$1/$part"/*
  done
  curfew_small "$1/sessions"/[0-9]*.json
  curfew_small "$1/daemon/roster.json"
  for folder in "$1/jobs"/*; do
    if [ -d "$folder" ]; then
      curfew_folder "$folder" "$1/jobs"
      curfew_names "$folder"/adopt.json
    fi
  done
  curfew_small "$1/jobs"/*/adopt.json
}
curfew_copilot() {
  curfew_folder "$1/session-state" "$1"
  curfew_names "$1/session-state"/*
  curfew_unreadable "$1/session-state"/*
  curfew_names "$1/session-state"/*/inuse.*
  curfew_names "$1/session-state"/*/detached-shells
  curfew_names "$1/session-state"/*/detached-shells/*
  curfew_small "$1/session-state"/*/detached-shells/*.lease.json
}
curfew_agents() {
  printf '#files\0'
  curfew_claude "${HOME:-/}/.claude"
  curfew_copilot "${HOME:-/}/.copilot"
  while IFS=' ' read -r verb path <&3; do
    # shellcheck disable=SC2012 # the line of one file, taken apart by Curfew, which knows the name
    case $verb in
      claude) curfew_claude "$path" ;;
      copilot) curfew_copilot "$path" ;;
      output) printf '!%s\0' "$(ls -lnd "$path" | tr '\n' ' ')" ;;
      threads) printf '^%s %s\0' "$path" "$(grep -s -h '^voluntary_ctxt_switches' "/proc/$path/task"/*/status | tr -d 'a-z_:\t' | tr '\n' ' ')" ;;
      *) break ;;
    esac
  done
}
