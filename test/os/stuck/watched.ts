import { startCurfew, type Running } from '../scene/curfew.ts';
import { scanDocument, type ScannedJob } from '../scene/schemas.ts';
import type { Scene } from '../scene/scene.ts';
import { StageError } from '../scene/stage-error.ts';
import { writeSettings } from '../scene/watching.ts';

/**
 * Limits of seconds, so that jobs are past half of them at once: a symptom must then last 15 s
 * before it is reported, the minimum.
 */
const limits = { backgroundMaxElapsedSeconds: 4, scanIntervalSeconds: 0.5, atMaxElapsed: 'notify' };

/** Starts a supervisor that only observes, with limits of seconds. */
export const watchClosely = async (stage: Scene): Promise<Running> => {
  writeSettings(stage, limits);
  return startCurfew(stage, ['watch', '--json', '--observe']);
};

/** Output lines of the scans of a `watch --json`. The last line may be incomplete. */
const lookLines = (watch: Running): readonly string[] =>
  watch
    .stdout()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{"event":"looked"'));

const jobsIn = (line: string): readonly ScannedJob[] => scanDocument.parse(JSON.parse(line)).jobs;

/** Jobs of each scan of a `watch --json`, oldest first. */
export const looksOf = (watch: Running): readonly (readonly ScannedJob[])[] => lookLines(watch).map(jobsIn);

/** Jobs of the latest scan of a `watch --json`; null before the first. */
const latestJobs = (watch: Running): readonly ScannedJob[] | null => {
  const line = lookLines(watch).at(-1);
  return line === undefined ? null : jobsIn(line);
};

/** The job of a tool shell in the latest scan; null if it isn't there. */
export const jobOf = (watch: Running, shell: number): ScannedJob | null =>
  latestJobs(watch)?.find(({ members }) => members.some(({ pid }) => pid === shell)) ?? null;

/** Waits for a diagnosis of a job; returns its sentence with its figures. */
export const diagnosed = async (
  stage: Scene,
  watch: Running,
  shell: number,
  code: string,
): Promise<{ readonly text: string; readonly figures: Readonly<Record<string, unknown>> }> => {
  let latest: ScannedJob | null = null;
  try {
    return await stage.until(
      code,
      () => {
        latest = jobOf(watch, shell);
        const found = (
          latest?.['diagnosed'] as readonly { code: string; text: string; figures: object }[] | undefined
        )?.find((one) => one.code === code);
        return found === undefined ? null : { text: found.text, figures: { ...found.figures } };
      },
      120,
    );
  } catch (cause) {
    if (!(cause instanceof StageError)) throw cause;
    throw new StageError(`${cause.message}\n${JSON.stringify(latest, null, 1)}\n${watch.stderr()}`, { cause });
  }
};
