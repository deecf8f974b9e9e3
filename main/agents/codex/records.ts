import { join } from 'node:path';
import type { AgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { couldBeAgent } from '../../../app/agents/contained-in.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { Probing } from '../../os/processes/probing.ts';
import type { AgentFiles } from '../../os/files/small-file.ts';

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
