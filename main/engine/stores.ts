import { messageOf } from '../../app/format/error-message.ts';
import type { JobId } from '../../app/jobs/model/job.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { redactCommand } from '../../app/format/redact.ts';
import { History } from '../store/history/history.ts';
import { historyPlace } from '../store/history/history-design.ts';
import { pruneHistory, wipeHistory } from '../store/history/history-retention.ts';
import { HistoryJournal } from '../store/history/journal.ts';
import { ForgetfulLedger } from '../store/ledger/forgetful-ledger.ts';
import { LedgerFile } from '../store/ledger/ledger.ts';
import { openLog, type Log } from '../store/files/log.ts';
import type { Places } from '../store/places.ts';
import { claudeSettingsPath, machineSettingsPath, createPlaces, placesFor } from '../store/places.ts';
import { SettingsFile } from '../store/settings/settings-file.ts';
import type { Notify } from '../store/database/store-notice.ts';
import { storeNoticeText } from '../store/database/store-notice.ts';
import type { GivenNotice, LedgerMemory } from '../observing/observer-tools.ts';
import { Pause } from '../supervisor/pause.ts';

/** All open stores. */
export interface Stores {
  readonly places: Places;
  /** Returns the settings now; a changed file counts from the next call on. */
  readonly settings: () => Settings;
  readonly settingsFile: SettingsFile;
  /**
   * Returns true if settings that spare processes could not be read, or this machine's processes
   * are not proved to be read right: then only what is named by hand is ended.
   */
  readonly settingsForceObserve: () => boolean;
  /** Returns the problems of the settings, in sentences. */
  readonly notices: () => readonly string[];
  readonly journal: HistoryJournal;
  readonly history: History;
  /** Returns null if an incident can be recorded, else why not, for people. */
  readonly journalProblem: () => Error | null;
  readonly pruneHistory: () => void;
  /**
   * Deletes incidents for good, all or those older than a moment (wall clock, ms), and returns
   * their number.
   * @throws StoreFailure
   */
  readonly wipeHistory: (olderThanMs: number | null) => number;
  readonly ledger: LedgerMemory;
  readonly rememberNotices: (notices: readonly GivenNotice[], atMs: number) => void;
  readonly keep: (id: JobId, untilMs: number) => void;
  readonly unkeep: (id: JobId) => void;
  readonly pause: Pause;
  readonly log: Log;
  readonly close: () => void;
}

/** What the stores are opened with. */
export interface StoresOptions {
  readonly home: string;
  readonly warn: (text: string) => void;
  /**
   * Overrides the settings' mode. If the settings could not be understood, it observes all the
   * same.
   */
  readonly mode?: 'enforce' | 'observe';
  /** Asked with the places: then no folder is made and no look is remembered. */
  readonly keepsNothing?: (places: Places) => boolean;
}

/**
 * Opens settings, history, ledger and log. Creates missing folders only; a home that can't be
 * written is warned of.
 */
export const openStores = ({ home, warn, mode, keepsNothing }: StoresOptions): Stores => {
  const places = placesFor({
    platform: process.platform,
    environment: process.env,
    home,
    workingFolder: process.cwd(),
  });
  const forgets = keepsNothing?.(places) === true;
  const told = new Set<string>();
  const tell = (text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    warn(`curfew: ${text}`);
  };
  const notify: Notify = (notice) => tell(storeNoticeText(notice));
  try {
    if (!forgets) createPlaces(places);
  } catch (error) {
    tell(`${messageOf(error)}. Nothing can be recorded there, so Curfew won't end anything on its own.`);
  }
  const settingsFile = new SettingsFile({
    path: places.settings,
    claudePath: claudeSettingsPath(home),
    machinePath: machineSettingsPath(process.platform),
    home,
    now: Date.now,
  });
  const settings = (): Settings => {
    const loaded = settingsFile.load();
    for (const notice of loaded.notices) tell(notice.text);
    return mode === undefined || loaded.forcesObserve ? loaded.settings : { ...loaded.settings, mode };
  };
  const place = historyPlace(places.history, Date.now, notify);
  const journal = new HistoryJournal(place, redactCommand);
  const ledger = forgets ? new ForgetfulLedger() : new LedgerFile(places.ledger, Date.now, notify);
  const log = openLog({ folder: places.logs, redact: redactCommand, warn: tell });
  return {
    places,
    settings,
    settingsFile,
    settingsForceObserve: () => settingsFile.load().forcesObserve,
    notices: () => settingsFile.load().notices.map((notice) => notice.text),
    journal,
    history: new History(place),
    journalProblem: () => journal.problem(),
    pruneHistory: () => void pruneHistory(place, settings().historyDays, Date.now()),
    wipeHistory: (olderThanMs) => wipeHistory(place, olderThanMs),
    ledger,
    rememberNotices: (notices, atMs) => ledger.rememberNotices(notices, atMs),
    keep: (id, untilMs) => ledger.keep(id, untilMs),
    unkeep: (id) => ledger.unkeep(id),
    pause: new Pause(places.pause, Date.now),
    log,
    close: () => {
      journal.close();
      ledger.close();
      log.close();
    },
  };
};
