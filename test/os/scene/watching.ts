import type { Running } from './curfew.ts';
import type { Scene } from './scene.ts';

/** Writes the settings as they lie on the disk, with no time between an announcement and an end where a test does not ask for it; other tests change them through the command line, which takes longer. */
export const writeSettings = (stage: Scene, settings: Readonly<Record<string, unknown>>): void => {
  stage.write(
    '/tmp/curfew-home/settings.json',
    JSON.stringify({ schemaVersion: 1, noticeSeconds: 0, ...settings }),
    0o600,
  );
};

/** How many looks a `watch --json` has made. */
export const looks = (watch: Running): number => watch.stdout().split('"event":"looked"').length - 1;

/** Waits until a watch has looked so many more times. */
export const afterLooks = async (stage: Scene, watch: Running, more: number): Promise<void> => {
  const before = looks(watch);
  await stage.until(`${more} more looks\n${watch.stderr()}`, () => looks(watch) >= before + more, 110);
};
