import { headScript } from './head.ts';
import { shell } from './shell.ts';

/** How one process is read again, by each of the two ways: its state, parent, group and start, and whether everything about it is as it was judged. */
const confirmScript = shell`
curfew_stat() {
  if [ "$curfew_way" = ps ]; then
    set -f
    set -- $(curfew_ps -ww -o stat= -o ppid= -o pgid= -o lstart= -p "$1")
    set +f
    [ "$#" = 8 ] || return 1
    curfew_flags=$\{1#?}
    curfew_state=$\{1%"$\{1#?}"} curfew_parent=$2 curfew_group=$3 curfew_start=$4_$5_$6_$7_$8
    return
  fi
  curfew_text=
  while IFS= read -r part || [ -n "$part" ]; do curfew_text="$curfew_text $part"; done <"/proc/$1/stat"
  set -f
  set -- $\{curfew_text##*) }
  set +f
  [ "$#" -ge 20 ] || return 1
  curfew_state=$1 curfew_parent=$2 curfew_group=$3 curfew_start=$\{20}
}
curfew_same() {
  curfew_stat "$1" || return 1
  case $curfew_state in [ZXx]) return 1 ;; esac
  eval "[ \"\$curfew_start\" = \"\$start_$1\" ]"
}
curfew_read_again() {
  if [ "$curfew_way" = ps ]; then
    [ "$(curfew_ps -ww -o uid= -p "$1" | tr -d ' ')" = "$curfew_uid" ] && [ -z "$(curfew_marked -p "$1")" ] || return 1
    curfew_found=$(curfew_ps -ww -o args= -p "$1" | tr '\012' '\037')
    curfew_found=$\{curfew_found%"$curfew_us"}$curfew_rs
    return
  fi
  set -- "$1" $(ls -lnd "/proc/$1")
  [ "$4" = "$curfew_uid" ] || return 1
  if [ -n "$curfew_nul" ]; then
    curfew_found=$(
      {
        grep -s -z -a -h '' "/proc/$1/cmdline" "/proc/$1/cgroup"
        grep -s -z -a -h -E "$curfew_names" "/proc/$1/environ"
      } | tr '\000\012' '\036\037'
    )
    return
  fi
  curfew_joined "/proc/$1/cmdline" && curfew_found=$curfew_text && curfew_joined "/proc/$1/cgroup" || return 1
  curfew_found=$curfew_found$curfew_text$(tr '\012\000' '\037\012' <"/proc/$1/environ" | grep -s -a -E "$curfew_names" | tr '\012' '\036')
}
curfew_traced() {
  if [ "$curfew_way" = ps ]; then
    case $curfew_state$curfew_flags in t* | ?*X*) return 0 ;; *) return 1 ;; esac
  fi
  curfew_tracer=$(sed -n 's/^TracerPid:[^0-9]*\([1-9][0-9]*\)$/\1/p' "/proc/$1/status")
  [ -n "$curfew_tracer" ] || return 1
  eval "[ -z \"\$start_$curfew_tracer\" ]"
}
curfew_confirm() {
  case " $curfew_untouchable " in *" $1 "*) return 3 ;; esac
  curfew_same "$1" || return 1
  ! curfew_traced "$1" || return 2
  curfew_read_again "$1" || return 2
  eval "[ \"=\$curfew_found\" = \"\$evidence_$1\" ]" || return 2
}
curfew_members() {
  if [ "$curfew_way" = ps ]; then
    curfew_ps -ax -o pid= -o pgid= -o stat= | sed -n "s/^ *\([0-9][0-9]*\)  *$1  *[^ ZXx].*$/\1/p"
    return
  fi
  for folder in /proc/[0-9]*; do
    curfew_stat "$\{folder#/proc/}" || continue
    [ "$curfew_group" = "$1" ] || continue
    case $curfew_state in [ZXx]) ;; *) printf '%s\n' "$\{folder#/proc/}" ;; esac
  done
}
`;

/**
 * Sends signals over there, each after confirming in the same run that it hits who was judged: the same boot and pid namespace, the same start time and user, the same
 * arguments, control groups and allow-listed environment (that is, the same provenance and no new `CURFEW_KEEP`); where there is only ps, the same start time, user
 * and command, and no sign of `CURFEW_KEEP`. A group is signalled as one only while its leader lives and everybody in it was confirmed; else its members one by one.
 *
 * There are no pidfds in a shell. What is left between the last reading of the start time and the signal is the time of a few lines of shell without a new process,
 * in which the pid would have to end, be waited for and be given out again.
 *
 * Lines of data: `boot <id>`, `namespace <inode>`, `uid <number>`, `names <regular expression>`; for each process `process <pid> <start>` and after it a line `=<evidence>`; then
 * the orders, `one <signal> <pid>` and `group <signal> <group> <pid>…`; at last `end`, without which nothing is done.
 * Evidence has RS for NUL and US for line breaks. Results: `<pid> sent|gone|changed|refused`, `group <group> sent`.
 */
export const signalScript = shell`${headScript}${confirmScript}
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
curfew_answer() {
  curfew_begin "$1"
  curfew_head
  printf '#signals\0'
  curfew_us=$(printf '\037')
  token=$1 orders= complete= wrong=
  lines='
'
  while IFS= read -r line <&3; do
    case $line in
      'boot '*) [ "$line" = "boot $curfew_boot" ] || wrong='this is another boot' ;;
      'namespace '*) [ "$line" = "namespace $curfew_namespace" ] || wrong='this is another pid namespace' ;;
      'uid '*) [ "$line" = "uid $curfew_uid" ] || wrong='this is another user' ;;
      'names '*) curfew_names=$\{line#names } ;;
      'process '*)
        set -- $line
        case $2 in '' | *[!0-9]*) wrong='a process is no number' ;; esac
        case $3 in '' | *[!0-9A-Za-z:_]*) wrong='a process has no start time' ;; esac
        IFS= read -r evidence <&3
        [ -n "$wrong" ] || eval "start_$2=$3 evidence_$2=\$evidence" ;;
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
`;
