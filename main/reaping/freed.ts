import { safeName } from '../../app/format/secrets/safe-view.ts';
import { say } from '../../app/text/say.ts';
import type { Freed, RecordedProcess, SignalRecord } from '../../app/history/incident.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import type { IdentityKey } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { redactArguments, redactCommand } from '../../app/format/secrets/redact.ts';

/** A process as the record keeps it, secrets redacted. */
export const recordedProcess = (row: ProcessRow): RecordedProcess => ({
  pid: row.pid,
  ppid: row.ppid,
  startTicks: row.startTicks,
  args: row.argv.length === 0 ? redactCommand(`[${row.comm}]`) : redactArguments(row.argv),
  rssBytes: row.rssBytes,
});

/** What the record says of a job that ended by another hand. */
export const beforeUsText = say('All of it had ended before the first signal reached it.');

/**
 * Whether each signal came too late for its process: another Curfew has ended the job meanwhile,
 * the user, or its own exit. Of a hundred calls at once some said that they had ended, and freed,
 * what others had. What is not known to have come too late did not.
 */
export const cameTooLate = (signals: readonly SignalRecord[]): boolean =>
  signals.length > 0 && signals.every(({ result }) => result === 'gone');

/** Whether a signal reached a process of the job. */
export const wasHeard = (signals: readonly SignalRecord[]): boolean => signals.some(({ result }) => result === 'sent');

interface Held {
  readonly row: ProcessRow;
  readonly ports: readonly number[];
  readonly locks: readonly string[];
}

export interface HeldMember {
  readonly key: IdentityKey;
  readonly row: ProcessRow;
  readonly facts: MemberFacts | undefined;
}

/** Memory of each process of one look, bytes. */
type Moment = ReadonlyMap<IdentityKey, number>;

/** Reads the proportional share of memory (PSS) of processes, bytes, where it can be read. */
export type ReadShares = (pids: readonly number[]) => ReadonlyMap<number, { readonly pssBytes: number }>;

const bytesOf = (moment: Moment): number => [...moment.values()].reduce((sum, bytes) => sum + bytes, 0);

/**
 * Processes of one reaping whose share is read: reading takes up to 29 ms each and holds up the
 * end. Of others resident memory counts in full.
 */
const maxShares = 64;

/**
 * Keeps account of what the processes of a reaping held while they lived, and says what became free
 * through those confirmed dead. Processes and memory count as they were at one look, the one with
 * the most: a loop of two processes had ten in a second, and never held the memory of ten. What
 * several share counts once: eight forks of a process with 200 MB were said to free 1.9 GB. A port
 * or a lock is free only when every process that held it is dead.
 */
export class FreedAccount {
  readonly #readShares: ReadShares;
  readonly #held = new Map<IdentityKey, Held>();
  /** What part of its resident memory is a process's own, 0 to 1. */
  readonly #parts = new Map<IdentityKey, number>();
  #mostProcesses: Moment = new Map();
  #mostBytes: Moment = new Map();

  constructor(readShares: ReadShares = () => new Map()) {
    this.#readShares = readShares;
  }

  /** Notes what the members that are held hold at one look; called until they are dead. */
  note(members: readonly HeldMember[]): void {
    this.#noteParts(members);
    for (const { key, row, facts } of members) {
      const before = this.#held.get(key);
      this.#held.set(key, {
        // Memory goes down while a process ends; what counts is what it held when it was asked to.
        row: before !== undefined && before.row.rssBytes > row.rssBytes ? before.row : row,
        ports: facts?.ports ?? before?.ports ?? [],
        locks: facts?.locks ?? before?.locks ?? [],
      });
    }
    const moment: Moment = new Map(
      members.map(({ key, row }) => [key, Math.round(row.rssBytes * (this.#parts.get(key) ?? 1))]),
    );
    if (moment.size > this.#mostProcesses.size) this.#mostProcesses = moment;
    if (bytesOf(moment) > bytesOf(this.#mostBytes)) this.#mostBytes = moment;
  }

  /** Read once for each, before it is asked to end; one alone shares with no other of its job. */
  #noteParts(members: readonly HeldMember[]): void {
    const fresh = members.length < 2 ? [] : members.filter(({ key }) => !this.#parts.has(key));
    if (fresh.length === 0) return;
    const shares = this.#sharesOf(fresh.slice(0, Math.max(0, maxShares - this.#parts.size)));
    for (const { key, row } of fresh) {
      const share = shares.get(row.pid)?.pssBytes;
      this.#parts.set(key, share === undefined || row.rssBytes === 0 ? 1 : Math.min(1, share / row.rssBytes));
    }
  }

  /** A table that can't be read is said by the next look: an account must not hold up an end. */
  #sharesOf(fresh: readonly HeldMember[]): ReturnType<ReadShares> {
    try {
      return this.#readShares(fresh.map(({ row }) => row.pid));
    } catch {
      return new Map();
    }
  }

  processes(keep: (key: IdentityKey) => boolean): readonly ProcessRow[] {
    return [...this.#held].filter(([key]) => keep(key)).map(([, held]) => held.row);
  }

  /**
   * What the dead held and none of the living holds.
   * @param portsInUse reads the ports that any process listens on now, null where that is not told:
   *   a child that was started with CURFEW_KEEP=1 a moment ago, and is no member of the job, kept
   *   the listening socket of a server whose port was reported as free
   */
  freedBy(isDead: (key: IdentityKey) => boolean, portsInUse: () => ReadonlySet<number> | null = () => null): Freed {
    const dead = [...this.#held].filter(([key]) => isDead(key)).map(([, held]) => held);
    const living = [...this.#held].filter(([key]) => !isDead(key)).map(([, held]) => held);
    const free = <Value>(of: (held: Held) => readonly Value[]): readonly Value[] => {
      const stillHeld = new Set(living.flatMap(of));
      return [...new Set(dead.flatMap(of))].filter((value) => !stillHeld.has(value));
    };
    const deadAt = (moment: Moment): Moment => new Map([...moment].filter(([key]) => isDead(key)));
    const processes = deadAt(this.#mostProcesses).size;
    return {
      processes,
      rssBytes: bytesOf(deadAt(this.#mostBytes)),
      cameAndWent: dead.length - processes,
      ports: this.#freePorts(
        free((held) => held.ports),
        portsInUse,
      ),
      locks: free((held) => held.locks)
        .toSorted()
        .map(safeName),
    };
  }

  /** Asked only for a job that held ports: at 500 jobs asking always took a third of their ends. */
  #freePorts(ports: readonly number[], portsInUse: () => ReadonlySet<number> | null): readonly number[] {
    if (ports.length === 0) return [];
    const inUse = portsInUse();
    return ports.filter((port) => inUse?.has(port) !== true).toSorted((left, right) => left - right);
  }
}
