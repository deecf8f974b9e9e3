import { expect as expectNow, test } from 'vitest';
import { walk, windowOf } from '../desktop/support/walk.ts';
import { FakeClaude } from '../os/scene/claude.ts';
import { expect } from '../ui/support/patient.ts';
import { onElectron } from './support/on-electron.ts';
import { RealApp, walkedDesktop } from './support/app.ts';

onElectron('the app on a real Electron', ({ inSession }) => {
  test(
    'a leftover is ended from the tray, found in the history, and the app quits by its menu',
    inSession('sni', async (session) => {
      const { stage, user } = session;
      const living = await FakeClaude.start(stage, { user, project: `${user.home}/living` });
      const silent = await living.bash('sleep 9999 | tee /dev/null');
      const claude = await FakeClaude.start(stage, { user });
      const { shell } = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      const app = await RealApp.start(session);
      const desktop = walkedDesktop(session, app);
      await walk(desktop, {
        command: 'sleep 3600 | cat',
        afterwards: '1 running, doesn’t need a look',
        gone: () => stage.until('the job is gone', () => !stage.lives(shell)),
      });
      expectNow(stage.lives(silent.shell)).toBe(true);
      const settings = await windowOf(desktop, 'Settings…', '#/settings');
      await expect(settings.getByRole('heading').first()).toBeVisible();
      await session.picture('settings');
      expectNow((await session.history()).map(({ outcome }) => outcome)).toEqual(['reaped']);
      expectNow(app.complaints()).toEqual([]);
      await desktop.choose('Quit');
      expectNow(await app.ended()).toBe(0);
    }),
  );
});
