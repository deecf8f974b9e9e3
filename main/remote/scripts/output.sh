# The end of one file over there: a regular file of the user, not a link. Lines of data: `most
# <bytes>`, `output <file>`, at last `end`. Parts of the answer, both missing when there is no such
# file: its size in bytes, and its last bytes with a blank for each NUL.
. ./head.sh

curfew_answer() {
  curfew_begin "$1"
  curfew_head
  curfew_most='' curfew_path=''
  while IFS=' ' read -r verb rest <&3; do
    case $verb in most) curfew_most=$rest ;; output) curfew_path=$rest ;; *) break ;; esac
  done
  printf '#output\0'
  set -f
  # shellcheck disable=SC2046 # the words before the name are wanted, and no pattern is expanded
  set -- "$1" $(ls -lnd "$curfew_path")
  set +f
  case $2 in
    -*)
      if [ "$4" = "$curfew_uid" ]; then
        printf '%s\0' "$6"
        tail -c "$curfew_most" <"$curfew_path" | tr '\000' ' '
        printf '\0'
      fi ;;
  esac
  printf '%s end\0' "$1"
  exit 0
}
