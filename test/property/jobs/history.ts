import { asPid } from '../../../app/process/identity.ts';
import type { Plant } from '../../unit/jobs/plant.ts';
import { claudeEnvironment, claudeShell, environments, geminiShell } from '../../unit/jobs/plant.ts';
import { World, type WorldLook } from '../../unit/jobs/world.ts';

/**
 * What really started a process: a tool call of an agent, an agent for itself, or the user. Curfew
 * must find it out by other means.
 */
export type Truth =
  | { readonly by: 'person' }
  | { readonly by: 'call'; readonly agent: Being }
  | { readonly by: 'agent'; readonly agent: Being };

/** A process of the history, distinguished from a later one with the same pid. */
export interface Being {
  readonly pid: number;
  readonly truth: Truth;
  readonly kind: 'agent' | 'users' | 'shell' | 'plain';
  readonly agent: AgentKind | null;
  readonly env: Readonly<Record<string, string>>;
  alive: boolean;
}

/** The agents that take part. */
export const agentKinds = ['claude-code', 'codex', 'opencode', 'gemini', 'aider'] as const;

/** One of them. */
export type AgentKind = (typeof agentKinds)[number];

const programs: Readonly<Record<AgentKind, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  opencode: 'opencode',
  gemini: 'gemini',
  aider: 'aider',
};

/** One event; `who` selects the process that it happens to among the possible ones. */
export interface Step {
  readonly what: (typeof happenings)[number];
  readonly who: number;
  readonly agent: AgentKind;
}

/** All that happens in a history. */
export const happenings = [
  'start agent',
  'call',
  'call',
  'helper',
  'fork',
  'fork',
  'type',
  'setsid',
  'setpgid',
  'scrub',
  'open terminal',
  'close terminal',
  'end',
  'end',
  'end agent',
  'look',
] as const;

const shellOf = (agent: AgentKind | null): readonly string[] => {
  if (agent === 'claude-code') return claudeShell('work');
  return agent === 'gemini' ? geminiShell('work') : ['/bin/bash', '-c', 'work'];
};

/**
 * So few pids that numbers are given again all the time, as the kernel does it: never one that
 * still names a process, group or session.
 */
const pids = 24;

/**
 * A machine on which agents and a user start processes, step by step, by the rules of the kernel:
 * groups and sessions are inherited, orphans are adopted, numbers are reused. It knows the truth
 * about every process.
 */
export class History {
  readonly world = new World(
    { pid: 2, argv: 'tmux', comm: 'tmux: server' },
    { pid: 3, ppid: 2, argv: ['-bash'], sid: 3, tty: 34_816 },
  );
  readonly beings: Being[] = [];
  readonly looks: WorldLook[] = [];
  #last = 10;

  constructor() {
    const person = { truth: { by: 'person' }, agent: null, env: {}, alive: true } as const;
    this.beings.push({ ...person, pid: 2, kind: 'users' }, { ...person, pid: 3, kind: 'shell' });
  }

  /** All living processes. */
  get living(): readonly Being[] {
    return this.beings.filter((being) => being.alive);
  }

  /** The living being with this pid. */
  at(pid: number): Being | undefined {
    return this.living.find((being) => being.pid === pid);
  }

  /** Applies one event, if there is a process that it can happen to. */
  happen(step: Step): void {
    const pick = (fits: (being: Being) => boolean): Being | undefined => {
      const able = this.living.filter(fits);
      return able[step.who % able.length];
    };
    switch (step.what) {
      case 'start agent': {
        const parent = pick(({ kind }) => kind === 'shell' || kind === 'plain');
        if (parent !== undefined) this.#startAgent(parent, step.agent);
        return;
      }
      case 'call': {
        const agent = pick(({ kind }) => kind === 'agent');
        if (agent !== undefined) this.#call(agent);
        return;
      }
      case 'helper': {
        const agent = pick(({ kind }) => kind === 'agent');
        if (agent !== undefined) this.#helper(agent);
        return;
      }
      case 'fork': {
        const parent = pick(({ kind }) => kind === 'plain');
        if (parent !== undefined)
          this.#start(
            parent,
            { argv: 'sleep 9', env: parent.env },
            { truth: parent.truth, kind: 'plain', agent: null },
          );
        return;
      }
      case 'type': {
        const shell = pick(({ kind }) => kind === 'shell');
        if (shell === undefined) return;
        const typed = this.#start(
          shell,
          { argv: 'node mine.js', env: shell.env },
          { truth: { by: 'person' }, kind: 'plain', agent: null },
        );
        if (typed !== null) this.#change(typed, { pgid: typed.pid });
        return;
      }
      case 'setsid': {
        // A helper of opencode that makes a session of its own looks like a command of opencode in
        // every respect.
        const fits = ({ pid, kind, truth }: Being): boolean =>
          kind === 'plain' && truth.by !== 'agent' && this.world.machine.planted(pid)?.pgid !== pid;
        const one = pick(fits);
        if (one !== undefined) this.#change(one, { sid: one.pid, pgid: one.pid, tty: 0 });
        return;
      }
      case 'setpgid': {
        const one = pick((being) => being.kind === 'plain' && this.world.machine.planted(being.pid)?.sid !== being.pid);
        if (one !== undefined) this.#change(one, { pgid: one.pid });
        return;
      }
      case 'scrub': {
        const one = pick(({ kind, agent }) => kind === 'plain' && agent === null);
        if (one === undefined) return;
        const scrubbed = { ...one, env: {} };
        this.beings[this.beings.indexOf(one)] = scrubbed;
        this.#change(scrubbed, { env: {}, argv: 'env-scrubbed' });
        return;
      }
      case 'open terminal': {
        const one = pick(({ kind }) => kind === 'plain');
        if (one !== undefined) this.#openTerminal(one);
        return;
      }
      case 'close terminal': {
        const server = pick(({ kind }) => kind === 'users');
        if (server === undefined) return;
        // Of a terminal that opens and closes between two looks nothing is left to see; of any
        // other, what was in it was seen there.
        this.looks.push(this.world.look());
        const panes = this.living.filter(({ pid }) => this.world.machine.planted(pid)?.ppid === server.pid);
        for (const one of [server, ...panes]) this.#end(one);
        return;
      }
      case 'end': {
        const one = pick(({ kind }) => kind === 'plain' || kind === 'shell');
        if (one === undefined) return;
        this.#end(one);
        return;
      }
      case 'end agent': {
        const one = pick(({ kind }) => kind === 'agent');
        if (one !== undefined) this.#end(one);
        return;
      }
      case 'look':
        this.looks.push(this.world.look());
    }
  }

  #freePid(): number | null {
    const used = new Set<number>();
    for (const row of this.world.machine.table().rows.values())
      for (const id of [row.pid, row.pgid, row.sid]) used.add(id);
    for (let step = 1; step <= pids; step += 1) {
      const pid = 11 + ((this.#last - 11 + step + pids) % pids);
      if (used.has(pid)) continue;
      this.#last = pid;
      return pid;
    }
    return null;
  }

  #start(
    parent: Being | null,
    plant: Omit<Plant, 'pid' | 'env' | 'ppid'> & { readonly env: Being['env'] },
    more: Pick<Being, 'truth' | 'kind' | 'agent'>,
    leads = false,
  ): Being | null {
    const pid = this.#freePid();
    if (pid === null) return null;
    this.world.machine.pass(0.01);
    this.world.start({
      ...plant,
      pid,
      ...(parent === null ? {} : { ppid: parent.pid }),
      ...(leads ? { sid: pid, tty: plant.tty ?? 0 } : {}),
      start: this.world.machine.table().nowTicks / 100,
    });
    const being: Being = { pid, env: plant.env, alive: true, ...more };
    this.beings.push(being);
    return being;
  }

  #startAgent(parent: Being, agent: AgentKind): void {
    const started = this.#start(
      parent,
      { argv: programs[agent], env: parent.env },
      { truth: parent.truth, kind: 'agent', agent },
    );
    if (started !== null && parent.kind === 'shell') this.#change(started, { pgid: started.pid });
  }

  #marks(agent: Being): Readonly<Record<string, string>> {
    switch (agent.agent) {
      case 'claude-code':
        return claudeEnvironment({
          pid: agent.pid,
          session: `00000000-0000-4000-8000-${String(this.beings.indexOf(agent)).padStart(12, '0')}`,
        });
      case 'codex':
        return environments.codex(`codex-${this.beings.indexOf(agent)}`);
      case 'opencode':
        return environments.opencode(agent.pid);
      case 'gemini':
        return environments.gemini();
      default:
        return {};
    }
  }

  #call(agent: Being): void {
    const env = { ...agent.env, ...this.#marks(agent) };
    const argv = shellOf(agent.agent);
    const truth = { by: 'call', agent } as const;
    const shell = this.#start(
      agent,
      { argv, env },
      { truth, kind: 'plain', agent: agent.agent },
      agent.agent !== 'aider',
    );
    if (shell !== null) this.#start(shell, { argv: 'sleep 9', env }, { truth, kind: 'plain', agent: null });
  }

  /** An MCP server, a language server, a hook. */
  #helper(agent: Being): void {
    const own =
      agent.agent === 'opencode'
        ? this.#marks(agent)
        : agent.agent === 'claude-code'
          ? claudeEnvironment({ pid: agent.pid }, 'harness')
          : {};
    const env = { ...agent.env, ...own };
    this.#start(
      agent,
      { argv: 'node helper.js', env },
      { truth: { by: 'agent', agent }, kind: 'plain', agent: agent.agent },
    );
  }

  /** tmux: a server in its own session, and in it a user's shell. */
  #openTerminal(parent: Being): void {
    const more = { truth: { by: 'person' }, agent: null } as const;
    const server = this.#start(
      null,
      { argv: 'tmux', comm: 'tmux: server', env: parent.env },
      { ...more, kind: 'users' },
      true,
    );
    if (server === null) return;
    const env = { ...parent.env, TMUX: `/tmp/tmux-1000/default,${server.pid},0` };
    this.#start(server, { argv: ['-bash'], env, tty: 34_817 }, { ...more, kind: 'shell' }, true);
  }

  #change(being: Being, change: Partial<Plant>): void {
    this.world.change(being.pid, change);
  }

  #end(being: Being): void {
    being.alive = false;
    this.world.end(being.pid);
    // The terminal is gone from a session whose leader has ended.
    for (const row of this.world.machine.table().rows.values())
      if (Number(row.sid) === being.pid && row.tty !== 0) this.world.change(row.pid, { tty: 0 });
  }

  /** The start time of a living being, to tell it from others with its pid. */
  startOf(being: Being): number | undefined {
    return this.world.machine.table().rows.get(asPid(being.pid))?.startTicks;
  }
}
