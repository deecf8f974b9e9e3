import type { Running } from './curfew.ts';
import type { Scene } from './scene.ts';

/**
 * Writes settings to the file, by default without notice time. Faster than the command line, which
 * other tests use.
 */
export const writeSettings = (stage: Scene, settings: Readonly<Record<string, unknown>>): void => {
  stage.write(
    '/tmp/curfew-home/settings.json',
    JSON.stringify({ schemaVersion: 1, noticeSeconds: 0, ...settings }),
    0o600,
  );
};

/** Number of scans of a `watch --json` so far. */
export const looks = (watch: Running): number => watch.stdout().split('"event":"looked"').length - 1;

/** Waits for this many further scans of a watch. */
export const afterLooks = async (stage: Scene, watch: Running, more: number): Promise<void> => {
  const before = looks(watch);
  await stage.until(`${more} more looks\n${watch.stderr()}`, () => looks(watch) >= before + more, 110);
};
