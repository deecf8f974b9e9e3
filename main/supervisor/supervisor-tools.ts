import type { Decider, Incident } from '../../app/history/incident.ts';
import type { JobId } from '../../app/model/job.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { GivenNotice } from '../observing/observer-tools.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import type { Observer } from '../observing/observer.ts';
import type { Reaper } from '../reaping/reaper.ts';
import type { ReapingFailure } from '../reaping/drive.ts';
import type { GlanceWatch } from './glance-watch.ts';
import type { MemoryWatch } from './memory-watch.ts';
import type { SeenOnHost } from './notice-ledger.ts';

/** What the supervisor tells the part that shows it. Called synchronously; must not throw. */
export interface SupervisorEvents {
  readonly looked: (look: Look) => void;
  /** A job needs the user's attention, once per job and state. */
  readonly noticed: (judged: JudgedJob, look: Look) => void;
  readonly reaping: (judged: JudgedJob, look: Look, decidedBy: Decider) => void;
  readonly ended: (incident: Incident) => void;
  readonly failed: (failure: ReapingFailure) => void;
  /** Something went wrong with a look or a record; the supervisor goes on. */
  readonly problem: (error: unknown) => void;
}

/** Where sessions tell that they begin and end. */
export interface SessionNews {
  /** Begins to listen, or goes on; called before looks, as the place may vanish. Never throws. */
  readonly listen: (heard: () => void) => void;
  readonly close: () => void;
}

/** What the supervisor works with. */
export interface SupervisorTools {
  readonly observer: Observer;
  readonly reaper: Reaper;
  readonly settings: () => Settings;
  /** Null when an incident can be recorded; else why not. Asked before any automatic reaping. */
  readonly journalProblem: () => Error | null;
  /** These jobs are about to be told (wall clock, milliseconds): one durable write for all. */
  readonly rememberNotices: (notices: readonly GivenNotice[], atMs: number) => void;
  /** Which announcements were seen. Left out: each counts as soon as it is given. */
  readonly seen?: SeenOnHost;
  readonly now: () => number;
  /** True while nothing is to be ended or told by itself. */
  readonly paused: () => boolean;
  /** Records overdue jobs gone without Curfew; returns new ones. `isOurs`: Curfew is ending it. */
  readonly departed?: (look: Look, isOurs: (job: JobId) => boolean) => readonly Incident[];
  /** Leaves word of ended jobs for next sessions; called with a whole look, before `ended`. */
  readonly tellSessions?: (ended: readonly Incident[]) => void;
  readonly events: SupervisorEvents;
  /** Glances at what agents start between two looks. Without it only looks see anything. */
  readonly glances?: GlanceWatch;
  /** Tells when memory is scarce. Without it nothing is hurried. */
  readonly memory?: MemoryWatch;
  /** Calls when a session told that it begins or ends. Without it that is seen at the next look. */
  readonly sessionNews?: SessionNews;
}
