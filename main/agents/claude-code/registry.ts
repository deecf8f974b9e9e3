import { parseJson } from '../../../app/format/json.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { sessionIdFrom } from '../../../app/agents/common/marker-value.ts';
import { isAbsolutePath, plainPath } from '../../../app/paths/path.ts';
import type { AgentSession, SessionStatus, UnclearEntry } from '../../../app/model/session.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { NamedInside } from '../../../app/process/named-inside.ts';
import { type ProcessTable, identityOf } from '../../../app/process/table.ts';
import { type AgentFiles, filesHere, SmallFiles } from '../../os/files/small-file.ts';
import type { RegistryReading } from '../common/session-registry.ts';
import { findRecorded, isWindowsStart, tickForm } from './recorded-process.ts';

/** What is used of `~/.claude/sessions/<pid>.json` (2.1.197, 2.1.329; undocumented, may change). */
const entrySchema = once(() =>
  z.object({
    pid: z.int().min(2).max(4_194_304),
    sessionId: z.string().min(1).max(128),
    cwd: z.string().max(4096).optional(),
    procStart: z.string().max(64).optional(),
    // Windows only: one of the two.
    procStartFt: z.string().max(64).optional(),
    pidDomain: z.string().max(512).optional(),
    // Set while the session is used from elsewhere (remote control).
    bridgeSessionId: z.unknown().optional(),
    status: z.string().max(64).optional().catch(undefined),
    statusUpdatedAt: z.number().optional().catch(undefined),
  }),
);

type Entry = z.infer<ReturnType<typeof entrySchema>>;

/** Its words for its state (2.1.330, observed; `shell`: only a background command runs). */
const statuses: ReadonlyMap<string, SessionStatus> = new Map([
  ['idle', 'idle'],
  ['busy', 'busy'],
  ['waiting', 'answer'],
  ['shell', 'command'],
]);

/** No user has more living and stale sessions than that in one folder. */
const maxEntries = 4096;

/** Complete: the folder exists, and every entry in it could be read and understood. */
type EntriesReading = Pick<RegistryReading, 'sessions' | 'complete' | 'unclear'>;

/** Reads Claude Code's session registry, never its key files (`<pid>.<hash>.key`): secrets. */
export class ClaudeRegistry {
  readonly #folders: AgentFiles;
  readonly #files: SmallFiles<Entry>;
  readonly #domain: string | null;

  /** `domain` as `pidDomainOf` gives it. */
  constructor(uid: number, domain: string | null, files: AgentFiles = filesHere) {
    this.#folders = files;
    this.#domain = domain;
    this.#files = new SmallFiles(uid, (text) => entrySchema().safeParse(parseJson(text)).data ?? null, files);
  }

  /** Looks once at the `sessions` folders of all given configuration folders. */
  read(
    configurationFolders: readonly string[],
    table: ProcessTable,
    namedInside: NamedInside = () => null,
  ): EntriesReading {
    const sessions: AgentSession[] = [];
    const unclear: UnclearEntry[] = [];
    const paths = new Set<string>();
    let exists = false;
    for (const configuration of configurationFolders) {
      const folder = join(configuration, 'sessions');
      const names = this.#folders.names(folder, maxEntries);
      if (names.state === 'absent') continue;
      exists = true;
      if (names.state !== 'read') {
        unclear.push({ agent: 'claude-code', session: null, source: folder });
        continue;
      }
      for (const name of names.value) {
        if (!/^\d{1,7}\.json$/.test(name)) continue;
        const path = join(folder, name);
        paths.add(path);
        const file = this.#files.read(path, table.takenAtMs);
        // Removed between the listing and the reading: its session has just ended in good order.
        if (file.state === 'absent') continue;
        const session =
          file.state === 'read' && `${file.value.pid}.json` === name
            ? this.#session(path, file.value, table, namedInside)
            : null;
        if (session === null) unclear.push({ agent: 'claude-code', session: null, source: path });
        else sessions.push(session);
      }
    }
    this.#files.keepOnly(paths);
    return { sessions, complete: exists && unclear.length === 0, unclear };
  }

  #session(source: string, entry: Entry, table: ProcessTable, namedInside: NamedInside): AgentSession | null {
    const id = sessionIdFrom(entry.sessionId);
    if (id === null) return null;
    const common = {
      agent: 'claude-code',
      id,
      project: entry.cwd !== undefined && isAbsolutePath(entry.cwd) ? plainPath(entry.cwd) : null,
      source,
      ...(entry.bridgeSessionId == null ? {} : { remote: true as const }),
      ...(entry.status === undefined ? {} : { status: statuses.get(entry.status) ?? ('other' as const) }),
      ...(entry.statusUpdatedAt === undefined ? {} : { statusAtMs: entry.statusUpdatedAt }),
    } as const;
    // Another machine's or container's pids mean nothing here.
    if (entry.pidDomain !== undefined && entry.pidDomain !== this.#domain)
      return { ...common, process: null, pid: null, state: 'unknown' };
    const start = entry.procStartFt ?? entry.procStart ?? null;
    // Without a domain it may be of WSL, which counts starts in another way.
    if (entry.pidDomain === undefined && this.#domain?.startsWith('win32:') === true && !isWindowsStart(start))
      return { ...common, process: null, pid: null, state: 'unknown' };
    const pid = asPid(entry.pid);
    const found = findRecorded(table, pid, start);
    // Without a domain the pid may be of a sandbox that shares the home folder.
    const begun =
      start === null || !tickForm.test(start) ? undefined : ({ ticks: Number(start), byItself: true } as const);
    if (found.state === 'gone' && entry.pidDomain === undefined && namedInside(pid, begun) !== null)
      return { ...common, process: null, pid: null, state: 'unknown' };
    return {
      ...common,
      process: found.state === 'live' ? identityOf(table, found.row) : null,
      pid,
      state: found.state,
      ...(start === null ? { claimant: true as const } : {}),
    };
  }
}
