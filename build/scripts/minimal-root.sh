#!/bin/bash
# Runs a command as root in a minimal Debian, in namespaces of its own: it sees no process and no
# mount of this machine. minimal-root.sh RUN COMMAND…: RUN/changes is laid over the base system
# and takes what the command writes. CURFEW_SUITE is Debian's release (bookworm). Needs root and
# debootstrap. A base system of 0.4 GB stays in /var/tmp for the next time.
set -euo pipefail
run=$(realpath "$1")
shift
suite=${CURFEW_SUITE:-bookworm}
base=/var/tmp/curfew-fresh-$suite
if [ ! -e "$base" ]; then
  rm -rf "$base.new"
  debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$base.new" >&2
  mv "$base.new" "$base"
fi
mkdir -p "$run/changes" "$run/work" "$run/root"
# shellcheck disable=SC2016 # expanded in there
exec unshare --mount --pid --ipc --uts --fork --kill-child --propagation private bash -euo pipefail -c '
  run=$1 base=$2
  shift 2
  mount -t overlay overlay -o "lowerdir=$base,upperdir=$run/changes,workdir=$run/work" "$run/root"
  cd "$run/root"
  mount -t proc proc proc
  mount --rbind /sys sys
  mount -t tmpfs -o mode=755 dev dev
  for device in full null random tty urandom zero; do
    touch "dev/$device"
    mount --bind "/dev/$device" "dev/$device"
  done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
  mount -t tmpfs -o mode=1777,size=64m shm dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  for number in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${number%:*}" "dev/${number#*:}"; done
  hostname fresh
  # Not chroot: inside one the kernel makes no user namespace.
  mkdir -p outside
  pivot_root . outside
  umount -l /outside
  cd /root
  exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb CI=true \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$@"
' bash "$run" "$base" "$@" </dev/null
