#!/bin/bash
# npm run test:reproducible: packs npm's tarball from two clones of the last commit, in folders of
# different names and with different clocks and umasks, and compares the bytes. Prints the hash.
set -euo pipefail
checkout=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pack() {
  git clone --quiet --no-hardlinks "$checkout" "$work/$1/curfew-$1"
  cd "$work/$1/curfew-$1"
  # The same packages: package-lock.json has their hashes. Links, because npm ci takes minutes.
  cp -al "$checkout/node_modules" .
  npm pack --silent --pack-destination "$work/$1" >/dev/null
}
(umask 022 && pack one)
(umask 027 && export TZ=Asia/Tokyo LC_ALL=C && pack another)
cd "$work"
sum=$(sha256sum one/*.tgz another/*.tgz)
echo "$sum"
if [ "$(echo "$sum" | cut -d' ' -f1 | sort -u | wc -l)" != 1 ]; then
  mkdir one/unpacked another/unpacked
  tar -xzf one/*.tgz -C one/unpacked
  tar -xzf another/*.tgz -C another/unpacked
  diff -r one/unpacked another/unpacked || true
  diff <(tar -tvzf one/*.tgz) <(tar -tvzf another/*.tgz) || true
  echo 'The two tarballs differ.' >&2
  exit 1
fi
