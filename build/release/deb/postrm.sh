#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = purge ]; then
  if [ -x /usr/bin/deb-systemd-helper ]; then
    deb-systemd-helper purge curfew.service >/dev/null || true
    deb-systemd-helper unmask curfew.service >/dev/null || true
  fi
  # What `systemctl enable` made: deb-systemd-helper knows of its own links only, and one that leads
  # nowhere would stay (seen with systemd 252).
  rm -f /etc/systemd/system/multi-user.target.wants/curfew.service
  # The operator's defaults, and nothing else that may lie there.
  rm -f /etc/curfew/settings.json
  if [ -d /etc/curfew ]; then
    rmdir --ignore-fail-on-non-empty /etc/curfew
  fi
fi
