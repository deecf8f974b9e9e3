import { describe } from 'vitest';
import { whyNoElectron } from '../../../build/electron/electron.ts';
import { manyUsers } from '../../os/machine-facts.ts';
import { scene } from '../../os/scene/scene.ts';
import { oneUser } from '../../../build/scripts/skips.ts';
import { layElectron } from './app.ts';
import { DesktopSession, type TrayHost } from './session.ts';

/** What a test on the real Electron uses. */
export interface OnElectron {
  /** Runs a test in the session of a user of its own scene; everything ends with it. */
  readonly inSession: (tray: TrayHost, play: (session: DesktopSession) => Promise<void>) => () => Promise<void>;
}

/** What all of them begin with: a process that handles TERM is not killed, however busy it is. */
export const quick = {
  mode: 'observe',
  orphanGraceSeconds: 0,
  scanIntervalSeconds: 0.5,
  backgroundKillGraceSeconds: 60,
};

/** Runs tests of the app's variant on the real Electron; skipped where there is none. */
export const onElectron = (name: string, tests: (given: OnElectron) => void): void => {
  // Chromium's sandbox, and with it the product's walls, are for users: root has none.
  const reason = whyNoElectron() ?? (manyUsers ? null : oneUser);
  // Printed, because the reporter shows no names of skipped tests.
  if (reason !== null) console.warn(`The tests on a real Electron are skipped: ${reason}.`);
  const title: string = reason === null ? name : `${name} (SKIPPED: ${reason})`;
  // eslint-disable-next-line vitest/valid-title -- it is a string; the rule looks for a literal
  describe.skipIf(reason !== null)(title, () => {
    tests({
      inSession: (tray, play) =>
        scene(async (stage) => {
          await layElectron(stage);
          const session = await DesktopSession.open(stage, tray);
          session.settings(quick);
          await play(session);
        }),
    });
  });
};
