import { join } from 'node:path';
import { z } from 'zod';
import { sessionIdFrom } from '../../app/agents/marker-value.ts';
import { programOf } from '../../app/agents/signatures.ts';
import type { AgentSession, KeptByAgent } from '../../app/jobs/session.ts';
import { asPid } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { identityOf } from '../../app/process/table.ts';
import type { AgentFiles } from './small-file.ts';
import { filesHere, parseJson, SmallFiles } from './small-file.ts';

/** `detached-shells/<shell>.lease.json` of Copilot CLI 1.0.102, as far as it is used. */
const leaseSchema = z.object({
  supervisor: z.object({
    pid: z.int().min(2).max(4_194_304),
    pgid: z.int().min(2).max(4_194_304),
    startTicks: z.int().min(0),
    bootId: z.string().max(64),
  }),
  state: z.string().max(64),
});

type Lease = z.infer<typeof leaseSchema>;

/** Copilot keeps a folder for every session it ever had. */
const mostSessions = 8192;
const mostLeases = 256;
/** Every so many looks all session folders are listed again; in between only those that were in use and, when there are new ones, all. */
const looksBetweenSweeps = 12;

/** What Copilot's own files say of its sessions. */
export interface CopilotReading {
  readonly sessions: readonly AgentSession[];
  readonly kept: readonly KeptByAgent[];
  readonly complete: boolean;
}

/**
 * Reads one `~/.copilot/session-state`: `<session>/inuse.<pid>.lock` while a session runs, and the leases of shells that it means to
 * outlive it (`detach`). A lease in state "keep", or with a `.keep` file beside it, is the agent's own word that its shell stays;
 * without, the agent's own watchdog ends the shell a minute after a crash (observed on 1.0.102).
 */
export class CopilotSessions {
  readonly #folders: AgentFiles;
  readonly #leases: SmallFiles<Lease>;
  #watched: readonly string[] = [];
  #count = -1;
  #looks = 0;

  constructor(uid: number, files: AgentFiles = filesHere) {
    this.#folders = files;
    this.#leases = new SmallFiles(uid, (text) => leaseSchema.safeParse(parseJson(text)).data ?? null, files);
  }

  /** One look. */
  read(folder: string, table: ProcessTable): CopilotReading {
    const root = join(folder, 'session-state');
    const names = this.#folders.names(root, mostSessions);
    if (names.state !== 'read') return { sessions: [], kept: [], complete: false };
    const all = names.value.filter((name) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(name));
    const sweep = all.length !== this.#count || this.#looks % looksBetweenSweeps === 0;
    const asked = sweep ? all : this.#watched;
    this.#count = all.length;
    this.#looks += 1;
    const sessions: AgentSession[] = [];
    const kept: KeptByAgent[] = [];
    const inUse: string[] = [];
    let complete = true;
    for (const name of asked) {
      const path = join(root, name);
      const files = this.#folders.names(path, 4096);
      if (files.state === 'unreadable') complete = false;
      if (files.state !== 'read') continue;
      const locks = files.value.filter((file) => /^inuse\.[1-9]\d{0,6}\.lock$/.test(file));
      const leases = files.value.includes('detached-shells') ? this.#keptIn(join(path, 'detached-shells'), table) : [];
      kept.push(...leases);
      if (locks.length > 0 || files.value.includes('detached-shells')) inUse.push(name);
      for (const lock of locks) sessions.push(this.#session(name, Number(lock.split('.')[1]), join(path, lock), table));
    }
    this.#watched = inUse;
    return { sessions, kept, complete };
  }

  /** The lock names a pid without its start, so only a living process of Copilot under that pid counts as the session. */
  #session(name: string, pidNumber: number, source: string, table: ProcessTable): AgentSession {
    const pid = asPid(pidNumber);
    const row = table.rows.get(pid);
    const isCopilot = row !== undefined && !hasEnded(row) && programOf(row) === 'copilot';
    const state = isCopilot ? 'live' : table.complete ? 'gone' : 'unknown';
    return {
      agent: 'copilot',
      id: sessionIdFrom(name),
      process: isCopilot ? identityOf(table, row) : null,
      pid,
      state,
      project: null,
      source,
    };
  }

  #keptIn(folder: string, table: ProcessTable): readonly KeptByAgent[] {
    const names = this.#folders.names(folder, mostLeases * 8);
    if (names.state !== 'read') return [];
    const kept: KeptByAgent[] = [];
    for (const name of names.value.filter((file) => file.endsWith('.lease.json')).slice(0, mostLeases)) {
      const lease = this.#leases.read(join(folder, name), table.takenAtMs);
      if (lease.state !== 'read') continue;
      const { supervisor, state } = lease.value;
      const shell = name.slice(0, -'.lease.json'.length);
      if (state !== 'keep' && !names.value.includes(`${shell}.keep`)) continue;
      if (!table.bootId.includes(supervisor.bootId)) continue;
      kept.push({
        agent: 'copilot',
        pid: asPid(supervisor.pid),
        pgid: supervisor.pgid,
        startTicks: supervisor.startTicks,
        evidence: `Copilot keeps its detached shell ${shell} (${join(folder, name)})`,
      });
    }
    return kept;
  }
}
