import type { FirstSignalName } from '../../app/process/signal.ts';
import { hardCapCeilingSeconds } from '../../app/settings/registry.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { RunLimits } from './record/record.ts';

/** The request on the command line, in seconds; null where an option is absent. */
export interface RunRequest {
  readonly command: readonly [string, ...string[]];
  readonly maxElapsedSeconds: number | null;
  readonly hardCapSeconds: number | null;
  readonly signal: FirstSignalName | null;
  readonly graceSeconds: number | null;
  readonly idleAfter: string | null;
  readonly idleGraceSeconds: number | null;
  /** What all processes of the run may take together, in bytes and in processes and threads. */
  readonly memoryBytes: number | null;
  readonly tasks: number | null;
  readonly lock: string | null;
  readonly name: string | null;
  readonly workspace: string | null;
  /** Also ends what the vetoes protect outside the session of the run. */
  readonly strict: boolean;
}

/** Seconds a command may take to exit after it has printed its result, by default. */
const defaultIdleGraceSeconds = 30;

/** A requested limit is not allowed; the message says what is. */
export class LimitRefused extends Error {
  override readonly name = 'LimitRefused';
}

const checkHardCap = (seconds: number): number => {
  if (seconds >= 1 && seconds <= hardCapCeilingSeconds) return seconds;
  throw new LimitRefused(`--hard-cap ${seconds}s: 1s to ${hardCapCeilingSeconds / 3600}h is allowed`);
};

/**
 * Returns the limits of a run: the requested ones, else those of the settings. The settings' hard
 * cap always holds. Their max elapsed holds in the background only: in the foreground, where a user
 * or a script waits, only a requested limit ends a command early. The settings' modes are about
 * what Curfew finds on its own; the user of `curfew run` has chosen.
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
    memoryBytes: request.memoryBytes,
    tasks: request.tasks,
  };
};
