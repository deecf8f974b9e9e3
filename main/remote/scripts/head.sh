# The functions that every question begins with. POSIX as dash and busybox have it: no `local`, no
# arrays, no `[[`.
# @ANSWER_VERSION@: a number, the version of the answer's form.
#
# The files that include this one use what it assigns.
# shellcheck disable=SC2034

curfew_ps() {
  TZ=UTC0 ps "$@"
}
curfew_unable() {
  printf '#unable\0%s\0%s end\0' "$2" "$1"
  exit 0
}
# Reads a file whose items end with NUL into curfew_text: RS for NUL, US for line breaks.
curfew_joined() {
  curfew_text=$(tr '\000\012' '\036\037' <"$1") || return 1
  case $curfew_text in '' | *"$curfew_rs") ;; *) curfew_text=$curfew_text$curfew_rs ;; esac
}
# Prints the pids that seem to carry CURFEW_KEEP=1. `ps -E` and `ps e` print the environment behind
# the command.
curfew_marked() {
  {
    curfew_ps -Eww "$@" -o pid= -o command=
    if [ "$1" = -p ]; then curfew_ps eww "$@" -o pid= -o command=; else curfew_ps axeww -o pid= -o command=; fi
  } | sed -n 's/^ *\([0-9][0-9]*\) .*CURFEW_KEEP=1\( .*\)*$/\1/p'
}
# Finds how this machine shows its processes. `procfs` on Linux: what ps prints there differs
# between versions of procps and cuts arguments. `ps` elsewhere, if it prints start times.
# curfew_nul: grep reads lists whose items end with NUL. A busybox without EXTRA_COMPAT does not; tr
# (with RS for NUL, US for line breaks) is slower. A boot is told by the kernel's own id. macOS has
# one from 10.10 on; the BSDs have only its time.
curfew_begin() {
  LC_ALL=C
  export LC_ALL
  umask 077
  exec 3<&0 </dev/null 2>/dev/null
  printf '%s begin @ANSWER_VERSION@\0' "$1"
  curfew_uid=$(id -u)
  curfew_system=$(uname -s)
  curfew_rs=$(printf '\036')
  curfew_boot='' curfew_namespace='' curfew_nul='' curfew_session=''
  if [ "$curfew_system" = Linux ] && [ -r /proc/self/stat ]; then
    curfew_way=procfs
    [ "$(printf 'a\nb\0c\0' | grep -s -z -a -c '')" != 2 ] || curfew_nul=yes
    [ -r /proc/sys/kernel/random/boot_id ] && read -r curfew_boot </proc/sys/kernel/random/boot_id
    [ -n "$curfew_boot" ] || curfew_boot=btime-$(sed -n 's/^btime //p' /proc/stat)
    curfew_namespace=$(readlink "/proc/$$/ns/pid" | sed 's/[^0-9]//g')
    return
  fi
  curfew_way='ps'
  [ -n "$(curfew_ps -ww -o lstart= -p "$$")" ] ||
    curfew_unable "$1" 'it shows no processes in /proc, and its ps tells no start times (ps -o lstart)'
  curfew_boot=$(sysctl -n kern.bootsessionuuid | tr ABCDEF abcdef)
  [ -n "$curfew_boot" ] || curfew_boot=$(sysctl -n kern.boottime | sed 's/^[^0-9]*\([0-9][0-9]*\).*$/btime-\1/')
  [ -n "$curfew_boot" ] ||
    curfew_unable "$1" 'it tells nothing by which its boots could be told apart (sysctl kern.boottime)'
  for curfew_session in sid sess pgid; do
    case $(curfew_ps -ww -o "$curfew_session=" -p "$$") in *[0-9]*) break ;; esac
  done
}
# Prints what the answers depend on. Small systems lack getconf; there the usual values hold
# (time(7): 100 ticks on all but a few old architectures). The time awake is the clock of the
# scheduler, which stands still while the machine sleeps (/proc/self/sched of CONFIG_SCHED_DEBUG:
# se.exec_start, in milliseconds; measured 30 ms from CLOCK_MONOTONIC), because no command prints
# CLOCK_MONOTONIC. A kernel without /sys/power/state cannot suspend. macOS tells when it slept last
# (kern.sleeptime).
curfew_head() {
  curfew_id=
  [ -r /etc/machine-id ] && read -r curfew_id </etc/machine-id
  curfew_ticks=$(getconf CLK_TCK) || curfew_ticks=100
  curfew_page=$(getconf PAGESIZE) || curfew_page=4096
  curfew_time=$(date +%s)
  case $curfew_time in *[!0-9]*) curfew_time= ;; esac
  curfew_awake=
  if [ "$curfew_way" = procfs ]; then
    curfew_awake=$(sed -n 's/^se\.exec_start *: *//p' /proc/self/sched)
    if [ -z "$curfew_awake" ] && [ -d /sys/kernel ]; then
      [ -e /sys/power/state ] || curfew_awake=always
    fi
  elif [ "$curfew_system" = Darwin ]; then
    case $(sysctl -n kern.sleeptime) in '{ sec = 0, usec = 0 }'*) curfew_awake=always ;; esac
  fi
  printf '#head\0way=%s\0system=%s\0machine=%s\0boot=%s\0namespace=%s\0uid=%s\0self=%s\0ticks=%s\0page=%s\0home=%s\0id=%s\0time=%s\0awake=%s\0curfew=%s\0' \
    "$curfew_way" "$curfew_system" "$(uname -m)" "$curfew_boot" "$curfew_namespace" "$curfew_uid" "$$" "$curfew_ticks" \
    "$curfew_page" "${HOME:-/}" "$curfew_id" "$curfew_time" "$curfew_awake" "$(command -v curfew)"
}
