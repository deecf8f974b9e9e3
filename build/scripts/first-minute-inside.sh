#!/bin/bash
# The steps of first-minute.sh, in the minimal Debian. First a leftover: a tool shell as Claude Code
# 2.1 starts it (test/os/scene/claude-shell.ts), whose session has ended.
set -u
session=5f0c2a3e-0000-4000-8000-000000000001
tasks=/tmp/claude-0/-root-shop/$session/tasks
mkdir -p /root/shop "$tasks" /root/.claude/shell-snapshots /root/.claude/sessions
snapshot=/root/.claude/shell-snapshots/snapshot-bash-1795232964792-abcdef.sh
echo '# Snapshot file' >"$snapshot"
forget() { printf '{ \\builtin unalias -- '"'%s'"'; \\builtin unset -f -- '"'%s'"'; } >/dev/null 2>&1 || true' "$1" "$1"; }
wrapped="source $snapshot 2>/dev/null || true && \\builtin shopt -u extglob 2>/dev/null || true && $(forget which) && $(forget unsetenv) && eval 'sleep 3600 | tail -1' < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd"
leave() {
  mkdir -p /opt/claude
  cp /bin/bash /opt/claude/claude
  cat >/root/session.sh <<'SESSION'
  cd /root/shop || exit
  export CLAUDECODE=1 CLAUDE_CODE_ENTRYPOINT=cli CLAUDE_CODE_SESSION_ID="$1" CLAUDE_PID=$$
  export AI_AGENT=claude-code_2-1-329_agent
  setsid /bin/bash -c "$2" >"$3/babcdefgh.output" 2>&1 &
  sleep 1
SESSION
  (exec -a claude /opt/claude/claude /root/session.sh "$session" "$wrapped" "$tasks")
  rm -rf /root/session.sh /opt/claude
}
leave

now() { date +%s%3N; }
step() {
  local begin end
  echo "\$ $*"
  begin=$(now)
  "$@" 2>&1
  end=$(now)
  echo "[$((end - begin)) ms]"
}
cd /root || exit
alive() { if grep -aqs '^sleep' /proc/[0-9]*/cmdline; then echo 'the leftover runs'; else echo 'the leftover has ended'; fi; }
alive
step npx --yes ./curfew.tgz
step npx --yes ./curfew.tgz scan
step npx --yes ./curfew.tgz scan --share
step npx --yes ./curfew.tgz reap --dry-run
# On a terminal: e, and y after the preview.
echo '$ npx ./curfew.tgz   (e, y)'
begin=$(now)
(sleep 45; printf e; sleep 3; printf 'y\n'; sleep 15) | script -qec 'npx --yes ./curfew.tgz' /dev/null | tr -d '\r'
echo "[$(($(now) - begin)) ms, 63 s of them waiting for the keys]"
alive
ls -A /root
du -sb /root/.npm/_npx/*/node_modules/curfew /root/.npm/_npx/*/node_modules

[ -e /root/curfew.deb ] || exit 0
echo '# the Debian package, without Node and npm'
rm -rf /usr/local/bin/node /usr/local/bin/npm /usr/local/bin/npx
leave
alive
step apt-get install -y -q --no-install-recommends ./curfew.deb
step curfew
step curfew scan --explain
step curfew reap --dry-run
echo '$ curfew   (e, y)'
(sleep 10; printf e; sleep 3; printf 'y\n'; sleep 15) | script -qec curfew /dev/null | tr -d '\r'
alive
step curfew history
