# Calls the `curfew` that is on that machine's path. Lines of data: `argument <text>` each, at last
# `end`. Parts of the answer: its standard output, its exit status, and its standard error.
. ./head.sh

curfew_answer() {
  curfew_begin "$1"
  curfew_head
  token=$1
  curfew_path=$(command -v curfew)
  set --
  while IFS= read -r line <&3; do
    case $line in
      'argument '*) set -- "$@" "${line#argument }" ;;
      *) break ;;
    esac
  done
  case $curfew_path in
    /*)
      printf '#document\0'
      exec 4>&1
      said=$("$curfew_path" "$@" 2>&1 >&4 3<&-)
      printf '\0#status\0%s\0#said\0%s\0' "$?" "$said" ;;
  esac
  printf '%s end\0' "$token"
  exit 0
}
