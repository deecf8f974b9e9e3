#!/bin/sh
set -e
# At an upgrade it runs on until the new one is in place: postinst restarts it.
if [ -d /run/systemd/system ] && [ "$1" = remove ]; then
  deb-systemd-invoke stop curfew.service >/dev/null || true
fi
