# Sends signals over there, each after confirming in the same run that it hits the process that was
# judged: the same boot and pid namespace, the same start time and user, the same arguments, control
# groups and allow-listed environment (that is, the same provenance and no new CURFEW_KEEP). Where
# there is only ps: the same start time, user and command, and no sign of CURFEW_KEEP. A group is
# signalled as one only while its leader lives and every member was confirmed; else its members one
# by one.
#
# A shell has no pidfds. Between the last reading of the start time and the signal pass a few lines
# of shell without a new process. In that time the pid would have to end, be waited for and be given
# out again.
#
# Lines of data: `boot <id>`, `namespace <inode>`, `uid <number>`, `names <regular expression>`; for
# each process `process <pid> <start>` and after it a line `=<evidence>`; for one of a server that
# no process can speak to also `ends <pid>` and a line `=<its sockets and pipes>`; then the orders,
# `one <signal> <pid>` and `group <signal> <group> <pid>...`; at last `end`, without which nothing
# is done. Evidence has RS for NUL and US for line breaks. Results: `<pid>
# sent|gone|changed|refused`, `group <group> sent`.
. ./confirm.sh

# Signal $1 to process $2.
curfew_one() {
  curfew_confirm "$2"
  case $? in
    0)
      if ! curfew_same "$2"; then printf '%s gone\0' "$2"
      elif kill "-$1" "$2"; then printf '%s sent\0' "$2"
      elif curfew_same "$2"; then printf '%s refused\0' "$2"
      else printf '%s gone\0' "$2"
      fi ;;
    1) printf '%s gone\0' "$2" ;;
    2) printf '%s changed\0' "$2" ;;
    *) printf '%s refused\0' "$2" ;;
  esac
}
# Whether group $1 has its leader and no members but the confirmed ones among the processes that
# follow.
curfew_whole() {
  wanted=$1 living=
  shift
  for pid in "$@"; do
    curfew_confirm "$pid"
    case $? in 0) living="$living $pid" ;; 1) ;; *) return 1 ;; esac
  done
  leader=
  for pid in $(curfew_members "$wanted"); do
    case "$living " in *" $pid "*) ;; *) return 1 ;; esac
    [ "$pid" != "$wanted" ] || leader=yes
  done
  [ -n "$leader" ]
}
# Signal $1 to group $2 as one if that is safe, else to each of the processes that follow.
curfew_group() {
  signal=$1 group=$2
  shift 2
  if curfew_whole "$group" "$@" && curfew_same "$group" && kill "-$signal" "-$group"; then
    printf 'group %s sent\0' "$group"
  else
    for member in "$@"; do curfew_one "$signal" "$member"; done
  fi
}
curfew_order() {
  case $2 in TERM | INT | HUP | QUIT | CONT | KILL) ;; *) return ;; esac
  kind=$1
  shift
  for number in "$@"; do
    [ "$number" = "$1" ] || case $number in '' | *[!0-9]* | 0 | 1) return ;; esac
  done
  if [ "$kind" = group ]; then curfew_group "$@"; else curfew_one "$1" "$2"; fi
}
# SC2086: lines are split into words on purpose; every word of them is tested before it is used.
# SC2034: eval uses the evidence.
# shellcheck disable=SC2086,SC2034
curfew_answer() {
  curfew_begin "$1"
  curfew_head
  printf '#signals\0'
  curfew_us=$(printf '\037')
  token=$1 orders='' complete='' wrong=''
  lines='
'
  while IFS= read -r line <&3; do
    case $line in
      'boot '*) [ "$line" = "boot $curfew_boot" ] || wrong='this is another boot' ;;
      'namespace '*) [ "$line" = "namespace $curfew_namespace" ] || wrong='this is another pid namespace' ;;
      'uid '*) [ "$line" = "uid $curfew_uid" ] || wrong='this is another user' ;;
      'names '*) curfew_names=${line#names } ;;
      'process '*)
        set -- $line
        case $2 in '' | *[!0-9]*) wrong='a process is no number' ;; esac
        case $3 in '' | *[!0-9A-Za-z:_]*) wrong='a process has no start time' ;; esac
        IFS= read -r evidence <&3
        [ -n "$wrong" ] || eval "start_$2=$3 evidence_$2=\$evidence" ;;
      'ends '*)
        set -- $line
        case $2 in '' | *[!0-9]*) wrong='a process is no number' ;; esac
        IFS= read -r evidence <&3
        [ -n "$wrong" ] || eval "unspoken_$2=yes ends_$2=\$evidence" ;;
      'one '* | 'group '*) orders=$orders$line$lines ;;
      end) complete=yes; break ;;
      *) wrong='a line makes no sense' ;;
    esac
  done
  curfew_untouchable="1 $$"
  curfew_parent=$$
  while [ "$curfew_parent" -gt 1 ] && curfew_stat "$curfew_parent"; do
    curfew_untouchable="$curfew_untouchable $curfew_parent"
  done
  if [ -z "$complete" ]; then printf 'nothing the question broke off\0'
  elif [ -n "$wrong" ]; then printf 'nothing %s\0' "$wrong"
  else
    set -f
    IFS=$lines
    set -- $orders
    unset IFS
    for order in "$@"; do
      set -- $order
      set +f
      curfew_order "$@"
      set -f
    done
    set +f
  fi
  printf '%s end\0' "$token"
  exit 0
}
