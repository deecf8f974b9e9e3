import { codeOf } from '../../app/format/error-message.ts';
import { inEnglish } from '../../app/text/say.ts';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { placeOfAnother, temporaryFolder } from '../os/files/owned-place.ts';
import { isAbsolute, join } from 'node:path';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { PassMachine } from '../ending/end.ts';
import type { Engine } from '../engine/engine.ts';
import { completeInterrupted, isRunningNow } from '../reaping/recovery.ts';
import { type Notify, sayStoreNotice } from '../store/database/store-failure.ts';
import { LedgerFile } from '../store/ledger/ledger.ts';
import { SparedFile, sparedPlaces } from '../store/spared/spared-file.ts';
import { SshConnection } from './connection.ts';
import { RemoteHost, type RemoteHostTools } from './host.ts';
import { InstalledCurfew, type LocalRecord } from './installed-curfew.ts';
import { RemoteReaper } from './reaper.ts';

/** A socket's path must fit 104 bytes (macOS, unix(4)), 17 of them ssh's while making it. */
const maxPathLength = 80;

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/**
 * Makes a fresh folder (0700) for the sockets of ssh's shared connections. Every Curfew process has
 * its own, so that none takes a connection that another user prepared. Returns null when the
 * machine offers no place short enough: then each question makes a connection of its own.
 */
export const makeConnectionFolder = (environment: Readonly<Record<string, string | undefined>>): string | null => {
  const runtime = environment['XDG_RUNTIME_DIR'];
  const bases = [...(runtime !== undefined && isAbsolute(runtime) ? [runtime] : []), temporaryFolder(), '/tmp'];
  for (const base of bases) {
    // ssh takes % for a token and blanks for the end of a path.
    if (base.length > maxPathLength - 20 || !/^[\w./-]+$/u.test(base) || !isFolder(base)) continue;
    // In a folder of another user (`sudo -E`) that one could put another in its place.
    if (placeOfAnother(base) !== null) continue;
    try {
      return mkdtempSync(join(base, 'curfew-'));
    } catch (error) {
      if (codeOf(error) === null) throw error;
    }
  }
  return null;
};

const removeConnectionFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

export type HostsEngine = Pick<
  Engine,
  'settings' | 'places' | 'source' | 'log' | 'journal' | 'history' | 'writer' | 'pause'
>;

export type HostsJudging = Pick<RemoteHostTools, 'terms' | 'announces' | 'allServers' | 'turns'>;

interface Opened {
  readonly remote: RemoteHost;
  readonly connection: SshConnection;
  readonly ledger: LedgerFile;
  readonly reaper: RemoteReaper;
}

/** Other machines that a Curfew process looks at, each by its connection and its ledger part. */
export class Hosts {
  readonly #engine: HostsEngine;
  readonly #judging: HostsJudging;
  readonly #opened = new Map<string, Opened>();
  #folder: string | null | undefined;
  #names = 0;

  /** @param judging what holds for a pass, and whether ends are announced and carried out */
  constructor(engine: HostsEngine, judging: HostsJudging) {
    this.#engine = engine;
    this.#judging = judging;
  }

  /** Returns a name's machine, unasked yet. Throws HostFailure for a name unfit for ssh. */
  open(host: string): RemoteHost {
    return this.#open(host).remote;
  }

  /** Returns the Curfew on a machine; null: none, or another release. Throws HostFailure. */
  installed(host: string): Promise<InstalledCurfew | null> {
    return InstalledCurfew.find(this.#open(host).connection);
  }

  reaper(host: string): RemoteReaper {
    return this.#open(host).reaper;
  }

  /**
   * Completes the records of reapings on that machine that a Curfew left open, or this one when it
   * lost the connection. Must not be called while one of ours goes on there. Throws what the
   * journal throws.
   */
  completeRecords(host: string, table: ProcessTable): void {
    const { history, journal, writer } = this.#engine;
    const isOwn = (mark: ProcessRef): boolean => mark.pid === writer.pid && mark.startTicks === writer.startTicks;
    const isRunning = (mark: ProcessRef): boolean => !isOwn(mark) && this.#isRunning(mark);
    completeInterrupted(history.unfinished(), table, journal, Date.now(), { host, isRunning });
  }

  machine(host: string, journalProblem: () => Error | null): PassMachine {
    const reaper = this.reaper(host);
    return {
      where: 'elsewhere',
      reaper,
      journalProblem,
      completeRecords: ({ table }) => this.completeRecords(host, table),
      finish: (_look, progressed) => {
        reaper.onProgress = progressed;
        return reaper.idle();
      },
    };
  }

  ledger(host: string): LedgerFile {
    return this.#open(host).ledger;
  }

  get record(): LocalRecord {
    return this.#engine;
  }

  /** Ends the connection to a machine that is no longer looked at. Never throws. */
  async forget(host: string): Promise<void> {
    const opened = this.#opened.get(host);
    this.#opened.delete(host);
    opened?.ledger.close();
    await opened?.connection.close();
  }

  /** Ends every connection. Never throws. */
  async close(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((host) => this.forget(host)));
    if (typeof this.#folder === 'string') removeConnectionFolder(this.#folder);
    this.#folder = undefined;
  }

  #open(host: string): Opened {
    const known = this.#opened.get(host);
    if (known !== undefined) return known;
    const { places, settings, source, log, journal, writer, pause } = this.#engine;
    this.#folder ??= makeConnectionFolder(process.env);
    const folder = this.#folder;
    const connection = new SshConnection(host, folder === null ? null : { folder, name: String((this.#names += 1)) });
    const tell: Notify = (notice) => log.error('ledger', { problem: inEnglish(sayStoreNotice(notice)) });
    const ledger = new LedgerFile(places.ledger, Date.now, tell, new SparedFile(sparedPlaces(places), tell), host);
    const remote = new RemoteHost({
      connection,
      ledger,
      settings,
      ownBoot: source.bootId,
      ...this.#judging,
    });
    const reaper = new RemoteReaper({
      host: remote,
      journal,
      writer,
      now: Date.now,
      isRunning: (mark) => this.#isRunning(mark),
      paused: () => pause.until !== null,
    });
    const opened = { remote, connection, ledger, reaper };
    this.#opened.set(host, opened);
    return opened;
  }

  /** Whether another Curfew of this machine still runs. */
  #isRunning(mark: ProcessRef): boolean {
    return isRunningNow(this.#engine.source)(mark);
  }
}
