import type { GuardSettings } from '../guard/settings.ts';
import type { UserRule } from '../agents/user-rules.ts';
import type { FirstSignalName } from '../process/signal.ts';

/**
 * What Curfew does by itself: `enforce` signals, `observe` only tells. `null`: the person has not chosen yet; Curfew behaves as
 * under `observe` and says so.
 */
export type Mode = 'enforce' | 'observe' | null;

/**
 * What happens to a job of a living session at its max elapsed: `reap-silent` ends what is silent and tells of the rest, `reap`
 * ends working tasks too (services only at the hard cap), `notify` ends none.
 */
export type AtMaxElapsed = 'reap-silent' | 'reap' | 'notify';

/**
 * What the person wants spared below the hard cap. Every part that is given must match; at least one is given.
 * See `exemptionMatches` for how each part is compared.
 */
export interface Exemption {
  /** A folder: jobs whose project is it or lies in it. Absolute; `~/` is expanded where the file is read. */
  readonly project?: string;
  /** The whole command as Curfew shows it; `*` stands for any text. */
  readonly command?: string;
  /** A port on which the job listens. */
  readonly port?: number;
  /** Why, in the person's words. */
  readonly note?: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What the person wants to be told. Nothing is only in a notification, so all of these may be off. */
export interface NotificationSettings {
  /** A job overstays or its session is gone and it needs a look. */
  readonly overdue: boolean;
  /** A job will be ended in `noticeSeconds`. */
  readonly beforeReap: boolean;
  /** A job was ended, and what it freed. */
  readonly afterReap: boolean;
  /** With a sound. */
  readonly sound: boolean;
}

/** Light or dark, or as the system says. */
export type Appearance = 'system' | 'light' | 'dark';

/** Everything a person can set, checked. Limits hold: max elapsed <= hard cap <= 86400. */
export interface Settings {
  readonly schemaVersion: number;
  readonly backgroundMaxElapsedSeconds: number;
  readonly backgroundMaxElapsedSecondsHardCap: number;
  readonly backgroundKillSignal: FirstSignalName;
  readonly backgroundKillGraceSeconds: number;
  readonly orphanGraceSeconds: number;
  readonly noticeSeconds: number;
  readonly scanIntervalSeconds: number;
  readonly mode: Mode;
  readonly atMaxElapsed: AtMaxElapsed;
  readonly exemptions: readonly Exemption[];
  readonly rules: readonly UserRule[];
  /** Names that `ssh` understands: an alias of the person's configuration, or `user@host`. */
  readonly hosts: readonly string[];
  readonly historyDays: number;
  readonly notifications: NotificationSettings;
  readonly appearance: Appearance;
  /** The guard of agents' commands, see app/guard. */
  readonly guard: GuardSettings;
}

/** Something in a settings file that made no sense, with what is used instead, in words. */
export interface SettingsNotice {
  /** `backgroundKillSignal`, `exemptions[2]`; null when it is about the whole file. */
  readonly field: string | null;
  /** A whole sentence for people. */
  readonly text: string;
}

/** Settings as far as they could be understood. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly notices: readonly SettingsNotice[];
  /**
   * True when something was unreadable that would have spared processes (exemptions, the mode, or the whole file). `settings.mode`
   * is then `observe` already, and a mode chosen elsewhere (`watch --enforce`) must not override it.
   */
  readonly forcesObserve: boolean;
  /** True when something made no sense and isn't used, so that the file as it was is worth keeping. */
  readonly bad: boolean;
}
