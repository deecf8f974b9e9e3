import { say, saidOf, inEnglish, warned } from '../../app/text/say.ts';
import type { Said } from '../../app/format/said.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { messageOf } from '../../app/format/error-message.ts';
import { localHost } from '../../app/remote/host-list.ts';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { History } from '../store/history/history.ts';
import { historyPlace } from '../store/history/history-design.ts';
import { recordRemovals } from '../store/history/removals.ts';
import { pruneHistory, wipeHistory } from '../store/history/history-retention.ts';
import type { Incident } from '../../app/history/incident.ts';
import type { Removal } from '../../app/history/removal.ts';
import { IncidentLines, type LinesTarget } from '../incident-lines/incident-lines.ts';
import { HistoryJournal } from '../store/history/journal.ts';
import { ForgetfulLedger } from '../store/ledger/forgetful-ledger.ts';
import { LedgerFile } from '../store/ledger/ledger.ts';
import { SparedFile, sparedPlaces } from '../store/spared/spared-file.ts';
import { openLog, type Log } from '../store/files/log.ts';
import { type Places, createPlaces, placesHere } from '../store/places.ts';
import { type SettingsFile, userSettings } from '../store/settings/settings-file.ts';
import { type Notify, sayStoreNotice } from '../store/database/store-failure.ts';
import type { GivenNotice, LedgerMemory } from '../observing/observer-tools.ts';
import { Pause } from '../supervisor/pause.ts';

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
  readonly notices: () => readonly Said[];
  readonly journal: HistoryJournal;
  readonly history: History;
  /** Returns null if an incident can be recorded, else why not, for people. */
  readonly journalProblem: () => Error | null;
  /** Records what was removed of files; what can't be recorded goes to the log. */
  readonly recordRemovals: (removals: readonly Removal[]) => void;
  readonly pruneHistory: () => void;
  /**
   * Deletes incidents for good, all or those older than a moment (wall clock, ms), and returns
   * their number.
   * @throws StoreFailure
   */
  readonly wipeHistory: (olderThanMs: number | null) => number;
  readonly ledger: Required<LedgerMemory> | ForgetfulLedger;
  readonly rememberNotices: (notices: readonly GivenNotice[], atMs: number) => void;
  readonly pause: Pause;
  readonly log: Log;
  /** Tells collectors what happens. */
  readonly lines: IncidentLines;
  readonly close: () => void;
}

export interface StoresOptions {
  readonly home: string;
  readonly warn: (said: Said) => void;
  /** The user whose processes are looked at. */
  readonly uid: number;
  /** Overrides the setting `incidentLines`. */
  readonly lines?: LinesTarget;
  /** Overrides the settings' mode; settings that made no sense observe all the same. */
  readonly mode?: 'enforce' | 'observe';
  /** Asked with the places: then no folder is made and no look is remembered. */
  readonly keepsNothing?: (places: Places) => boolean;
}

/** Opens settings, history, ledger, log; creates only folders. Warns if it can't write there. */
export const openStores = ({ home, warn, uid, lines: linesTo, mode, keepsNothing }: StoresOptions): Stores => {
  const places = placesHere(home);
  const forgets = keepsNothing?.(places) === true;
  const told = new Set<string>();
  const tell = (said: Said): void => {
    const text = inEnglish(said);
    if (told.has(text)) return;
    told.add(text);
    warn(warned(said));
  };
  const notify: Notify = (notice) => tell(sayStoreNotice(notice));
  try {
    if (!forgets) createPlaces(places);
  } catch (error) {
    tell(say("{why}. Nothing can be recorded there, so Curfew won't end anything on its own.", { why: saidOf(error) }));
  }
  const settingsFile = userSettings(places, home);
  const settings = (): Settings => {
    const loaded = settingsFile.load();
    for (const notice of loaded.notices) tell(notice.said);
    return mode === undefined || loaded.forcesObserve ? loaded.settings : { ...loaded.settings, mode };
  };
  const place = historyPlace(places.history, Date.now, notify);
  const history = new History(place);
  const lines = new IncidentLines({
    target: () => linesTo ?? settingsFile.load().settings.incidentLines,
    uid,
    warn: (said) => {
      log.warn('lines', { problem: inEnglish(said) });
      tell(said);
    },
  });
  const recorded = (of: Incident | string): void => {
    try {
      // Another process began it, so it is read back.
      const incident = typeof of === 'string' ? history.get(of) : of;
      if (incident !== null) lines.ended(incident);
    } catch (error) {
      lines.problem(localHost, error);
    }
  };
  const journal = new HistoryJournal(place, redactCommand, recorded);
  const ledger = forgets
    ? new ForgetfulLedger()
    : new LedgerFile(places.ledger, Date.now, notify, new SparedFile(sparedPlaces(places), notify));
  const log = openLog({ folder: places.logs, redact: redactCommand, warn: tell });
  return {
    places,
    settings,
    settingsFile,
    settingsForceObserve: () => settingsFile.load().forcesObserve,
    notices: () => settingsFile.load().notices.map(({ said }) => said),
    journal,
    history,
    journalProblem: () => journal.problem(),
    recordRemovals: (removals) => {
      try {
        recordRemovals(place, removals);
      } catch (error) {
        log.warn('removals not recorded', { problem: messageOf(error) });
      }
    },
    pruneHistory: () => void pruneHistory(place, settings().historyDays, Date.now()),
    wipeHistory: (olderThanMs) => wipeHistory(place, olderThanMs),
    ledger,
    rememberNotices: (notices, atMs) => ledger.rememberNotices(notices, atMs),
    pause: new Pause(places.pause, Date.now),
    log,
    lines,
    close: () => {
      lines.flush();
      journal.close();
      ledger.close();
      log.close();
    },
  };
};
