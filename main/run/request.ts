import type { FirstSignalName } from '../../app/process/signal.ts';
import { hardCapCeilingSeconds } from '../../app/settings/registry.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { RunLimits } from './record/record.ts';

/** What was asked for on the command line; null where nothing was said. Seconds. */
export interface RunRequest {
  readonly command: readonly [string, ...string[]];
  readonly maxElapsedSeconds: number | null;
  readonly hardCapSeconds: number | null;
  readonly signal: FirstSignalName | null;
  readonly graceSeconds: number | null;
  readonly idleAfter: string | null;
  readonly idleGraceSeconds: number | null;
  readonly lock: string | null;
  readonly name: string | null;
  readonly workspace: string | null;
  /** Ends also what the vetoes protect and has left the session of the run. */
  readonly strict: boolean;
}

/** How long a command that has printed its result may take to exit, when nothing was said, in seconds. */
const defaultIdleGraceSeconds = 30;

/** A limit that was asked for can't be had; the message says what is allowed. */
export class LimitRefused extends Error {
  override readonly name = 'LimitRefused';
}

const checkHardCap = (seconds: number): number => {
  if (seconds >= 1 && seconds <= hardCapCeilingSeconds) return seconds;
  throw new LimitRefused(`--hard-cap ${seconds}s: 1s to ${hardCapCeilingSeconds / 3600}h is allowed`);
};

/**
 * The limits of a run: what was asked for, else what the settings say. The hard cap of the settings always holds. Their max elapsed is one for what runs in the background
 * and nobody looks at: in the foreground, where a person or a script waits, only a limit that was asked for ends a command early. The settings' modes are about what
 * Curfew finds by itself; whoever starts a command with `curfew run` has chosen.
 * @throws LimitRefused
 */
export const limitsFor = (request: RunRequest, settings: Settings, background: boolean): RunLimits => {
  const hardCapSeconds = checkHardCap(
    request.hardCapSeconds ?? Math.max(1, settings.backgroundMaxElapsedSecondsHardCap),
  );
  const asked = request.maxElapsedSeconds;
  if (asked !== null && asked < 1) throw new LimitRefused('--max-elapsed 0s: at least 1s is allowed');
  return {
    maxElapsedSeconds: asked ?? (background ? settings.backgroundMaxElapsedSeconds : null),
    atMaxElapsed: asked === null ? settings.atMaxElapsed : 'always',
    hardCapSeconds,
    signal: request.signal ?? settings.backgroundKillSignal,
    graceSeconds: request.graceSeconds ?? settings.backgroundKillGraceSeconds,
    idleAfter: request.idleAfter,
    idleGraceSeconds: request.idleGraceSeconds ?? defaultIdleGraceSeconds,
  };
};
