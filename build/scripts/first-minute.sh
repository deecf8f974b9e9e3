#!/bin/bash
# npm run measure:first-minute -- TARBALL [DEB]: what README says, done by a stranger on a minimal
# Debian with Node and npm only (minimal-root.sh): npx from npm's tarball with an empty cache, until
# a leftover is ended; then the same with the Debian package, which brings its own Node. Prints each
# step with its time. Needs root and debootstrap.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
tarball=$(realpath "$1")
npm=$(PATH=$(printf %s "$PATH" | tr : '\n' | grep -v node_modules | paste -sd :) command -v npm)
run=$(mktemp -d /var/tmp/curfew-first-minute-XXXXXX)
trap 'rm -rf "$run"' EXIT
changes=$run/changes
mkdir -p "$changes/usr/local/bin" "$changes/usr/local/lib/node_modules" "$changes/etc/ssl/certs" "$changes/root"
cp "$checkout/node_modules/node/bin/node" "$changes/usr/local/bin/node"
cp -r "$(dirname "$(dirname "$(readlink -f "$npm")")")" "$changes/usr/local/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$changes/usr/local/bin/$name"; done
# How this machine reaches npm's registry.
cp -L /etc/resolv.conf /etc/hosts "$changes/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$changes/etc/ssl/certs/"
[ ! -e ~/.npmrc ] || cp ~/.npmrc "$changes/root/"
cp "$tarball" "$changes/root/curfew.tgz"
[ $# -lt 2 ] || cp "$2" "$changes/root/curfew.deb"
cp "$here/first-minute-inside.sh" "$changes/root/inside.sh"
"$here/minimal-root.sh" "$run" bash /root/inside.sh
