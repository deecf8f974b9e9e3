#!/bin/sh
set -e
# As debhelper's dh_installsystemd writes it with --no-enable and --no-start: the service for all
# users is the operator's to enable. One that is enabled already stays so; one that runs is
# restarted by an upgrade.
unit=curfew.service
case $1 in
  configure | abort-upgrade | abort-deconfigure | abort-remove)
    if deb-systemd-helper debian-installed "$unit"; then
      deb-systemd-helper unmask "$unit" >/dev/null || true
      if deb-systemd-helper --quiet was-enabled "$unit"; then
        deb-systemd-helper enable "$unit" >/dev/null || true
      else
        deb-systemd-helper update-state "$unit" >/dev/null || true
      fi
    fi
    if [ -d /run/systemd/system ]; then
      systemctl --system daemon-reload >/dev/null || true
      if [ -n "$2" ]; then
        deb-systemd-invoke try-restart "$unit" >/dev/null || true
      fi
    fi
    ;;
esac
