# How one process is read again, by each of the two ways: its state, parent, group and start, and
# whether everything about it is as it was judged.
#
# SC2034, SC2154: signal.sh uses what is assigned here, and assigns what is used.
# shellcheck disable=SC2034,SC2154
. ./head.sh
. ./far-ends.sh

# Reads state, parent, group and start of process $1.
curfew_stat() {
  if [ "$curfew_way" = ps ]; then
    set -f
    # shellcheck disable=SC2046 # words of numbers, letters and a date
    set -- $(curfew_ps -ww -o stat= -o ppid= -o pgid= -o lstart= -p "$1")
    set +f
    [ "$#" = 8 ] || return 1
    curfew_flags=${1#?}
    curfew_state=${1%"${1#?}"} curfew_parent=$2 curfew_group=$3 curfew_start=$4_$5_$6_$7_$8
    return
  fi
  curfew_text=
  while IFS= read -r part || [ -n "$part" ]; do curfew_text="$curfew_text $part"; done <"/proc/$1/stat"
  set -f
  # shellcheck disable=SC2086 # behind the name stand numbers only
  set -- ${curfew_text##*) }
  set +f
  [ "$#" -ge 20 ] || return 1
  curfew_state=$1 curfew_parent=$2 curfew_group=$3 curfew_start=${20}
}
# Whether process $1 still is the one that was judged, and not a zombie.
curfew_same() {
  curfew_stat "$1" || return 1
  case $curfew_state in [ZXx]) return 1 ;; esac
  eval "[ \"\$curfew_start\" = \"\$start_$1\" ]"
}
# Reads the evidence of process $1 again into curfew_found; fails for a process of another user.
curfew_read_again() {
  if [ "$curfew_way" = ps ]; then
    [ "$(curfew_ps -ww -o uid= -p "$1" | tr -d ' ')" = "$curfew_uid" ] && [ -z "$(curfew_marked -p "$1")" ] || return 1
    curfew_found=$(curfew_ps -ww -o args= -p "$1" | tr '\012' '\037')
    curfew_found=${curfew_found%"$curfew_us"}$curfew_rs
    return
  fi
  # shellcheck disable=SC2046 # the line of /proc/PID holds no pattern
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
# Prints one socket or pipe of process $1, of which the descriptor, its mode and the target follow,
# with what is known of its other end now. One that was judged open may have been closed since.
curfew_end() {
  curfew_far=other curfew_item="$2 $3 $4"
  case $curfew_judged in
    *"=$curfew_item other$curfew_us"* | *"$curfew_us$curfew_item other$curfew_us"*) ;;
    *)
      case $4 in
        socket:*)
          inode=${4#socket:?}
          # One line in all is about a socket: a second one would be a name that looks like a line.
          [ "$(printf '%s\n' "$curfew_pairs" | grep "^${inode%?} ")" != "${inode%?} 0 ---" ] || curfew_far=closed ;;
        *)
          [ "$(printf '%s\n' "$curfew_polled" | grep "^$1 $2 ")" != "$1 $2 closed" ] || curfew_far=closed ;;
      esac ;;
  esac
  printf '%s %s\037' "$curfew_item" "$curfew_far"
}
# Reads the sockets and pipes of process $1 into curfew_found, each with whether its other end is
# closed, asked at this moment. What can't be asked is not closed.
curfew_read_ends() {
  curfew_pairs='' curfew_polled=''
  if curfew_ss=$(curfew_find_program ss); then curfew_pairs=$(curfew_peers "$curfew_ss"); fi
  if curfew_perl=$(curfew_find_program perl); then curfew_polled=$(curfew_polls "$curfew_perl" "$1"); fi
  curfew_found=$(
    # shellcheck disable=SC2012 # the links of /proc/PID/fd, whose names are numbers
    ls -lnd "/proc/$1/fd"/* |
      sed -n 's|^l\(...\).* /proc/[0-9]*/fd/\([0-9]*\) -> \(socket:\[[0-9]*\]\)$|\2 \1 \3|p; s|^l\(...\).* /proc/[0-9]*/fd/\([0-9]*\) -> \(pipe:\[[0-9]*\]\)$|\2 \1 \3|p' |
      sort |
      while read -r fd mode target; do curfew_end "$1" "$fd" "$mode" "$target"; done
  )
}
# Whether process $1 is none of a server that no process can speak to, or still is one.
curfew_unspoken() {
  eval "[ -n \"\$unspoken_$1\" ]" || return 0
  eval "curfew_judged=\$ends_$1"
  curfew_read_ends "$1"
  [ "=$curfew_found" = "$curfew_judged" ]
}
# Whether a process that was not judged traces process $1.
curfew_traced() {
  if [ "$curfew_way" = ps ]; then
    case $curfew_state$curfew_flags in t* | ?*X*) return 0 ;; *) return 1 ;; esac
  fi
  curfew_tracer=$(sed -n 's/^TracerPid:[^0-9]*\([1-9][0-9]*\)$/\1/p' "/proc/$1/status")
  [ -n "$curfew_tracer" ] || return 1
  eval "[ -z \"\$start_$curfew_tracer\" ]"
}
# 0: process $1 is as it was judged; 1: it is gone; 2: it is not as it was; 3: it may not be
# signalled.
curfew_confirm() {
  case " $curfew_untouchable " in *" $1 "*) return 3 ;; esac
  curfew_same "$1" || return 1
  ! curfew_traced "$1" || return 2
  curfew_read_again "$1" || return 2
  eval "[ \"=\$curfew_found\" = \"\$evidence_$1\" ]" || return 2
  curfew_unspoken "$1" || return 2
}
# Prints the living members of group $1.
curfew_members() {
  if [ "$curfew_way" = ps ]; then
    curfew_ps -ax -o pid= -o pgid= -o stat= | sed -n "s/^ *\([0-9][0-9]*\)  *$1  *[^ ZXx].*$/\1/p"
    return
  fi
  for folder in /proc/[0-9]*; do
    curfew_stat "${folder#/proc/}" || continue
    [ "$curfew_group" = "$1" ] || continue
    case $curfew_state in [ZXx]) ;; *) printf '%s\n' "${folder#/proc/}" ;; esac
  done
}
