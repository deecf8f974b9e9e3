import type { TakenAlong } from '../../../../app/process/taken-along.ts';
import { pidNamespaceOf } from '../proc/boot.ts';
import { livingThreadOf, threadsOf } from '../proc/living-thread.ts';
import { listPids } from '../proc/pid-cursor.ts';
import { type ProcReader, statusField } from '../proc/proc-reader.ts';

/** Milliseconds for which a reading holds: it is asked before each signal. */
const goodForMs = 1_000;
/** The same for what is only shown: this reading was a quarter of the cost of a look. */
const shownForMs = 90_000;
/** Further threads that are asked for their tracer in one reading: about 60 ms. */
const maxThreads = 4_000;

export interface Company {
  readonly pid: number;
  readonly ppid: number;
  /** Its pids in the namespaces below ours, outer ones first. */
  readonly inner: readonly number[];
  readonly tracers: readonly number[];
  /** Its pid namespace; null: not told. */
  readonly namespace: string | null;
}

/**
 * Finds what the kernel ends together with a process: with the first process of a pid namespace all
 * that is in it, or below (pid_namespaces(7)); with a tracer what it holds, where it asked for that
 * (PTRACE_O_EXITKILL of ptrace(2), which the kernel does not tell).
 * @param all every living process
 */
export const takenAlongIn = (all: readonly Company[]): TakenAlong => {
  const held = all.flatMap(({ pid, tracers }) => tracers.map((tracer) => ({ pid, tracer })));
  const traced = [...Map.groupBy(held, ({ tracer }) => tracer)].map(
    ([tracer, own]) => [tracer, own.map(({ pid }) => pid)] as const,
  );
  return {
    traced: new Map(traced),
    inside: insideOf(
      all.filter(({ inner }) => inner.length > 0),
      new Map(all.map((one) => [one.pid, one])),
    ),
    parents: new Map(all.map(({ pid, ppid }) => [pid, ppid])),
  };
};

/** By the first process of each namespace below ours, what is in it or further inside. */
const insideOf = (nested: readonly Company[], byPid: ReadonlyMap<number, Company>): TakenAlong['inside'] => {
  const firsts = nested.filter(({ inner }) => inner.at(-1) === 1);
  /** The nearest first process of a namespace so deep: it, or one above or beside it. */
  const firstAbove = (one: Company, depth: number): number | null => {
    const seen = new Set<number>();
    for (let at: Company | undefined = one; at !== undefined && !seen.has(at.pid); at = byPid.get(at.ppid)) {
      const { pid, inner } = at;
      seen.add(pid);
      if (inner.length === depth && inner.at(-1) === 1) return pid;
      // The engine of a container has begun it, and whatever enters it.
      if (inner.length < depth)
        return firsts.find((first) => first.ppid === pid && first.inner.length === depth)?.pid ?? null;
    }
    return null;
  };
  const isIn = (one: Company, { pid, inner, namespace }: Company): boolean => {
    if (one.inner.length < inner.length) return false;
    if (one.inner.length === inner.length && one.namespace !== null && namespace !== null)
      return one.namespace === namespace;
    // Further inside, or not told: it may be, unless another first process is above it.
    return (firstAbove(one, inner.length) ?? pid) === pid;
  };
  return new Map(
    firsts.map((first) => [first.pid, nested.filter((one) => one !== first && isIn(one, first)).map(({ pid }) => pid)]),
  );
};

const fieldIn = (status: string, name: string): string => statusField(status, name) ?? '';

const namespaceOf = (pid: number): string | null => {
  const thread = livingThreadOf(pid)?.split('/').at(-1);
  return pidNamespaceOf(pid) ?? (thread === undefined ? null : pidNamespaceOf(Number(thread)));
};

export class TakenAlongReader {
  readonly #reader: Pick<ProcReader, 'readText'>;
  readonly #now: () => number;
  #known: { readonly atMs: number; readonly found: TakenAlong } | null = null;

  constructor(reader: Pick<ProcReader, 'readText'>, now = () => performance.now()) {
    this.#reader = reader;
    this.#now = now;
  }

  /**
   * Returns what ends with which process, at most a second old.
   * @param shown the process of which it is only shown: up to 90 s old, where it lived by then
   * @throws ProcessTableUnreadable
   */
  read({ shown }: { readonly shown?: number } = {}): TakenAlong {
    const nowMs = this.#now();
    if (this.#known !== null) {
      const { atMs, found } = this.#known;
      const isShown = shown !== undefined && found.parents.has(shown);
      if (nowMs - atMs < (isShown ? shownForMs : goodForMs)) return found;
    }
    const found = takenAlongIn(this.#all());
    this.#known = { atMs: nowMs, found };
    return found;
  }

  #all(): readonly Company[] {
    let threads = 0;
    const all: Company[] = [];
    for (const pid of listPids()) {
      const text = this.#status(`/proc/${pid}`);
      // What has ended is taken along by none; of a first thread that has ended the others go on.
      if (text === null || (/^[ZX]/u.test(fieldIn(text, 'State')) && livingThreadOf(pid) === null)) continue;
      const count = Number(fieldIn(text, 'Threads'));
      threads += count;
      const others = count > 1 && threads <= maxThreads ? threadsOf(pid) : [];
      const tracers = [text, ...others.map((id) => this.#status(`/proc/${pid}/task/${id}`))].flatMap((one) =>
        this.#tracerIn(one ?? ''),
      );
      const inner = fieldIn(text, 'NSpid').split(/\s+/u).slice(1).map(Number);
      const namespace = inner.length === 0 ? null : namespaceOf(pid);
      all.push({ pid, ppid: Number(fieldIn(text, 'PPid')), inner, tracers: [...new Set(tracers)], namespace });
    }
    return all;
  }

  #status(folder: string): string | null {
    return this.#reader.readText(`${folder}/status`);
  }

  /** A debugger may trace from any of its threads, which is what the kernel names. */
  #tracerIn(status: string): readonly number[] {
    const thread = Number(fieldIn(status, 'TracerPid'));
    if (!(thread > 0)) return [];
    const process = Number(fieldIn(this.#status(`/proc/${thread}`) ?? '', 'Tgid'));
    return [process > 0 ? process : thread];
  }
}
