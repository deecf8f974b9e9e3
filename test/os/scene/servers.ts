import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from './actor.ts';
import type { Identity } from './processes.ts';
import type { Scene } from './scene.ts';

const program = join(import.meta.dirname, '../fixtures/server.py');
const file = '/tmp/scene/server.py';

/** The agents as far as their servers differ: marks, kind of ends, process group. */
export type ServerStyle =
  | 'claude'
  | 'claude-2.1.197'
  | 'claude-2.0'
  | 'codex'
  | 'copilot'
  | 'gemini'
  | 'opencode'
  | 'pi'
  | 'kimi'
  | 'no-dossier';

/** See server.py. */
export type Habit =
  | 'deaf'
  | 'stubborn'
  | 'spin'
  | 'wakes'
  | 'work'
  | 'busy'
  | 'receives'
  | 'called'
  | 'answers'
  | 'orders'
  | 'computes'
  | 'shares'
  | 'listen'
  | 'port'
  | 'wrapped'
  | 'left'
  | 'detach'
  | 'sloppy'
  | 'browser'
  | 'headed'
  | 'talker';

/** How one server is started. */
export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** As a hook: with its marks and a kernel session of its own. */
  readonly hook?: true;
  /** Its working folder; left out: the project. */
  readonly cwd?: string;
}

const programs: Readonly<Record<ServerStyle, readonly [string, ...string[]]>> = {
  claude: ['claude'],
  'claude-2.1.197': ['claude'],
  'claude-2.0': ['claude'],
  codex: ['codex'],
  copilot: ['copilot'],
  gemini: ['gemini'],
  opencode: ['opencode'],
  pi: ['pi'],
  kimi: ['kimi-code'],
  'no-dossier': ['node', '/opt/kestrel/agent.js'],
};

/** Agents that give each server a kernel session of its own. */
const apart: ReadonlySet<ServerStyle> = new Set(['pi', 'kimi', 'no-dossier']);

/** The id of each agent in Curfew's documents. */
export const agentIdOf: Readonly<Record<ServerStyle, string>> = {
  claude: 'claude-code',
  'claude-2.1.197': 'claude-code',
  'claude-2.0': 'claude-code',
  codex: 'codex',
  copilot: 'copilot',
  gemini: 'gemini',
  opencode: 'opencode',
  pi: 'pi',
  kimi: 'kimi',
  'no-dossier': 'other',
};

/** The marks that an agent with this pid gives to its servers. */
export const marksOf = (style: ServerStyle, pid: number, session: string, project: string): Record<string, string> => {
  switch (style) {
    case 'claude':
      return {
        AI_AGENT: 'claude-code_2-1-329_harness',
        CLAUDECODE: '1',
        CLAUDE_CODE_SESSION_ID: session,
        CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: session,
        CLAUDE_CODE_MESSAGING_SOCKET: `/tmp/cc-socks/${pid}.sock`,
        CLAUDE_PROJECT_DIR: project,
        CLAUDE_CODE_ENTRYPOINT: 'cli',
      };
    case 'claude-2.1.197':
      return { AI_AGENT: 'claude-code_2-1-197_harness', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session };
    case 'claude-2.0':
      return { CLAUDE_CODE_ENTRYPOINT: 'cli' };
    case 'codex':
    case 'kimi':
      return {};
    case 'copilot':
      return { COPILOT_AGENT_SESSION_ID: session };
    case 'gemini':
      return { GEMINI_CLI: '1' };
    case 'opencode':
      return { AGENT: '1', OPENCODE: '1', OPENCODE_PID: String(pid) };
    case 'pi':
      return { PI_CODING_AGENT: 'true', AI_AGENT: 'pi' };
    case 'no-dossier':
      return { AI_AGENT: 'kestrel@2.1.0' };
  }
};

/** An agent that keeps servers beside its session, as the real ones do. */
export class ServingAgent {
  readonly actor: Actor;
  readonly style: ServerStyle;
  readonly project: string;
  readonly session = randomUUID();
  readonly #stage: Scene;

  private constructor(stage: Scene, style: ServerStyle, actor: Actor, project: string) {
    this.#stage = stage;
    this.style = style;
    this.actor = actor;
    this.project = project;
  }

  /** Starts one. `parent`: what it shares the kernel session and the group of. */
  static async start(
    stage: Scene,
    style: ServerStyle,
    { project = `${stage.home}/shop`, parent }: { readonly project?: string; readonly parent?: Actor } = {},
  ): Promise<ServingAgent> {
    if (!stage.has(file)) stage.write(file, readFileSync(program, 'utf8'));
    const actor = await stage.actor({
      argv: programs[style],
      cwd: project,
      ...(parent === undefined ? { setsid: true } : { parent }),
    });
    return new ServingAgent(stage, style, actor, project);
  }

  /** Starts a server; returns it once it does what it does. */
  async serve(habit: Habit, { env = {}, hook, cwd = this.project }: ServerOptions = {}): Promise<Identity> {
    const end = this.style === 'codex' || this.style === 'copilot' ? 'pipe' : 'socket';
    const marks = marksOf(this.style, this.actor.pid, this.session, this.project);
    const { CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: _launcher, ...hooked } = marks;
    const hookMarks = { ...hooked, CLAUDE_PID: String(this.actor.pid), CLAUDE_CODE_CHILD_SESSION: '1' };
    const identity = await this.actor.begin({
      file: '/usr/bin/python3',
      argv: ['python3', file, habit],
      env: { ...this.#stage.userEnvironment(), ...(hook === true ? hookMarks : marks), ...env },
      cwd,
      fds: { 0: end, 1: end, 2: end },
      ...(this.style === 'codex' ? { setpgid: true } : {}),
      ...(hook === true || apart.has(this.style) ? { setsid: true } : {}),
    });
    await this.#isReady(habit, identity.pid);
    return identity;
  }

  /** Calls the shell tool as Kimi Code does, and waits for its end. */
  async call(command: string): Promise<void> {
    const argv = ['/bin/bash', '-c', `cd '${this.project}' && ${command}`];
    const fds = { 0: 'socket', 1: 'socket', 2: 'socket' } as const;
    const env = this.#stage.userEnvironment();
    const { pid } = await this.actor.begin({ file: '/bin/bash', argv, env, cwd: this.project, setsid: true, fds });
    await this.actor.ended(pid);
  }

  /** Ends it by KILL. */
  async crash(): Promise<void> {
    await this.#stage.first.signal(this.actor.pid, 'KILL');
    await this.#stage.until('the agent is gone', () => this.#stage.row(this.actor.pid) === null);
  }

  /** Ends it as it ends by itself: it tells nothing to its servers. */
  async leave(): Promise<void> {
    await this.actor.exit();
    await this.#stage.until('the agent is gone', () => this.#stage.row(this.actor.pid) === null);
  }

  async #isReady(habit: Habit, pid: number): Promise<void> {
    const stage = this.#stage;
    const has = (word: string): boolean =>
      this.tree(pid).some((row) => stage.row(row.pid)?.argv.includes(word) === true);
    switch (habit) {
      case 'listen':
        await stage.until('it listens', () => stage.has('/tmp/listening'));
        break;
      case 'answers':
        await stage.until('it listens', () => stage.has('/tmp/answers'));
        break;
      case 'orders':
        await stage.until('it reads the pipe', () => stage.has('/tmp/orders-taken'));
        break;
      case 'port':
        await stage.until('it listens', () => /:22E3 /u.test(readFileSync(`${stage.proc}/1/net/tcp`, 'utf8')));
        break;
      case 'called':
        await stage.until('it awaits its call', () => stage.has(`/tmp/awaits-${pid}`));
        break;
      case 'wrapped':
        await stage.until('its server runs', () => has('deaf'));
        break;
      case 'browser':
      case 'headed':
        await stage.until('its browser runs', () => has('stay'));
        break;
      case 'talker':
        await stage.until('its helper runs', () => has('helper'));
        break;
      case 'left':
      case 'sloppy':
      case 'detach':
        await this.#stage.find('what it left runs', ({ argv }) => argv.at(-1) === 'stay');
        if (habit !== 'detach') await this.actor.ended(pid);
        break;
      case 'stubborn':
        await stage.until('it ignores TERM', () =>
          /^SigIgn:\s*[0-9a-f]*[4-7c-f][0-9a-f]{3}$/mu.test(stage.read(`/proc/${pid}/status`)),
        );
        break;
      default:
        await stage.until('it reads', () => stage.row(pid)?.argv.includes(habit));
    }
  }

  /** A server with all that hangs below it. */
  tree(pid: number): readonly Identity[] {
    const rows = this.#stage.table();
    const found = rows.filter((row) => row.pid === pid);
    for (const row of found) found.push(...rows.filter((one) => one.ppid === row.pid));
    return found.map(({ pid: one, start }) => ({ pid: one, start }));
  }
}

/** Lets an agent's server detach a helper, as a daemon does that it meant to stay. */
export const detach = async (stage: Scene, agent: ServingAgent, habit: 'stay' | 'listen'): Promise<Identity> => {
  await agent.actor.start({
    file: '/bin/bash',
    argv: ['bash', '-c', `setsid python3 ${file} ${habit} </dev/null >/tmp/log-${habit} 2>&1 &`],
    env: { ...stage.userEnvironment(), ...marksOf(agent.style, agent.actor.pid, agent.session, agent.project) },
    cwd: agent.project,
    setsid: true,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
  const row = await stage.find('the helper', ({ argv, sid, pid }) => argv.at(-1) === habit && sid === pid);
  if (habit === 'listen') await stage.until('it listens', () => stage.has('/tmp/listening'));
  return stage.identity(row.pid);
};
