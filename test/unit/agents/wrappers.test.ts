import { describe, expect, test } from 'vitest';
import { claimsOf } from '../../../app/agents/signatures.ts';

const shellOf = (argv: readonly string[]) => claimsOf({ argv }, {})[0]?.shell ?? null;
const snapshot = '/home/me/.claude/shell-snapshots/snapshot-zsh-1795232364193-wkirkd.sh';
const end = 'pwd -P >| /tmp/claude-88d4-cwd';

describe('tool shells that were not run here', () => {
  test('zsh', () => {
    const script = `source ${snapshot} 2>/dev/null || true && setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL 2>/dev/null || true && eval 'ls **' < /dev/null && ${end}`;
    expect(shellOf(['/bin/zsh', '-c', script])).toEqual({ rule: 'claude-shell', command: 'ls **', project: null });
  });

  test('a configuration folder elsewhere, with a blank in it', () => {
    const script = `source '/data/my stuff/cc/shell-snapshots/snapshot-bash-1-a.sh' 2>/dev/null || true && eval ls && ${end}`;
    expect(shellOf(['/usr/local/bin/bash', '-c', script])?.command).toBe('ls');
  });

  test('a login shell without a snapshot', () => {
    const script = `shopt -u extglob 2>/dev/null || true && eval 'make -j' < /dev/null && ${end}`;
    expect(shellOf(['/bin/bash', '-c', '-l', script])?.command).toBe('make -j');
    expect(shellOf(['/bin/bash', '-c', '-l', `eval 'make -j' \\< /dev/null && ${end}`])?.command).toBe('make -j');
  });

  test('a wrapper whose command can’t be taken apart is a tool shell all the same', () => {
    const script = `source ${snapshot} && 'eval' "$__carried" && ${end}`;
    expect(shellOf(['/bin/bash', '-c', '-l', script])).toEqual({ rule: 'claude-shell', command: null, project: null });
  });

  test('a sleep that is being watched', () => {
    const watched = `{ CLAUDE_CODE_WATCHED_SLEEP=1 sleep 30 || ( case $? in 141) ;; *) \\builtin exit "$?";; esac ); } && ls`;
    const script = `source ${snapshot} 2>/dev/null || true && eval '${watched}' < /dev/null && ${end}`;
    expect(shellOf(['/bin/bash', '-c', script])?.command).toBe('sleep 30 && ls');
  });

  test('an argv that was split at its blanks', () => {
    const script = `source ${snapshot} 2>/dev/null || true && eval 'printf "a  b"' < /dev/null && ${end}`;
    expect(shellOf(`/bin/zsh -c ${script}`.split(' '))?.command).toBe('printf "a  b"');
  });

  test('Gemini, newer and older', () => {
    const script = `shopt -u promptvars nullglob; _bgpids_file=/tmp/gemini-shell-ab12/bgpids.tmp\n(\ntrap 'jobs -p > "$_bgpids_file"' EXIT\nnpm run dev &\nwait\n)\n__code=$?\nexit $__code`;
    expect(shellOf(['/usr/bin/bash', '-c', script])?.command).toBe('npm run dev &\nwait');
    const older = '{ npm run dev; }; __code=$?; pgrep -g 0 >/tmp/shell_pgrep_ab12cd.tmp 2>&1; exit $__code;';
    expect(shellOf(['bash', '-c', older])).toEqual({ rule: 'gemini-shell', command: 'npm run dev', project: null });
  });

  test('mux, newer', () => {
    const script = `__MUX_EXIT_CODE_PATH='/tmp/mux-bashes/w/it'"'"'s/exit_code' && trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT && trap 'exit 143' TERM && cd '/work/tree' && export MUX_PROJECT_PATH='/home/me/my shop' && export MUX_RUNTIME='local' || exit; cd sub && npm test`;
    expect(shellOf(['bash', '-c', script])).toEqual({
      rule: 'mux-shell',
      command: 'cd sub && npm test',
      project: '/home/me/my shop',
    });
  });

  test('Cursor', () => {
    const script =
      'snap=$(command cat <&3); builtin eval "$snap"; builtin eval "$1" < /dev/null; e=$?; dump_zsh_state >&4; exit $e';
    expect(shellOf(['/bin/zsh', '-o', 'extendedglob', '-c', script, '--', 'npm run dev'])).toEqual({
      rule: 'cursor-shell',
      command: 'npm run dev',
      project: null,
    });
  });

  test('a wrapper made to be slow is given up', () => {
    const hostile = `${'{ case "${BASH_VERSINFO-}" in x} && '.repeat(3000)}source `;
    expect(shellOf(['bash', '-c', `${hostile} && ${end}`])).toBe(null);
    const many = `source ${snapshot} && ${"eval 'a' x && ".repeat(9000)}${end}`;
    expect(shellOf(['bash', '-c', many])).toEqual({ rule: 'claude-shell', command: null, project: null });
  });
});
