#!/bin/sh
# Stands in for schtasks.exe, as Microsoft's pages describe it: it keeps a copy of the task's text,
# and tasks are known by their names, whatever is in the file afterwards.
state=${HOME:?}/schtasks
mkdir -p "$state"
printf '%s\n' "$*" >>"$state/calls"
what=$1
shift
name=
file=
force=
while [ $# -gt 0 ]; do
  case $1 in
  /TN)
    name=$2
    shift
    ;;
  /XML)
    file=$2
    shift
    ;;
  /F) force=yes ;;
  *)
    echo "ERROR: Invalid argument/option - '$1'." >&2
    exit 1
    ;;
  esac
  shift
done

if [ -z "$name" ]; then
  echo "ERROR: Invalid syntax. Mandatory option 'tn' is missing." >&2
  exit 1
fi

case $what in
/Create)
  if [ -e "$state/denied" ]; then
    echo 'ERROR: Access is denied.' >&2
    exit 1
  fi
  if LC_ALL=C grep -q '[^ -~]' "$file"; then
    echo 'ERROR: The task XML is malformed.' >&2
    exit 1
  fi
  [ -e "$state/$name" ] && [ -z "$force" ] && exit 1
  cp "$file" "$state/$name"
  ;;
/Query | /Delete)
  if ! [ -e "$state/$name" ]; then
    echo 'ERROR: The system cannot find the file specified.' >&2
    exit 1
  fi
  [ "$what" = /Query ] || rm "$state/$name"
  ;;
*)
  exit 1
  ;;
esac
