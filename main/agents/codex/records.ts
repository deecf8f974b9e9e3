import { join } from 'node:path';
import type { AgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import { type ProcessTable, identityOf } from '../../../app/process/table.ts';
import { couldBeAgent } from '../../../app/agents/contained-in.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { Probing } from '../../os/processes/probing.ts';
import type { AgentFiles } from '../../os/files/small-file.ts';
import { plainPath } from '../../../app/paths/path.ts';
import { sessionIdFrom } from '../../../app/agents/common/marker-value.ts';
import type { OpenFile } from '../../../app/process/facts.ts';

/** `~/.codex/sessions/2026/11/21/rollout-2026-11-21T03-52-13-<session>.jsonl`, or CODEX_HOME's. */
const rollout = /\/sessions\/\d{4}\/\d{2}\/\d{2}\/rollout-[^/]*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/**
 * Sessions of Codex that live, by the transcripts its processes hold open (observed on 0.169; the
 * id in the name is what commands get as CODEX_SESSION_ID). Codex keeps no registry: a session
 * without an open transcript is not known to be gone.
 */
export const codexSessions = (
  table: ProcessTable,
  holders: readonly { readonly row: ProcessRow; readonly files: readonly OpenFile[] }[],
): readonly AgentSession[] =>
  holders.flatMap(({ row, files }) => {
    const ids = new Map<string, string>();
    for (const file of files) {
      const id = rollout.exec(plainPath(file.target))?.[1];
      if (id !== undefined) ids.set(id, file.target);
    }
    return [...ids].map(([id, source]): AgentSession => ({
      agent: 'codex',
      id: sessionIdFrom(id),
      process: identityOf(table, row),
      pid: row.pid,
      state: 'live',
      project: null,
      source,
    }));
  });

/** Returns the path of a session's transcript, by which it is known; null for another source. */
export const codexTranscript = ({ source }: Pick<AgentSession, 'source'>): string | null =>
  rollout.test(plainPath(source)) ? source : null;

/** One folder a day; older sessions than a year's are not looked for. */
const maxDays = 400;
const maxNames = 8192;
/** A transcript that was not found is looked for again after this many looks. */
const looksBetweenSearches = 12;

/** True for a process that the user started, also as another user. */
const isOfUser = (table: ProcessTable, row: ProcessRow): boolean => {
  const seen = new Set<number>();
  for (let one: ProcessRow | undefined = row; one !== undefined && !seen.has(one.pid); one = table.rows.get(one.ppid)) {
    if (one.uid === table.uid) return true;
    seen.add(one.pid);
  }
  return false;
};

/**
 * True for a process that could have a transcript open: of another user (`sudo -E`) what this one
 * started, what has a terminal, and what could be Codex by its name. One of these that can't be
 * looked into leaves it unknown. A first thread that has ended says nothing of the others.
 */
const couldHold = (table: ProcessTable, row: ProcessRow): boolean =>
  !row.kernelThread && (table.uid === 0 || isOfUser(table, row) || row.tty !== 0 || couldBeAgent('codex', row));

/**
 * Finds the transcripts of sessions of Codex that processes name, and whether a living process has
 * them open. Codex (0.169, observed) keeps the transcript of a session open as long as that lives,
 * under whatever name it runs: so one that no process has open says that its session has ended.
 */
export class CodexRecords {
  readonly #files: AgentFiles;
  readonly #paths = new Map<AgentSessionId, string>();
  readonly #missing = new Map<AgentSessionId, number>();
  #looks = 0;

  constructor(files: AgentFiles) {
    this.#files = files;
  }

  /**
   * What the transcripts say of these sessions. Without an entry: no transcript was found, which
   * proves nothing.
   * @param sessions named by processes, and not known to live
   */
  read(
    folders: readonly string[],
    sessions: readonly AgentSessionId[],
    table: ProcessTable,
    probing: Probing | undefined,
  ): readonly AgentSession[] {
    this.#looks += 1;
    const wanted = new Set(sessions);
    for (const id of this.#paths.keys()) if (!wanted.has(id)) this.#paths.delete(id);
    for (const id of this.#missing.keys()) if (!wanted.has(id)) this.#missing.delete(id);
    const found = sessions.flatMap((id) => {
      const path = this.#pathOf(folders, id);
      return path === null ? [] : [{ id, path }];
    });
    if (found.length === 0 || probing === undefined) return [];
    const pids = [...table.rows.values()].flatMap((row) => (couldHold(table, row) ? [row.pid] : []));
    const held = probing.holders(pids, new Set(found.map(({ path }) => path)));
    return found.map(({ id, path }): AgentSession => {
      const holders = held.get(path);
      const isFree = holders?.complete === true && holders.holders.length === 0 && table.complete;
      const state = isFree ? 'gone' : 'unknown';
      return { agent: 'codex', id, process: null, pid: null, state, project: null, source: path };
    });
  }

  #pathOf(folders: readonly string[], id: AgentSessionId): string | null {
    const known = this.#paths.get(id);
    if (known !== undefined) return known;
    const missedAt = this.#missing.get(id);
    if (missedAt !== undefined && this.#looks - missedAt < looksBetweenSearches) return null;
    for (const folder of folders) {
      const path = this.#search(join(folder, 'sessions'), id);
      if (path === null) continue;
      this.#paths.set(id, path);
      return path;
    }
    this.#missing.set(id, this.#looks);
    return null;
  }

  #search(root: string, id: AgentSessionId): string | null {
    let days = 0;
    for (const year of this.#numbered(root, /^\d{4}$/))
      for (const month of this.#numbered(year, /^\d{2}$/))
        for (const day of this.#numbered(month, /^\d{2}$/)) {
          if (++days > maxDays) return null;
          const names = this.#files.names(day, maxNames);
          const name =
            names.state === 'read'
              ? names.value.find((one) => one.startsWith('rollout-') && one.endsWith(`-${id}.jsonl`))
              : undefined;
          if (name !== undefined) return join(day, name);
        }
    return null;
  }

  /** Folders named by a number, the latest first. */
  #numbered(folder: string, pattern: RegExp): readonly string[] {
    const names = this.#files.names(folder, maxNames);
    if (names.state !== 'read') return [];
    return names.value
      .filter((name) => pattern.test(name))
      .toSorted()
      .toReversed()
      .map((name) => join(folder, name));
  }
}
