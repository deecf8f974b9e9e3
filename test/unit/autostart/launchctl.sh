#!/bin/sh
# Stands in for launchctl(1), as reports describe it: a job that is booted out stays for a while,
# and until then it is found by `print` and refused by `bootstrap`.
state=${HOME:?}/launchd
mkdir -p "$state"
printf '%s\n' "$*" >>"$state/calls"
domain=${2%%/*}

if [ "$domain" = gui ] && [ -e "$state/no-gui" ]; then
  echo 'Domain does not support specified action' >&2
  exit 125
fi

leaving() {
  [ -e "$state/leaving" ] || return 1
  left=$(cat "$state/leaving")
  if [ "$left" -le 0 ]; then
    rm "$state/leaving"
    return 1
  fi
  echo $((left - 1)) >"$state/leaving"
}

case $1 in
enable)
  rm -f "$state/disabled"
  ;;
print)
  case $2 in
  */*/*)
    leaving && exit 0
    [ -e "$state/loaded-$domain" ] || exit 113
    ;;
  esac
  ;;
bootout)
  [ -e "$state/loaded-$domain" ] || exit 3
  rm "$state/loaded-$domain"
  [ -e "$state/slow" ] && cp "$state/slow" "$state/leaving"
  exit 0
  ;;
bootstrap)
  if [ -e "$state/disabled" ]; then
    echo 'Bootstrap failed: 119: Service is disabled' >&2
    exit 119
  fi
  if leaving || [ -e "$state/loaded-$domain" ] || [ -e "$state/never" ]; then
    echo 'Bootstrap failed: 5: Input/output error' >&2
    exit 5
  fi
  : >"$state/loaded-$domain"
  ;;
esac
