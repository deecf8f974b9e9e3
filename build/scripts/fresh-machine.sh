#!/bin/bash
# npm run test:fresh: runs `npm ci && npm test` with CI=true on the last commit as a new user would,
# on a minimal Debian with git, Node and npm only. Needs root and debootstrap. It leaves a base
# system of 0.4 GB in /var/tmp for the next time. Arguments replace `npm ci && npm test`.
set -euo pipefail
[ $# -gt 0 ] || set -- bash -c 'npm ci && npm test'
suite=bookworm
base=/var/tmp/curfew-fresh-$suite
checkout=$(cd "$(dirname "$0")/../.." && pwd)
# The node and npm of this machine, not the one that npm ci brings.
PATH=$(printf %s "$PATH" | tr : '\n' | grep -v node_modules | paste -sd :)
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")

if [ ! -e "$base" ]; then
  rm -rf "$base.new"
  debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$base.new"
  mv "$base.new" "$base"
fi
run=$(mktemp -d /var/tmp/curfew-fresh-run-XXXXXX)
trap 'rm -rf "$run"' EXIT
changes=$run/changes
mkdir -p "$changes/usr/local/bin" "$changes/usr/local/lib/node_modules" "$changes/etc/ssl/certs" "$changes/root" "$run/work" "$run/root"
cp "$node" "$changes/usr/local/bin/node"
cp -r "$npm" "$changes/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$changes/usr/local/bin/npm"
# How this machine reaches Debian's archive and npm's registry.
cp -L /etc/resolv.conf /etc/hosts "$changes/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$changes/etc/ssl/certs/"
[ ! -e ~/.npmrc ] || cp ~/.npmrc "$changes/root/"
git clone --quiet --no-hardlinks "$checkout" "$changes/root/curfew"

# Namespaces of its own: what runs in there sees no process and no mount of this machine.
# shellcheck disable=SC2016 # expanded in there
unshare --mount --pid --ipc --uts --fork --kill-child --propagation private bash -euo pipefail -c '
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
  mkdir outside
  pivot_root . outside
  umount -l /outside
  cd /root/curfew
  exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb CI=true \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$@"
' bash "$run" "$base" "$@" </dev/null
