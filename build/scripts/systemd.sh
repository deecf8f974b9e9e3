#!/bin/bash
# npm run test:systemd, as root, with debootstrap: the service for all users under Debian's systemd
# as process 1, in namespaces of its own (minimal-root.sh): it starts by its own word, feeds the
# watchdog and is started again when it hangs, each user has a control group, a child that its user
# stopped keeps nothing from ending. `npm run prepack` comes first. Fetches systemd once.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
run=$(mktemp -d /var/tmp/curfew-systemd-XXXXXX)
group=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/curfew-systemd-$$
clean() {
  rm -rf "$run"
  [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} + || true
}
trap clean EXIT
mkdir -p "$run/changes/root" "$run/changes/etc"
cp -L /etc/resolv.conf /etc/hosts "$run/changes/etc/"
node "$here/deb.ts" --output "$run/changes/root" >&2
# shellcheck disable=SC2016 # expanded in there
"$here/minimal-root.sh" "$run" bash -euc '
  apt-get update --quiet --quiet
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --quiet --no-install-recommends \
    systemd procps ./*.deb
  for user in alice mallory; do useradd --create-home --shell /bin/bash "$user"; done
  rm -f /etc/systemd/system/*.wants/*
' >&2
cat >"$run/changes/root/play.sh" <<'PLAY'
exec >/root/said 2>&1
is() { # what, seconds, command…
  what=$1 tries=$2
  shift 2
  until "$@"; do
    tries=$((tries - 1))
    if [ "$tries" -le 0 ]; then
      echo "NOT: $what"
      systemctl status --no-pager --lines 30 curfew.service
      return
    fi
    sleep 1
  done
  echo "ok: $what"
}
show() { systemctl show --value --property "$1" curfew.service; }
runs() { [ "$(show SubState)" = running ]; }
child_of() { pgrep --uid "$1" --full -- --unattended; }
in_own_group() { grep -q "/curfew.service/user-$(id -u "$1")\$" "/proc/$(child_of "$1")/cgroup"; }
fed() { [ "$(show WatchdogTimestampMonotonic)" -gt "$1" ]; }
restarted() { [ "$(show NRestarts)" -ge 1 ] && runs; }
gone() { ! child_of mallory && ! child_of alice; }
for user in alice mallory; do setpriv --reuid "$user" --regid "$user" --clear-groups sleep 9000 & done
mkdir -p /run/systemd/system/curfew.service.d
printf '[Service]\nWatchdogSec=30\n' >/run/systemd/system/curfew.service.d/quick.conf
systemctl daemon-reload
systemctl start curfew.service
is 'it says itself that it runs' 1 runs
is 'each user has a child' 120 child_of alice
is 'each user has a child, the other too' 120 child_of mallory
is 'a child is in the control group of its user' 60 in_own_group mallory
is 'the watchdog is fed' 60 fed "$(show WatchdogTimestampMonotonic)"
kill -STOP "$(show MainPID)"
is 'a service that hangs is started again' 120 restarted
is 'the children come back' 120 child_of mallory
kill -STOP "$(child_of mallory)"
began=$(date +%s)
systemctl stop curfew.service
echo "ok: it ended in $(($(date +%s) - began)) s beside a stopped child"
is 'it ended well' 1 [ "$(show Result)" = success ]
is 'no child is left' 1 gone
systemd-analyze --no-pager security curfew.service | grep Overall
echo played
PLAY
cat >"$run/changes/etc/systemd/system/played.target" <<'UNIT'
[Unit]
Wants=played.service
AllowIsolate=yes
UNIT
cat >"$run/changes/etc/systemd/system/played.service" <<'UNIT'
[Unit]
DefaultDependencies=no
[Service]
Type=oneshot
ExecStart=/bin/bash /root/play.sh
ExecStopPost=/bin/systemctl --force --force poweroff
UNIT
mkdir "$group"
# shellcheck disable=SC2016 # expanded in there
(
  echo "$BASHPID" >"$group/cgroup.procs"
  exec timeout 1500 unshare --cgroup "$here/minimal-root.sh" "$run" bash -euc '
    mount -t tmpfs groups /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    mount -t tmpfs -o mode=755 run /run
    exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=played.target
  '
) >"$run/boot" 2>&1 || true
cat "$run/changes/root/said" || cat "$run/boot"
grep -q '^played$' "$run/changes/root/said" && ! grep -q '^NOT' "$run/changes/root/said"
