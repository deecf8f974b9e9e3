import { parseJson } from '../../../app/format/json.ts';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { sessionIdFrom } from '../../../app/agents/common/marker-value.ts';
import type { Adoption, KeptByAgent, UnclearEntry } from '../../../app/model/session.ts';
import type { OpenFile } from '../../../app/process/facts.ts';
import { knownBy } from '../../../app/model/owner-sign.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { type ProcessTable, identityOf } from '../../../app/process/table.ts';
import { type AgentFiles, filesHere, SmallFiles } from '../../os/files/small-file.ts';
import { findRecorded, windowsStart } from './recorded-process.ts';

const pidSchema = once(() => z.int().min(2).max(4_194_304));

const workerSchema = once(() =>
  z.object({
    replPid: pidSchema().optional(),
    replProcStart: z.string().max(64).optional(),
    sessionId: z.string().max(128).optional(),
    dispatch: z
      .object({
        launch: z
          .object({ sessionId: z.string().max(4096).optional() })
          .optional()
          .catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
);

/** `daemon/roster.json`: background sessions, and the transcript each goes on with. */
const rosterSchema = once(() => z.object({ workers: z.record(z.string(), workerSchema().nullable().catch(null)) }));

/** `jobs/<short>/adopt.json`: shells handed from session to session; gone once taken. */
const handoverSchema = once(() =>
  z.object({
    writtenAtMs: z.number().optional(),
    shells: z
      .array(
        z.object({ pid: pidSchema(), startTimeTicks: z.int().optional(), procStart: z.string().max(64).optional() }),
      )
      .max(1024)
      .catch([]),
  }),
);

type Roster = z.infer<ReturnType<typeof rosterSchema>>;
type Handover = z.infer<ReturnType<typeof handoverSchema>>;

/** A handover takes moments. A file that was left lying by a crash protects nothing for ever. */
const handoverMs = 10 * 60_000;
const maxJobs = 1024;

/**
 * `<base>/claude-<uid>/<project>/<session>/tasks`: held open by the session that started or took
 * over the tasks in it (observed on 2.1.329).
 */
const tasksFolder = /\/claude-\d+\/[A-Za-z0-9-]+\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/tasks$/;

const unclearEntry = (source: string): UnclearEntry => ({ agent: 'claude-code', session: null, source });

/** Which sessions living processes of Claude Code hold open, by their open files. */
export const adoptionsByOpenFiles = (
  table: ProcessTable,
  holders: readonly { readonly row: ProcessRow; readonly files: readonly OpenFile[] }[],
): readonly Adoption[] =>
  holders.flatMap(({ row, files }) => {
    const sessions = new Set(files.map((file) => tasksFolder.exec(file.target)?.[1]));
    return [...sessions].flatMap((text): Adoption[] => {
      const session = sessionIdFrom(text);
      if (session === null) return [];
      const evidence = `process ${row.pid} of Claude Code has the session's tasks folder open`;
      return [{ agent: 'claude-code', session, by: identityOf(table, row), evidence }];
    });
  });

/** Reads what Claude Code's daemon notes about sessions that go on in the background. */
export class ClaudeAdoptions {
  readonly #folders: AgentFiles;
  readonly #rosters: SmallFiles<Roster>;
  readonly #handovers: SmallFiles<Handover>;
  #unclearRosters: readonly UnclearEntry[] = [];
  #unclearHandovers: readonly UnclearEntry[] = [];

  constructor(uid: number, files: AgentFiles = filesHere) {
    this.#folders = files;
    this.#rosters = new SmallFiles(uid, (text) => rosterSchema().safeParse(parseJson(text)).data ?? null, files);
    this.#handovers = new SmallFiles(uid, (text) => handoverSchema().safeParse(parseJson(text)).data ?? null, files);
  }

  /** Unreadable rosters and handovers as of the latest look: they may say a session goes on. */
  get unclear(): readonly UnclearEntry[] {
    return [...this.#unclearRosters, ...this.#unclearHandovers];
  }

  /** Sessions that a living background session goes on with, by the daemon's roster. */
  byRoster(configurationFolders: readonly string[], table: ProcessTable): readonly Adoption[] {
    const unclear: UnclearEntry[] = [];
    this.#unclearRosters = unclear;
    return configurationFolders.flatMap((configuration) => {
      const path = join(configuration, 'daemon', 'roster.json');
      const roster = this.#rosters.read(path, table.takenAtMs);
      if (roster.state === 'unreadable') unclear.push(unclearEntry(path));
      if (roster.state !== 'read') return [];
      return Object.values(roster.value.workers).flatMap((worker): Adoption[] => {
        if (worker?.replPid === undefined) return [];
        const found = findRecorded(table, asPid(worker.replPid), worker.replProcStart ?? null);
        if (found.state !== 'live') return [];
        const origin = worker.dispatch?.launch?.sessionId;
        const ids = new Set([
          sessionIdFrom(worker.sessionId),
          sessionIdFrom(origin === undefined ? undefined : basename(origin, '.jsonl')),
        ]);
        const by = identityOf(table, found.row);
        return [...ids].flatMap((session) =>
          session === null
            ? []
            : [
                {
                  agent: 'claude-code' as const,
                  session,
                  by,
                  evidence: knownBy('background session of process {pid} goes on with it', { pid: by.pid }),
                },
              ],
        );
      });
    });
  }

  /**
   * Shells that are on their way from one session to another.
   * @param nowMs by the clock of the machine on which the files were written, milliseconds; null:
   *   not known, then none of them is too old
   */
  handedOver(configurationFolders: readonly string[], nowMs: number | null): readonly KeptByAgent[] {
    const kept: KeptByAgent[] = [];
    const unclear: UnclearEntry[] = [];
    this.#unclearHandovers = unclear;
    for (const configuration of configurationFolders) {
      const folder = join(configuration, 'jobs');
      const names = this.#folders.names(folder, maxJobs);
      if (names.state === 'unreadable') unclear.push(unclearEntry(folder));
      if (names.state !== 'read') continue;
      for (const name of names.value) {
        if (!/^[0-9a-z]{1,32}$/.test(name)) continue;
        const path = join(folder, name, 'adopt.json');
        const file = this.#handovers.read(path, nowMs ?? 0);
        if (file.state === 'unreadable') unclear.push(unclearEntry(path));
        if (file.state !== 'read') continue;
        if (nowMs !== null && nowMs - (file.value.writtenAtMs ?? 0) > handoverMs) continue;
        for (const shell of file.value.shells) {
          const { procStart = '', startTimeTicks } = shell;
          const startTicks =
            windowsStart(procStart) ?? startTimeTicks ?? (/^\d{1,15}$/.test(procStart) ? Number(procStart) : null);
          // Ticks of .NET can't be compared: what has the pid is kept, whatever it is.
          if (startTicks === null && !/^\d{18}$/.test(procStart)) continue;
          const evidence = 'its session is moving to the background';
          kept.push({ agent: 'claude-code', pid: asPid(shell.pid), pgid: null, startTicks, evidence });
        }
      }
    }
    return kept;
  }
}
