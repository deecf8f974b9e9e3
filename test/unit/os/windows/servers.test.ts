import { inEnglish } from '../../../../app/text/say.ts';
import { expect, test } from 'vitest';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { AgentSession } from '../../../../app/model/session.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { identityOf } from '../../../../app/process/table.ts';
import { sayReason } from '../../../../app/text/reasons.ts';
import { countServers } from '../../../../app/text/sessions.ts';
import { sessionCostsOfScan } from '../../../../main/observing/session-costs.ts';
import type { Look } from '../../../../main/observing/look.ts';
import { NativeSource } from '../../../../main/os/windows/native/source.ts';
import type { Simulated, Start } from '../../../windows/simulated-windows.ts';
import { WindowsStage } from '../../../windows/windows-stage.ts';

const codex = 'C:\\npm\\vendor\\x86_64-pc-windows-msvc\\codex\\codex.exe';
const claude = 'C:\\Users\\me\\.local\\bin\\claude.exe';
const npx = 'C:\\Windows\\System32\\cmd.exe /d /s /c "npx ^"-y^" ^"@example/files^""';
const cli = '"C:\\Program Files\\nodejs\\node.exe" "C:\\x\\npx-cli.js" -y @example/files';
const script = '"C:\\Program Files\\nodejs\\node.exe" C:\\x\\_npx\\1f\\node_modules\\@example\\files\\index.js';
const hour = 3_600;

/** What Claude Code 2.1.329 gives servers, and hooks. */
const ofServer = ['Path=C:\\', 'AI_AGENT=claude-code_2-1-329_harness', 'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS=x'];
const ofHook = (agent: Simulated) => ['Path=C:\\', 'AI_AGENT=claude-code_2-1-329_harness', `CLAUDE_PID=${agent.pid}`];

/** A desktop with a terminal, a shell and an agent in it. */
class Desktop extends WindowsStage {
  readonly shell: Simulated;
  readonly agent: Simulated;

  constructor(commandLine: string, more: Start = {}) {
    super();
    this.allServers = true;
    this.restart();
    const { kernel } = this;
    const terminal = kernel.start(kernel.explorer, { image: 'WindowsTerminal.exe', console: false });
    this.shell = kernel.start(terminal, { image: 'pwsh.exe', commandLine: 'C:\\x\\pwsh.exe -NoLogo', console: true });
    const image = commandLine.split('\\').at(-1) ?? '';
    this.agent = kernel.start(this.shell, { image, commandLine, environment: ['Path=C:\\'], ...more });
  }

  /** A server as Node starts it: new pipes, the agent's console. */
  server(name: string, more: Start = {}): Simulated {
    const standard = [`pipe:${name} in`, `pipe:${name} out`, `pipe:${name} err`];
    return this.kernel.start(this.agent, { commandLine: `node.exe ${name}.js`, standard, ...more });
  }

  /** The same behind `npx`: three processes that hold the same ends. */
  behindNpx(name: string, environment: readonly string[] = ['Path=C:\\', 'TEMP=C:\\T']): readonly Simulated[] {
    const common = { environment, standard: [`pipe:${name} in`, `pipe:${name} out`, `pipe:${name} err`] };
    const cmd = this.server(name, { ...common, image: 'cmd.exe', commandLine: npx });
    const node = this.kernel.start(cmd, { ...common, commandLine: cli });
    return [cmd, node, this.kernel.start(node, { ...common, commandLine: script })];
  }

  next(seconds = 5): Look {
    this.pass(seconds);
    return this.look();
  }

  /** The jobs of a look: what each is, whose, and the programs in it. */
  told(look = this.next()): readonly string[] {
    return [...look.jobs.values()].map(
      ({ job }) =>
        `${job.kind} ${job.server?.standing ?? ''} ${job.owner.state}: ${job.members.map(({ row }) => row.comm).join(' ')}`,
    );
  }

  /** Why its only job is what it is, in words. */
  reasons(look = this.next()): readonly string[] {
    return [...look.jobs.values()].flatMap(({ verdict }) => verdict.reasons.map(sayReason));
  }

  /** What `curfew sessions` says of the servers of the agent. */
  counted(agent: AgentId): string {
    const look = this.next();
    const row = look.table.rows.get(asPid(this.agent.pid));
    if (row === undefined) throw new Error('the agent has ended');
    const process = identityOf(look.table, row);
    const session: AgentSession = {
      agent,
      id: null,
      process,
      pid: row.pid,
      state: 'live',
      project: null,
      source: 'a test',
    };
    const source = new NativeSource({ kernel: this.kernel, environmentNames: [], uid: 0, ownPid: 108 });
    source.scan(new Set());
    const [cost] = sessionCostsOfScan({ ...look, sessions: [session] }, source).sessions;
    return cost === undefined ? 'no session' : inEnglish(countServers(cost));
  }
}

const living = 'server living live';
const reported = 'server reported';

test('servers of a living agent are shown with their session, behind npx as one, and never due', () => {
  const desktop = new Desktop(codex);
  desktop.server('files');
  desktop.behindNpx('docs');
  // Nothing marks the servers of Codex: from the second look on they are known by the first.
  desktop.look();
  expect(desktop.told()).toEqual([`${living}: node`, `${living}: cmd node node`]);
  desktop.watch(30 * hour, hour);
  expect(desktop.kernel.sent).toEqual([]);
});

test('servers of Claude Code are told by their marks, and its hooks are none', () => {
  const desktop = new Desktop(claude);
  desktop.behindNpx('docs', ofServer);
  desktop.server('hook', { environment: ofHook(desktop.agent) });
  expect(desktop.told()).toEqual([`${living}: cmd node node`]);
});

test('a session counts its servers and their memory', () => {
  const desktop = new Desktop(codex);
  for (const name of ['a', 'b', 'c']) desktop.server(name, { workingSet: 100n * 1_048_576n });
  desktop.behindNpx('docs');
  expect(desktop.counted('codex')).toMatch(/^4 servers, ≤ 3\d\d MB$/u);
});

test.each([
  ['without input', { standard: ['NUL', 'pipe:x out', 'pipe:x err'] }],
  ['with a file as its output', { standard: ['pipe:x in', 'C:\\x\\out.log', 'C:\\x\\out.log'] }],
  ['with the streams of the agent', { standard: ['pipe:client in', 'pipe:client out', 'pipe:client err'] }],
  ['without any', { standard: [null, null, null] }],
])('a child of the agent %s is no server', (_what, more) => {
  const desktop = new Desktop(codex, { standard: ['pipe:client in', 'pipe:client out', 'pipe:client err'] });
  desktop.server('x', more);
  expect(desktop.told()).toEqual([]);
});

test('a command of Codex is one also where it is given pipes', () => {
  const desktop = new Desktop(codex);
  const environment = ['Path=C:\\', 'CODEX_SESSION_ID=43c8e917-1111-4222-8333-444455556666', 'CODEX_CI=1'];
  desktop.server('x', {
    image: 'pwsh.exe',
    commandLine: 'C:\\x\\pwsh.exe -NoProfile -Command "npm test"',
    environment,
  });
  expect(desktop.told()).toEqual(['task  live: pwsh']);
});

test('a server that an earlier look saw is listed as left over when its agent has ended, and stays', () => {
  const desktop = new Desktop(codex);
  const [cmd, ...others] = desktop.behindNpx('docs');
  if (cmd === undefined) throw new Error('nothing was started');
  desktop.look();
  desktop.kernel.end(desktop.agent);
  // Node's job ends the direct child of what is killed.
  desktop.kernel.end(cmd);
  expect(desktop.told()).toEqual([`${reported} gone: node node`]);
  expect(desktop.reasons().filter((text) => text.startsWith('only shown'))).toEqual([
    'only shown: Windows does not tell whether a process still holds the other ends of its pipes',
  ]);
  desktop.watch(30 * hour, hour);
  expect(desktop.kernel.sent).toEqual([]);
  expect(others.every(({ ended }) => !ended)).toBe(true);
});

test('it stays left over when the number of its agent is given to a program of the user', () => {
  const desktop = new Desktop(codex);
  desktop.server('files');
  desktop.look();
  desktop.kernel.end(desktop.agent);
  desktop.kernel.start(desktop.shell, { pid: desktop.agent.pid, image: 'codex.exe', commandLine: codex });
  expect(desktop.told()).toEqual([`${reported} gone: node`]);
});

test('a server whose launcher has ended under a living agent is shown as unknown', () => {
  const desktop = new Desktop(codex);
  const [cmd] = desktop.behindNpx('docs');
  desktop.look();
  if (cmd !== undefined) desktop.kernel.end(cmd);
  expect(desktop.told()).toEqual([`${reported} live: node node`]);
  expect(desktop.reasons().filter((text) => !text.startsWith('it was'))).toEqual([
    'only shown: Windows does not tell whether a process still holds the other ends of its pipes',
    'its session is open',
  ]);
});

test('a Curfew that starts later knows left over servers by their marks, and not whose they were', () => {
  const desktop = new Desktop(claude);
  const server = desktop.server('files', { environment: ofServer });
  const unmarked = desktop.server('other');
  desktop.kernel.end(desktop.agent);
  expect(desktop.told()).toEqual([`${reported} unknown: node`]);
  desktop.watch(30 * hour, hour);
  expect([server.ended, unmarked.ended]).toEqual([false, false]);
});

test('a pipeline in a left over command is ended with it, and no server', () => {
  const desktop = new Desktop('C:\\npm\\opencode.exe');
  const environment = ['Path=C:\\', 'AGENT=1', 'OPENCODE=1', `OPENCODE_PID=${desktop.agent.pid}`];
  const common = { environment, console: false } as const;
  const shell = desktop.kernel.start(desktop.agent, {
    ...common,
    image: 'bash.exe',
    commandLine: 'C:\\x\\bash.exe -c "a | b | c"',
    standard: ['NUL', 'pipe:out', 'pipe:out'],
  });
  for (const [from, to] of [['NUL', 'pipe:1'] as const, ['pipe:1 read', 'pipe:2'] as const])
    desktop.kernel.start(shell, { ...common, commandLine: `node.exe ${to}`, standard: [from, to, 'pipe:out'] });
  expect(desktop.told()).toEqual(['task  live: bash node node']);
  desktop.kernel.end(desktop.agent);
  expect(desktop.told()).toEqual(['task  gone: bash node node']);
  desktop.watch(hour, 30);
  expect(desktop.kernel.sent).not.toEqual([]);
});

test('what a pipe is asked for is its kind alone, once a look for each process', () => {
  const desktop = new Desktop(codex);
  for (let count = 0; count < 20; count += 1) desktop.server(`server ${count}`);
  desktop.look();
  // The agent, its shell and terminal are asked too; facts of members come on top.
  expect(desktop.kernel.counts.get('file')).toBeLessThan(20 * 3 * 3);
});
