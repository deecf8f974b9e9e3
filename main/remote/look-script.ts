import { answerVersion } from '../../app/remote/answer.ts';
import { shell } from './shell.ts';

/**
 * Shell functions that every question begins with. POSIX, as dash and busybox have it; `local`, arrays and `[[` are none of that.
 *
 * `head` says what the answers depend on. getconf is missing in small systems, where the usual values hold (time(7): 100 ticks on all but a few old
 * architectures). Reads /proc only: what ps prints differs from one procps to the next, and cuts arguments.
 */
export const headScript = shell`
curfew_begin() {
  LC_ALL=C
  export LC_ALL
  umask 077
  exec 3<&0 </dev/null 2>/dev/null
  printf '%s begin ${answerVersion}\0' "$1"
  if ! [ -r /proc/self/stat ]; then
    printf '#unable\0it shows no processes in /proc\0%s end\0' "$1"
    exit 0
  fi
  if [ "$(printf 'a\nb\0c\0' | grep -s -z -a -c '')" != 2 ]; then
    printf '#unable\0its grep can not read lists that are ended by NUL (grep -z)\0%s end\0' "$1"
    exit 0
  fi
  curfew_uid=$(id -u)
  curfew_boot=
  [ -r /proc/sys/kernel/random/boot_id ] && read -r curfew_boot </proc/sys/kernel/random/boot_id
  [ -n "$curfew_boot" ] || curfew_boot=btime-$(sed -n 's/^btime //p' /proc/stat)
  curfew_namespace=$(readlink "/proc/$$/ns/pid" | sed 's/[^0-9]//g')
}
curfew_head() {
  curfew_id=
  [ -r /etc/machine-id ] && read -r curfew_id </etc/machine-id
  curfew_ticks=$(getconf CLK_TCK) || curfew_ticks=100
  curfew_page=$(getconf PAGESIZE) || curfew_page=4096
  printf '#head\0system=%s\0machine=%s\0boot=%s\0namespace=%s\0uid=%s\0self=%s\0ticks=%s\0page=%s\0home=%s\0id=%s\0curfew=%s\0' \
    "$(uname -s)" "$(uname -m)" "$curfew_boot" "$curfew_namespace" "$curfew_uid" "$$" "$curfew_ticks" "$curfew_page" \
    "$HOME" "$curfew_id" "$(command -v curfew)"
}
`;

/**
 * One look at a machine. Few processes are started, however many there are to look at: one grep reads all files of a kind and writes each with its name before
 * it and NUL behind it. Of environments only the allow-listed names ever leave the machine. Start times are read a second time at the end, so that what was read of
 * a pid counts only if it stayed that process.
 *
 * Lines of data: `names <regular expression>`, `claude <folder>`, `copilot <folder>`, `output <file>`, at last `end`. The script itself is the same for every machine
 * and every question: nothing is ever put into it.
 */
export const lookScript = shell`${headScript}
curfew_folder() {
  if [ -d "$1" ] && [ -r "$1" ] && [ -x "$1" ]; then printf '?read %s\0' "$1"
  elif [ -e "$1" ] || [ -L "$1" ]; then printf '?unreadable %s\0' "$1"
  elif [ -d "$2" ] && ! [ -x "$2" ]; then printf '?unreadable %s\0' "$1"
  else printf '?absent %s\0' "$1"
  fi
}
curfew_small() {
  find "$@" -type f -user "$curfew_uid" -size -513 -exec grep -s -z -a -H '' /dev/null {} +
}
curfew_claude() {
  for part in sessions jobs daemon; do
    curfew_folder "$1/$part" "$1"
    find "$1/$part" -mindepth 1 -maxdepth 1 -print0
  done
  curfew_small "$1/sessions" -mindepth 1 -maxdepth 1 -name '[0-9]*.json'
  curfew_small "$1/daemon" -mindepth 1 -maxdepth 1 -name roster.json
  curfew_small "$1/jobs" -mindepth 2 -maxdepth 2 -name adopt.json
}
curfew_copilot() {
  curfew_folder "$1/session-state" "$1"
  find "$1/session-state" -mindepth 1 -maxdepth 1 -print0
  find "$1/session-state" -mindepth 2 -maxdepth 2 '(' -name 'inuse.*.lock' -o -name detached-shells ')' -print0
  find "$1/session-state" -mindepth 3 -maxdepth 3 -path '*/detached-shells/*' -print0
  curfew_small "$1/session-state" -mindepth 3 -maxdepth 3 -path '*/detached-shells/*.lease.json'
}
curfew_links() {
  printf '#links\0'
  if find / -maxdepth 0 -printf ''; then
    find $curfew_places -maxdepth 1 -type l -printf '@%p\0%l\0'
  else
    curfew_ls='ls -lnd'
    ls -lndq / >/dev/null && curfew_ls='ls -lndq'
    $curfew_ls $curfew_descriptors | tr '\n' '\0'
  fi
}
curfew_answer() {
  curfew_begin "$1"
  curfew_head
  curfew_names=
  IFS=' ' read -r verb curfew_names <&3
  [ "$verb" = names ] || exit 0
  curfew_texts= curfew_environments= curfew_places= curfew_descriptors= curfew_locks= curfew_stats=
  for p in $(find /proc -maxdepth 1 -name '[0-9]*' -user "$curfew_uid"); do
    curfew_stats="$curfew_stats $p/stat"
    curfew_texts="$curfew_texts $p/cmdline $p/cgroup $p/io $p/syscall"
    curfew_environments="$curfew_environments $p/environ"
    curfew_places="$curfew_places $p/fd $p/cwd $p/exe $p/ns/pid"
    curfew_descriptors="$curfew_descriptors $p/fd/* $p/cwd $p/exe $p/ns/pid"
    curfew_locks="$curfew_locks $p/fdinfo/*"
  done
  printf '#owners\0'
  ls -lnd /proc/[0-9]* | tr '\n' '\0'
  printf '#processes\0'
  grep -s -z -a -H '' /dev/null /proc/[0-9]*/stat $curfew_texts
  printf '#environments\0'
  grep -s -z -a -H -E "$curfew_names" /dev/null $curfew_environments
  printf '#readable\0'
  grep -s -z -a -H -c '' /dev/null $curfew_environments | tr '\n' '\0'
  curfew_links
  printf '#locks\0'
  grep -s -z -a -H 'lock:' /dev/null $curfew_locks
  printf '#sockets\0'
  for table in tcp tcp6 udp udp6; do
    printf '%s\n%s\0' "$table" "$(grep -s -h -E ': [0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4} 0[A7] ' "/proc/net/$table")"
  done
  printf '#files\0'
  curfew_claude "$HOME/.claude"
  curfew_copilot "$HOME/.copilot"
  while IFS=' ' read -r verb path <&3; do
    case $verb in
      claude) curfew_claude "$path" ;;
      copilot) curfew_copilot "$path" ;;
      output) printf '!%s\0' "$(ls -lnd "$path" | tr '\n' ' ')" ;;
      *) break ;;
    esac
  done
  printf '#again\0'
  grep -s -z -a -H '' /dev/null $curfew_stats /proc/self/stat
  printf '%s end\0' "$1"
  exit 0
}
`;
