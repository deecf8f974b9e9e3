import { expect, test } from 'vitest';
import type { Simulated } from '../../../windows/simulated-windows.ts';
import { WindowsStage } from '../../../windows/windows-stage.ts';

// Git Bash hands to its own programs no more than four variables in the block that Windows shows;
// the rest, `CURFEW_KEEP=1` with it, is where Windows does not see it (msys2-runtime, spawn.cc).

const bare = ['PATH=C:\\', 'SYSTEMROOT=C:\\Windows', 'WINDIR=C:\\Windows', 'SYSTEMDRIVE=C:'];

const wrapped = (command: string): string =>
  `"source /c/Users/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh 2>/dev/null || true && export TEMP='C:\\x' TMP='C:\\x' && eval '${command}' < /dev/null && pwd -P >| /c/Users/me/AppData/Local/Temp/claude-88d4-cwd"`;

interface Scene {
  readonly stage: WindowsStage;
  readonly server: Simulated;
}

/** A session of Claude Code runs a command in Git Bash, which starts `below`, and ends. */
const left = (command: string, below: (stage: WindowsStage, bash: Simulated) => Simulated): Scene => {
  const stage = new WindowsStage();
  const { kernel } = stage;
  const terminal = kernel.start(kernel.explorer, { image: 'WindowsTerminal.exe', console: false });
  const shell = kernel.start(terminal, { image: 'pwsh.exe', commandLine: 'C:\\x\\pwsh.exe -NoLogo', console: true });
  const agent = kernel.start(shell, { image: 'claude.exe', commandLine: 'C:\\Users\\me\\.local\\bin\\claude.exe' });
  const environment = [
    'Path=C:\\',
    'CLAUDECODE=1',
    `CLAUDE_PID=${agent.pid}`,
    'CLAUDE_CODE_SESSION_ID=43c8e917-0000-4000-8000-00000000000a',
    'AI_AGENT=claude-code_2-1-329_agent',
  ];
  const commandLine = `"C:\\Program Files\\Git\\usr\\bin\\bash.exe" -c ${wrapped(command)}`;
  const bash = kernel.start(agent, { image: 'bash.exe', commandLine, environment, console: false });
  const server = below(stage, bash);
  stage.watch(30);
  kernel.end(bash);
  kernel.end(agent);
  stage.watch(1_200, 10);
  return { stage, server };
};

test('a program of Git Bash that may carry CURFEW_KEEP=1 is left alone, and the reason is said', () => {
  const { stage, server } = left('sh up.sh', ({ kernel }, bash) => {
    const up = kernel.start(bash, { image: 'sh.exe', commandLine: 'sh up.sh', environment: bare });
    return kernel.start(up, { image: 'sh.exe', commandLine: 'sh server.sh', environment: bare });
  });
  expect(stage.kernel.sent).toEqual([]);
  expect(stage.kernel.processes.get(server.pid)).toBe(server);
  const vetoes = [...stage.look().jobs.values()].map(({ verdict }) => verdict.reasons);
  expect(JSON.stringify(vetoes)).toContain('keep-unknown');
});

test('one that the text of the call starts with no such mark is ended', () => {
  const { stage, server } = left('tail -f log &', ({ kernel }, bash) =>
    kernel.start(bash, { image: 'tail.exe', commandLine: 'tail -f log', environment: bare }),
  );
  expect(stage.kernel.sent.map(({ to }) => to)).toEqual([server]);
});

test('one that the text of the call gives the mark is left alone', () => {
  const { stage } = left('CURFEW_KEEP=1 tail -f log &', ({ kernel }, bash) =>
    kernel.start(bash, { image: 'tail.exe', commandLine: 'tail -f log', environment: bare }),
  );
  expect(stage.kernel.sent).toEqual([]);
});
