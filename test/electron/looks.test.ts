import { expect as expectNow, test } from 'vitest';
import { FakeClaude } from '../os/scene/claude.ts';
import { expect } from '../ui/support/patient.ts';
import { RealApp } from './support/app.ts';
import { onElectron, quick } from './support/on-electron.ts';

/** The brightness of the page's ground, 0 to 255. */
const ground = `(() => {
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data[1];
})()`;

onElectron('the app on a real Electron, as its user has set it', ({ inSession }) => {
  test(
    'it speaks German and is dark; keys, a second start and a notification open its popover',
    inSession('sni', async (session) => {
      const { stage, user } = session;
      session.settings({ ...quick, appearance: 'dark', shortcut: 'Alt+Shift+C' });
      const app = await RealApp.start(session, { LANGUAGE: 'de', LANG: 'de_DE.UTF-8' });
      await session.until('the tray speaks German', async () => (await session.tip()).includes('Nichts'));
      await session.press('alt+shift+c');
      const popover = await app.page('#/popover');
      await expect(popover.getByRole('heading', { name: /Nichts ist übrig geblieben/u })).toBeVisible();
      expectNow(await popover.evaluate(ground)).toBeLessThan(80);
      await session.picture('popover-german-dark');
      await session.press('alt+shift+c');
      await app.hides('#/popover');
      expectNow(await RealApp.startAgain(session)).toBe(0);
      await app.page('#/popover');
      await session.press('alt+shift+c');
      await app.hides('#/popover');
      const claude = await FakeClaude.start(stage, { user });
      await claude.bash('sleep 3600 | cat');
      await claude.crash();
      await session.until('a notification tells of it', async () => session.told().includes('sleep 3600'));
      await session.picture('notification-german');
      await session.clickNotification();
      const card = await app.page('#/popover');
      await expect(card.getByText('sleep 3600').first()).toBeVisible();
      await session.picture('card-german-dark');
      await session.openMenu();
      await session.picture('menu-german');
      await session.press('Escape');
      const menu = await session.menu();
      expectNow(menu?.children.map(({ label }) => label)).toContain('Verlauf…');
      expectNow(app.complaints()).toEqual([]);
    }),
  );

  test(
    'in a tray of X11 the icon opens the popover, which is light, and its menu quits',
    inSession('xembed', async (session) => {
      session.settings({ ...quick, appearance: 'light' });
      const app = await RealApp.start(session);
      await session.clickTray();
      const popover = await app.page('#/popover');
      await expect(popover.getByRole('heading', { name: 'Nothing is left behind' })).toBeVisible();
      expectNow(await popover.evaluate(ground)).toBeGreaterThan(200);
      await session.picture('popover-light-xembed');
      await session.choose(1, 'menu-xembed');
      expectNow(await app.ended()).toBe(0);
      expectNow(app.complaints()).toEqual([]);
    }),
  );
});
