# Processes on Linux. Starts few programs, however many processes there are: one grep reads all
# files of a kind and writes each with its name before it and NUL behind it.
#
# SC2086: lists of words are split on purpose: pids, paths below /proc and options named here.
# SC2012: the lines of ls are about /proc/PID, whose names are numbers.
# SC2154: the question's first line carries curfew_names.
# SC3013, SC3067: dash and busybox know -ef and -O; where a shell does not, nothing is held.
# shellcheck disable=SC2086,SC2012,SC2154,SC3013,SC3067
. ./agent-files.sh
. ./far-ends.sh

curfew_entry='^[^=[:cntrl:] ]+='
curfew_links() {
  printf '#links\0'
  if find / -maxdepth 0 -printf ''; then
    find $curfew_places -maxdepth 1 -type l -printf '@%M%p\0%l\0'
    return
  fi
  curfew_ls='ls -lnd'
  ls -lndq / >/dev/null && curfew_ls='ls -lndq'
  if [ -n "$curfew_find" ]; then find $curfew_places -type l -exec $curfew_ls {} +
  else
    for p in $curfew_processes; do $curfew_ls "$p"/fd/* "$p/cwd" "$p/exe" "$p/ns/pid" "$p/ns/net"; done
  fi | tr '\n' '\0'
}
# Standard outputs and errors that are the very file of this user's at the path that they name: the
# same device and inode. Where find prints no links none is told.
curfew_held() {
  printf '#held\0'
  find / -maxdepth 0 -printf '' || return 0
  find $curfew_outputs -maxdepth 0 -type l -lname '/tmp/*' -xtype f -printf '%p %l\n' |
    while IFS=' ' read -r link path; do
      if [ -f "$path" ] && ! [ -L "$path" ] && [ -O "$path" ] && [ "$link" -ef "$path" ]; then printf '%s:\0' "$link"; fi
    done
}
curfew_slow_process() {
  if curfew_joined "/proc/$1/cmdline"; then printf '/proc/%s/cmdline:%s\0' "$1" "$curfew_text"; fi
  if curfew_joined "/proc/$1/cgroup"; then printf '/proc/%s/cgroup:%s\0' "$1" "$curfew_text"; fi
  if curfew_text=$(tr '\012\000' '\037\012' <"/proc/$1/environ"); then
    printf '/proc/%s/environ:%s\0' "$1" "$(printf '%s\n' "$curfew_text" | grep -s -a -E "$curfew_names" | tr '\012' '\036')"
    printf '/proc/%s/odd:%s\036\0' "$1" "$(tr '\012\000' '\037\012' <"/proc/$1/environ" | grep -s -a -c -v -E "$curfew_entry")"
  fi
}
curfew_texts() {
  if [ -n "$curfew_nul" ]; then
    printf '#processes\0'
    grep -s -z -a -H '' /dev/null /proc/[0-9]*/stat /proc/[0-9]*/cmdline $curfew_texts $curfew_lines
    printf '#environments\0'
    grep -s -z -a -H -E "$curfew_names" /dev/null $curfew_environments
    printf '#readable\0'
    grep -s -z -a -H -c -v -E "$curfew_entry" /dev/null $curfew_environments | tr '\n' '\0'
  else
    printf '#lines\0'
    grep -s -a -H '' /dev/null /proc/[0-9]*/stat $curfew_lines | tr '\n' '\0'
    printf '#joined\0'
    for p in $curfew_own; do curfew_slow_process "$p"; done
  fi
}
curfew_locks() {
  printf '#locks\0'
  if [ -n "$curfew_nul" ] && [ -n "$curfew_find" ]; then find $curfew_infos -type f -exec grep -s -z -a -H 'lock:' /dev/null {} +
  else
    for p in $curfew_processes; do grep -s -a -H 'lock:' /dev/null "$p"/fdinfo/*; done | tr '\n' '\0'
  fi
}
# What processes share besides sockets: named pipes, shared memory, the other sides of terminals.
curfew_shared() {
  printf '#pipes\0'
  if find / -maxdepth 0 -printf ''; then
    find $curfew_places -maxdepth 1 -type l -xtype p -lname '/*' -printf '%p:\0'
  else
    for p in $curfew_processes; do for f in "$p"/fd/*; do [ ! -p "$f" ] || printf '%s:\0' "$f"; done; done
  fi
  printf '#memory\0'
  grep -s -a -H -E '^[0-9a-f]+-[0-9a-f]+ ...s ' /dev/null $curfew_maps | tr '\n' '\0'
  printf '#masters\0'
  grep -s -a -H '^tty-index:' /dev/null $curfew_infofiles | tr '\n' '\0'
}
curfew_sockets() {
  printf '#sockets\0'
  for table in tcp tcp6 udp udp6 raw raw6 icmp icmp6; do
    [ -r "/proc/net/$table" ] || continue
    printf '%s\n%s\0' "$table" "$(grep -s -h -E ': [0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4} 0[1-57-9AB] ' "/proc/net/$table")"
  done
  printf '#local\0'
  [ ! -r /proc/net/unix ] || printf 'unix\n%s\0' "$(sed -n 's/^[^ ]* [^ ]* [^ ]* //p' /proc/net/unix)"
  printf 'machine\n%s\0' "$(sed -n 's/^.* \([0-9][0-9]*\) *$/\1/p' /proc/net/netlink /proc/net/packet)"
  if curfew_ss=$(curfew_find_program ss); then printf 'peers\n%s\0' "$(curfew_peers "$curfew_ss")"; fi
  if curfew_perl=$(curfew_find_program perl); then printf 'polls\n%s\0' "$(curfew_polls "$curfew_perl" $curfew_own)"; fi
}
curfew_procfs() {
  curfew_find='' curfew_own='' curfew_processes='' curfew_texts='' curfew_lines='' curfew_environments=''
  curfew_places='' curfew_outputs='' curfew_infos='' curfew_stats='' curfew_statuses='' curfew_maps='' curfew_infofiles=''
  [ "$(find /proc/self/stat -prune -type f -user "$curfew_uid" -size -513 -exec printf found {} +)" != found ] || curfew_find=yes
  printf '#owners\0'
  ls -lnd /proc/[0-9]* | tr '\n' '\0'
  curfew_own=$(ls -lnd /proc/[0-9]* | sed -n "s|^d[^ ]* *[0-9]* *$curfew_uid .* /proc/\([0-9]*\)$|\1|p")
  for p in $curfew_own; do
    p=/proc/$p
    curfew_processes="$curfew_processes $p"
    curfew_stats="$curfew_stats $p/stat"
    curfew_statuses="$curfew_statuses $p/status"
    [ ! -d "$p/task" ] || curfew_statuses="$curfew_statuses $p/task/[0-9]*/status"
    # A first thread that has ended shows none of the files of the others.
    [ -e "$p/exe" ] || curfew_places="$curfew_places $p/task/[0-9]*/fd"
    curfew_texts="$curfew_texts $p/cgroup"
    curfew_lines="$curfew_lines $p/io $p/syscall $p/wchan"
    curfew_environments="$curfew_environments $p/environ"
    curfew_places="$curfew_places $p/fd $p/cwd $p/exe $p/ns/pid $p/ns/net"
    curfew_outputs="$curfew_outputs $p/fd/1 $p/fd/2"
    curfew_infos="$curfew_infos $p/fdinfo"
    curfew_maps="$curfew_maps $p/maps"
    [ -e "$p/exe" ] || curfew_maps="$curfew_maps $p/task/[0-9]*/maps"
    [ ! -d "$p/fdinfo" ] || curfew_infofiles="$curfew_infofiles $p/fdinfo/[0-9]*"
  done
  curfew_texts
  printf '#inside\0'
  grep -s -a -H -E '^NSpid:[^0-9]+[0-9]+[^0-9]+[0-9]' /dev/null /proc/[0-9]*/status | tr '\n' '\0'
  curfew_links
  curfew_held
  curfew_locks
  printf '#tracers\0'
  grep -s -a -H '^TracerPid:.*[1-9]' /dev/null $curfew_statuses | tr '\n' '\0'
  # The kernel names the thread that traces.
  printf '#tracing\0'
  for t in $(grep -s -a -h '^TracerPid:.*[1-9]' $curfew_statuses /dev/null | tr -d 'A-Za-z:\t' | sort -u); do
    grep -s -a -H '^Tgid:' /dev/null "/proc/$t/status" | tr '\n' '\0'
  done
  curfew_shared
  curfew_sockets
  curfew_agents
  if [ -n "$curfew_nul" ]; then
    printf '#again\0'
    grep -s -z -a -H '' /dev/null $curfew_stats /proc/self/stat
  else
    printf '#lineagain\0'
    grep -s -a -H '' /dev/null $curfew_stats /proc/self/stat | tr '\n' '\0'
  fi
}
