import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Process, Start } from './machine.ts';
import type { WineAgent } from './plan.ts';

// What the agents look like on Windows; docs/platforms.md, "Agents on Windows", says from where it
// is known.

/** An agent on the stage. */
export interface FakeAgent {
  readonly kind: WineAgent;
  readonly process: Process;
  readonly session: string;
  /** What it puts into the environment of its calls, after everything else there. */
  readonly environment: readonly string[];
  /** Where the output of a call goes. */
  readonly output: (task: string) => string;
}

/** Names of the programs. */
export const agentPrograms = { 'claude-code': 'claude', codex: 'codex', copilot: 'copilot', opencode: 'opencode' };

/** Quotes an argument as libuv does. */
export const quoted = (text: string): string =>
  `"${text.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, '$1$1')}"`;

/** What stands around a command in Git Bash. */
export const bashForm = (command: string): string =>
  [
    'source /c/Users/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh 2>/dev/null || true',
    String.raw`export TEMP='C:\Users\me\AppData\Local\Temp' TMP='C:\Users\me\AppData\Local\Temp'`,
    String.raw`\builtin shopt -u extglob 2>/dev/null || true`,
    `eval '${command}' < /dev/null`,
    'pwd -P >| /c/Users/me/AppData/Local/Temp/claude-88d4-cwd',
  ].join(' && ');

/** What stands around a command in PowerShell. */
const powerShellForm = (command: string): string =>
  [
    command,
    '; $_ec = if ($null -ne $LASTEXITCODE) { $LASTEXITCODE } elseif ($?) { 0 } else { 1 }',
    String.raw`; (Get-Location).Path | Out-File -FilePath 'C:\Users\me\AppData\Local\Temp\claude\claude-pwd-ps-1a2b' -Encoding utf8 -NoNewline`,
    '; exit $_ec',
  ].join('\n');

/** What a call of an agent is started with, environment and output aside. */
export type CallForm = Pick<Start, 'file' | 'args' | 'console' | 'deaf'>;

/** Returns the shell of a call: Claude Code has two, and the others one each. */
export const callForm = (agent: WineAgent, command: string, shell: 'usual' | 'powershell' = 'usual'): CallForm => {
  switch (agent) {
    case 'claude-code':
      return shell === 'usual'
        ? { file: 'bash', args: `-c ${quoted(bashForm(command))}`, console: 'none', deaf: true }
        : {
            file: 'pwsh',
            args: `-NoProfile -NonInteractive -ExecutionPolicy Bypass -Command ${quoted(powerShellForm(command))}`,
            console: 'shared',
          };
    case 'codex': {
      const script = `try { [Console]::OutputEncoding=[System.Text.Encoding]::UTF8 } catch {}\n${command}`;
      return { file: 'pwsh', args: `-NoProfile -Command ${quoted(script)}`, console: 'shared' };
    }
    case 'copilot':
      return { file: 'pwsh', args: `-NoProfile -NoLogo -Command ${quoted(command)}`, console: 'shared' };
    case 'opencode':
      return { file: 'bash', args: `-c ${quoted(command)}`, console: 'none', deaf: true };
  }
};

const marksOf = (kind: WineAgent, pid: number, session: string): Readonly<Record<string, string>> => {
  switch (kind) {
    case 'claude-code':
      return {
        AI_AGENT: 'claude-code_2-1-329_agent',
        CLAUDECODE: '1',
        CLAUDE_CODE_SESSION_ID: session,
        CLAUDE_PID: String(pid),
      };
    case 'codex':
      return { CODEX_SESSION_ID: session, CODEX_THREAD_ID: session, CODEX_CI: '1' };
    case 'copilot':
      return { COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: session };
    case 'opencode':
      return { AGENT: '1', OPENCODE: '1', OPENCODE_PID: String(pid) };
  }
};

/** Writes what an agent keeps of its session. */
const register = (home: string, kind: WineAgent, { pid, created }: Process, session: string): void => {
  if (kind === 'claude-code') {
    const folder = join(home, '.claude', 'sessions');
    mkdirSync(folder, { recursive: true });
    const entry = {
      pid,
      sessionId: session,
      cwd: String.raw`c:\work\shop`,
      startedAt: Date.now(),
      procStartFt: String(created),
      version: '2.1.329',
      kind: 'interactive',
      pidDomain: `win32:${hostname()}`,
    };
    writeFileSync(join(folder, `${pid}.json`), JSON.stringify(entry));
  }
  if (kind === 'copilot') {
    const folder = join(home, '.copilot', 'session-state', session);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `inuse.${pid}.lock`), String(pid));
  }
};

/**
 * Puts an agent's process on record.
 * @param environment what the user's programs have in theirs
 */
export const agentOf = (kind: WineAgent, process: Process, home: string, environment: readonly string[]): FakeAgent => {
  const session = randomUUID();
  register(home, kind, process, session);
  const tasks = join(home, 'AppData', 'Local', 'Temp', 'claude', '0123456789abcdef', session, 'tasks');
  mkdirSync(tasks, { recursive: true });
  const marks = Object.entries(marksOf(kind, process.pid, session)).map(([name, value]) => `${name}=${value}`);
  return {
    kind,
    process,
    session,
    environment: [...environment, ...marks],
    output: (task) => join(tasks, `${task}.output`),
  };
};
