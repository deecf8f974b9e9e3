import { parseJson } from '../../../app/format/json.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import type { AgentSessionId } from '../../../app/agents/common/agent-id.ts';
import { sessionIdFrom } from '../../../app/agents/common/marker-value.ts';
import { programOf } from '../../../app/agents/signatures.ts';
import type { AgentSession, KeptByAgent, UnclearEntry } from '../../../app/model/session.ts';
import { type Pid, asPid } from '../../../app/process/identity.ts';
import type { NamedInside } from '../../../app/process/named-inside.ts';
import { hasEnded } from '../../../app/process/row.ts';
import { type ProcessTable, identityOf } from '../../../app/process/table.ts';
import { type AgentFiles, filesHere, SmallFiles } from '../../os/files/small-file.ts';

/** `detached-shells/<shell>.lease.json` of Copilot CLI 1.0.102, as far as it is used. */
const leaseSchema = once(() =>
  z.object({
    supervisor: z.object({
      pid: z.int().min(2).max(4_194_304),
      pgid: z.int().min(2).max(4_194_304).optional(),
      startTicks: z.int().min(0).optional(),
      bootId: z.string().max(64).optional(),
    }),
    state: z.string().max(64),
  }),
);

type Lease = z.infer<ReturnType<typeof leaseSchema>>;

/** Copilot keeps a folder for every session it ever had. */
const maxSessions = 8192;
const maxLeases = 256;
/** Looks between full listings of session folders; else those in use, or all if some are new. */
const looksBetweenSweeps = 12;

export interface CopilotReading {
  readonly sessions: readonly AgentSession[];
  readonly kept: readonly KeptByAgent[];
  readonly complete: boolean;
  /** What is there and could not be read or understood. */
  readonly unclear: readonly UnclearEntry[];
}

interface Leases {
  readonly kept: readonly KeptByAgent[];
  /** One that can't be read may say that its shell stays. */
  readonly areRead: boolean;
}

const noLeases: Leases = { kept: [], areRead: true };

const lockForm = /^inuse\.[1-9]\d{0,6}\.lock$/;

/**
 * True where a file says that the session is in use, and not by which process: a lock in a form
 * that isn't known. Beside a lock that is understood it contradicts nothing, unless it names
 * another living process (1.0.102 keeps an empty `inuse.<pid>.hold` there, observed).
 */
const isUnclear = (names: readonly string[], locks: readonly string[], { rows }: ProcessTable): boolean => {
  const pids = new Set(locks.flatMap((name) => name.match(/\d+/g) ?? []));
  const strange = names.filter((name) => name.startsWith('inuse') && !locks.includes(name));
  if (locks.length === 0) return strange.length > 0;
  return strange.some((name) =>
    (name.match(/\d+/g) ?? []).some((text) => {
      const row = rows.get(asPid(Number(text)));
      return !pids.has(text) && row !== undefined && !hasEnded(row);
    }),
  );
};

/**
 * Reads one `~/.copilot/session-state`: `<session>/inuse.<pid>.lock` while a session runs, and the
 * leases of shells that it means to outlive it (`detach`). A lease in state "keep", or with a
 * `.keep` file beside it, is the agent's own word that its shell stays; without, the agent's own
 * watchdog ends the shell a minute after a crash (observed on 1.0.102).
 */
export class CopilotSessions {
  readonly #folders: AgentFiles;
  readonly #leases: SmallFiles<Lease>;
  #watched: readonly string[] = [];
  #count = -1;
  #looks = 0;

  constructor(uid: number, files: AgentFiles = filesHere) {
    this.#folders = files;
    this.#leases = new SmallFiles(uid, (text) => leaseSchema().safeParse(parseJson(text)).data ?? null, files);
  }

  /**
   * One look.
   * @param named sessions that are looked at in any case; one of them that is not in use has ended
   */
  read(
    folder: string,
    table: ProcessTable,
    named: readonly AgentSessionId[] = [],
    namedInside: NamedInside = () => null,
  ): CopilotReading {
    const root = join(folder, 'session-state');
    const names = this.#folders.names(root, maxSessions);
    if (names.state !== 'read') {
      const unclear: readonly UnclearEntry[] =
        names.state === 'absent' ? [] : [{ agent: 'copilot', session: null, source: root }];
      return { sessions: [], kept: [], complete: false, unclear };
    }
    const all = names.value.filter((name) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(name));
    const sweep = all.length !== this.#count || this.#looks % looksBetweenSweeps === 0;
    const wanted = new Set<string>(named);
    const asked = sweep ? all : [...new Set([...this.#watched, ...all.filter((name) => wanted.has(name))])];
    this.#count = all.length;
    this.#looks += 1;
    const sessions: AgentSession[] = [];
    const kept: KeptByAgent[] = [];
    const inUse: string[] = [];
    const unclear: UnclearEntry[] = [];
    for (const name of asked) {
      const path = join(root, name);
      const files = this.#folders.names(path, 4096);
      const id = sessionIdFrom(name);
      if (files.state === 'unreadable') unclear.push({ agent: 'copilot', session: id, source: path });
      if (files.state !== 'read') continue;
      const locks = files.value.filter((file) => lockForm.test(file));
      if (isUnclear(files.value, locks, table)) unclear.push({ agent: 'copilot', session: id, source: path });
      else if (locks.length === 0 && id !== null && wanted.has(name))
        sessions.push({ agent: 'copilot', id, process: null, pid: null, state: 'gone', project: null, source: path });
      const shells = join(path, 'detached-shells');
      const leases = files.value.includes('detached-shells') ? this.#keptIn(shells, table) : noLeases;
      kept.push(...leases.kept);
      if (!leases.areRead) unclear.push({ agent: 'copilot', session: id, source: shells });
      if (locks.length > 0 || files.value.includes('detached-shells')) inUse.push(name);
      for (const lock of locks) {
        const pid = asPid(Number(lock.split('.')[1]));
        sessions.push(this.#session(name, pid, join(path, lock), table, namedInside));
      }
    }
    this.#watched = inUse;
    return { sessions, kept, complete: unclear.length === 0, unclear };
  }

  /**
   * The lock names a pid without its start, so only a living process of Copilot under that pid
   * counts as the session. Another one may be a program that contains Copilot (an editor with its
   * SDK); and the pid may be of another pid namespace.
   */
  #session(name: string, pid: Pid, source: string, table: ProcessTable, namedInside: NamedInside): AgentSession {
    const row = table.rows.get(pid);
    const lives = row !== undefined && !hasEnded(row);
    const isCopilot = lives && programOf(row) === 'copilot';
    const hasGone = !lives && (row !== undefined || table.complete) && namedInside(pid) === null;
    const state = isCopilot ? 'live' : hasGone ? 'gone' : 'unknown';
    return {
      agent: 'copilot',
      id: sessionIdFrom(name),
      process: isCopilot ? identityOf(table, row) : null,
      pid,
      state,
      project: null,
      source,
      claimant: true,
    };
  }

  #keptIn(folder: string, table: ProcessTable): Leases {
    const names = this.#folders.names(folder, maxLeases * 8);
    if (names.state !== 'read') return { kept: [], areRead: names.state === 'absent' };
    const kept: KeptByAgent[] = [];
    const files = names.value.filter((file) => file.endsWith('.lease.json'));
    let areRead = files.length <= maxLeases;
    for (const name of files.slice(0, maxLeases)) {
      const lease = this.#leases.read(join(folder, name), table.takenAtMs);
      if (lease.state === 'unreadable') areRead = false;
      if (lease.state !== 'read') continue;
      const { supervisor, state } = lease.value;
      const shell = name.slice(0, -'.lease.json'.length);
      if (state !== 'keep' && !names.value.includes(`${shell}.keep`)) continue;
      const { pid, pgid, startTicks, bootId } = supervisor;
      const path = join(folder, name);
      const keeper = 'Copilot';
      const evidence = `${keeper} keeps its detached shell ${shell} (${path})`;
      const told = { agent: 'copilot', pid: asPid(pid), evidence, shell: { keeper, name: shell, path } } as const;
      const isComplete = pgid !== undefined && startTicks !== undefined && bootId !== undefined;
      if (isComplete) {
        // Of an earlier boot it keeps nothing.
        if (!table.bootId.includes(bootId)) continue;
        kept.push({ ...told, pgid, startTicks });
      }
      // How it names boots and starts on Windows was not seen: there the pid alone keeps.
      else if (table.bootId.startsWith('windows-')) kept.push({ ...told, pgid: null, startTicks: null });
      else areRead = false;
    }
    return { kept, areRead };
  }
}
