#!/bin/bash
# npm run test:fresh: runs `npm ci && npm run agents && npm test` with CI=true on the last commit as
# a new user would, on a minimal Debian with git, Node and npm only (minimal-root.sh). Needs root
# and debootstrap.
# Arguments replace `npm ci && npm run agents && npm test`.
set -euo pipefail
[ $# -gt 0 ] || set -- bash -c 'npm ci && npm run agents && npm test'
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
# The node and npm of this machine, not the one that npm ci brings.
PATH=$(printf %s "$PATH" | tr : '\n' | grep -v node_modules | paste -sd :)
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")

run=$(mktemp -d /var/tmp/curfew-fresh-run-XXXXXX)
trap 'rm -rf "$run"' EXIT
changes=$run/changes
mkdir -p "$changes/usr/local/bin" "$changes/usr/local/lib/node_modules" "$changes/etc/ssl/certs" "$changes/root"
cp "$node" "$changes/usr/local/bin/node"
cp -r "$npm" "$changes/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$changes/usr/local/bin/npm"
# How this machine reaches Debian's archive and npm's registry.
cp -L /etc/resolv.conf /etc/hosts "$changes/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$changes/etc/ssl/certs/"
[ ! -e ~/.npmrc ] || cp ~/.npmrc "$changes/root/"
git clone --quiet --no-hardlinks "$checkout" "$changes/root/curfew"

# shellcheck disable=SC2016 # expanded in there
"$here/minimal-root.sh" "$run" bash -c 'cd curfew && exec "$@"' bash "$@"
