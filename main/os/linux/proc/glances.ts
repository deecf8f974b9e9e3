import { refKey } from '../../../../app/jobs/ledger/ledger.ts';
import { isShellScript } from '../../../../app/agents/common/program-name.ts';
import { plainCommandOf } from '../../../../app/agents/common/command-shell.ts';
import type { Glimpse } from '../../../../app/jobs/lineage/evidence.ts';
import type { ProcessRef } from '../../../../app/jobs/ledger/ledger.ts';
import type { Glance, Glances, WrittenFile } from '../../processes/source.ts';
import { argumentsOf } from './command-texts.ts';
import { readLastPid } from './pid-cursor.ts';
import { threadsOf } from './living-thread.ts';
import { writtenFilesOf } from './open-files.ts';
import type { ProcReader } from './proc-reader.ts';
import type { RowReader, Standing } from './row-reader.ts';

/** With more new numbers, and at first, the children of the agents are read instead. */
const maxNew = 32;
/** What is remembered of those seen below agents; the youngest. */
const maxSeen = 256;
/** A process is forked before it leaves its session: it is read again for this long. */
const againMs = 100;
/** The same while it has not begun a program of its own, which takes long on a busy machine. */
const maxForkMs = 10_000;

/** Since when a process is read again, see `againMs`; `forked`: it still was what its agent is. */
interface Again {
  readonly sinceMs: number;
  readonly forked: boolean;
}

/** Below which agent a process was seen. */
interface Seen {
  readonly agent: ProcessRef;
  /**
   * Its call's tool shell, or another shell with a command the agent started; null: neither, so it
   * may be a part of the agent, of which nothing is told.
   */
  readonly call: Call | null;
}

interface Call extends ProcessRef {
  readonly sid: number;
  /** Of a shell with a command, also where it has become that; null: it was not seen as one. */
  readonly argv: readonly string[] | null;
  /** It was seen in a program of its own that is no shell with a command. */
  readonly isProgram: boolean;
}

/** The numbers given out since, the oldest first; null: too many, or not known. */
const numbersAfter = (before: number | null, last: number): readonly number[] | null => {
  const count = before === null ? -1 : last - before;
  return count >= 0 && count <= maxNew ? Array.from({ length: count }, (_, index) => last - count + 1 + index) : null;
};

/**
 * Glances at what agents start between two looks: at each agent, and at what is new where the
 * kernel has given out a number since the glance before.
 */
export class ProcGlances implements Glances {
  readonly #reader: ProcReader;
  readonly #rows: Pick<RowReader, 'standing' | 'ranSince'>;
  readonly #seen = new Map<number, ProcessRef & Seen>();
  /** By pid what is read again. */
  #again = new Map<number, Again>();
  #last: number | null = null;
  /** Calls that were going on at the glance before. */
  #calls: readonly ProcessRef[] = [];
  #cpuTicks = new Map<number, number>();
  #agents: readonly ProcessRef[] = [];
  /**
   * By agent: what it had as children at its first glance. A shell that became it may have started
   * them, so nothing is said of these: what is a call of it a look sees below it. Null: it still
   * is the script of a shell.
   */
  #older: ReadonlyMap<string, ReadonlySet<number> | null> = new Map();

  constructor(reader: ProcReader, rows: Pick<RowReader, 'standing' | 'ranSince'>) {
    this.#reader = reader;
    this.#rows = rows;
  }

  get glimpses(): readonly Glimpse[] {
    return [...this.#seen.values()].flatMap(({ pid, startTicks, agent, call }) =>
      call === null
        ? []
        : {
            pid,
            startTicks,
            agent: { pid: agent.pid, startTicks: agent.startTicks },
            leadsCall: call.pid === pid && call.sid === pid,
            ...(call.isProgram ? { ofProgram: true } : {}),
            ...(call.argv === null
              ? {}
              : {
                  shell: { pid: call.pid, startTicks: call.startTicks, argv: call.argv, leads: call.sid === call.pid },
                }),
          },
    );
  }

  /**
   * Glances once.
   * @throws ProcessTableUnreadable
   */
  glance(agents: readonly ProcessRef[]): Glance {
    if (agents !== this.#agents || [...this.#older.values()].includes(null)) this.#follow(agents);
    const before = this.#last;
    this.#last = readLastPid(this.#reader);
    const fresh = this.#last === null ? [] : numbersAfter(before, this.#last);
    const isWorth = agents.length > 0 && (fresh === null || fresh.length > 0 || this.#again.size > 0);
    const began = isWorth && this.#lookAt(fresh, agents);
    const goOn = this.#calls.filter((one) => this.#isStill(one));
    const returned = goOn.length === 0 && this.#calls.length > 0;
    this.#calls = goOn;
    return { fresh, call: began ? 'began' : returned ? 'returned' : null };
  }

  #follow(agents: readonly ProcessRef[]): void {
    this.#agents = agents;
    this.#older = new Map(
      agents.map((one) => [refKey(one), this.#older.get(refKey(one)) ?? this.#childrenBefore(one)]),
    );
  }

  #childrenBefore({ pid }: ProcessRef): ReadonlySet<number> | null {
    return isShellScript({ argv: this.#argvOf(pid), comm: '' }) ? null : new Set(this.#children(pid));
  }

  ranSince(pid: number): number | null {
    return this.#rows.ranSince(pid);
  }

  written(pid: number): readonly WrittenFile[] {
    return writtenFilesOf(pid);
  }

  /**
   * Returns those of the agents that have used the processor since the time before.
   * @throws ProcessTableUnreadable
   */
  atWork(agents: readonly ProcessRef[]): readonly ProcessRef[] {
    const before = this.#cpuTicks;
    this.#cpuTicks = new Map(agents.map(({ pid }) => [pid, this.#rows.standing(pid)?.cpuTicks ?? 0]));
    return agents.filter(({ pid }) => (this.#cpuTicks.get(pid) ?? 0) > (before.get(pid) ?? 0));
  }

  /**
   * Returns whether an agent has a new child.
   * @param fresh the numbers given out since; null: too many
   */
  #lookAt(fresh: readonly number[] | null, agents: readonly ProcessRef[]): boolean {
    const nowMs = performance.now();
    const again = this.#again;
    this.#again = new Map();
    let called = false;
    const queue = new Set([...again.keys(), ...(fresh ?? agents.flatMap(({ pid }) => this.#children(pid)))]);
    for (const pid of queue) {
      const isKnown = this.#seen.has(pid);
      const above = this.#look(pid, agents, nowMs, again.get(pid));
      called ||= above === 'agent' && !isKnown;
      if (above !== null && fresh === null) for (const child of this.#children(pid)) queue.add(child);
    }
    return called;
  }

  /** Returns what it hangs below: an agent, or a tool call of one; null: neither. */
  #look(pid: number, agents: readonly ProcessRef[], nowMs: number, before?: Again): 'agent' | 'call' | null {
    const found = this.#rows.standing(pid);
    if (found === null || found.tty !== 0) return null;
    const agent = agents.find((one) => one.pid === found.ppid);
    const seen =
      agent === undefined ? (this.#inCall(found.ppid) ?? this.#inSession(found)) : this.#ofAgent(found, agent);
    if (seen === null) return null;
    const isTold = seen.call !== null && (seen.call.argv !== null || seen.call.isProgram);
    const forked = agent !== undefined && !isTold && this.#isForkOf(pid, agent);
    const sinceMs = before?.forked === forked ? before.sinceMs : nowMs;
    if ((forked || found.sid !== pid) && nowMs - sinceMs < (forked ? maxForkMs : againMs))
      this.#again.set(pid, { sinceMs, forked });
    if (seen.call?.pid === pid && found.sid === pid && this.#seen.get(pid)?.call?.pid !== pid)
      this.#calls = [...this.#calls, found];
    this.#note(found, seen);
    return agent === undefined ? 'call' : 'agent';
  }

  #isStill({ pid, startTicks }: ProcessRef): boolean {
    return this.#rows.standing(pid)?.startTicks === startTicks;
  }

  /** Its parent is asked for afterwards: then it was that process all along. */
  #ofAgent({ pid, sid, startTicks }: Standing, agent: ProcessRef): Seen | null {
    if (this.#older.get(refKey(agent))?.has(pid) !== false) return null;
    const known = this.#seen.get(pid);
    const shown = known?.startTicks === startTicks ? known.call : null;
    const argv = this.#commandOf(pid) ?? shown?.argv ?? null;
    const isProgram = argv === null && this.#argvOf(pid).length > 0 && !this.#isForkOf(pid, agent);
    if (!this.#isStill(agent)) return null;
    return { agent, call: sid === pid || argv !== null ? { pid, startTicks, sid, argv, isProgram } : null };
  }

  /** It has not begun a program of its own: its command line is still that of its agent. */
  #isForkOf(pid: number, agent: ProcessRef): boolean {
    const [own, above] = [this.#argvOf(pid), this.#argvOf(agent.pid)];
    return own.length > 0 && own.length === above.length && own.every((word, index) => word === above[index]);
  }

  /** The command line of a shell with a command; null: it is none, or can't be read. */
  #commandOf(pid: number): readonly string[] | null {
    const argv = this.#argvOf(pid);
    return plainCommandOf(argv) === null ? null : argv;
  }

  #argvOf(pid: number): readonly string[] {
    return argumentsOf(this.#reader.readText(`/proc/${pid}/cmdline`) ?? '', false);
  }

  /**
   * Of a child of what is in the kernel session of a call's shell, while that lives. What else
   * hangs below may be a program that was opened for the user.
   */
  #inCall(parent: number): Seen | null {
    const above = this.#seen.get(parent);
    const { call } = above ?? { call: null };
    if (above === undefined || call === null || !this.#isStill(call)) return null;
    const now = this.#rows.standing(parent);
    return now?.startTicks === above.startTicks && now.sid === call.sid ? above : null;
  }

  /** Of what is in a living call's kernel session, whatever its parent: sessions are inherited. */
  #inSession({ sid, startTicks }: Standing): Seen | null {
    const leader = this.#seen.get(sid);
    const isCall =
      leader?.call?.pid === sid && leader.call.sid === sid && leader.startTicks <= startTicks && this.#isStill(leader);
    return isCall ? leader : null;
  }

  #note({ pid, startTicks }: Standing, { agent, call }: Seen): void {
    this.#seen.delete(pid);
    this.#seen.set(pid, { pid, startTicks, agent, call });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > maxSeen && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** The children of all threads: each has those that it forked. proc_pid_task_tid_children(5) */
  #children(pid: number): readonly number[] {
    return threadsOf(pid).flatMap((thread) =>
      (this.#reader.readText(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
    );
  }
}
