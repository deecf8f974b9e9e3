import { test } from 'vitest';
import { history, runCurfew, startCurfew } from '../os/scene/curfew.ts';
import { FakeClaude } from '../os/scene/claude.ts';
import { expectUntouched } from '../os/scene/innocents.ts';
import { livingSession, pinned } from '../os/scene/outcome.ts';
import type { Scene } from '../os/scene/scene.ts';
import { expect } from '../ui/support/patient.ts';
import { overdueSleep } from './support/overdue-rule.ts';
import { StandingIn } from './support/standing-in.ts';
import { onStandIn, setSettings, walked } from './support/stand-in-desktop.ts';
import { walk } from './support/walk.ts';

// The built main bundle and the built preload, real processes, the real interface in a real
// browser. Only Electron itself is played: its tray, notifications and windows on a real desktop
// are not seen here.

/**
 * A process that handles TERM must not be killed, however busy the machine is; a deaf one has a
 * grace of its own.
 */
const quick = { mode: 'observe', orphanGraceSeconds: 0, scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 60 };

/** Starts commands of a session that has ended; each is one job. */
const leave = async (stage: Scene, ...commands: readonly string[]) => {
  const claude = await FakeClaude.start(stage);
  const jobs = [];
  for (const command of commands) jobs.push((await claude.bash(command)).shell);
  await claude.crash();
  return jobs;
};

onStandIn('the built app on a stand-in for Electron', ({ inScene }) => {
  test(
    'what a dead session left shows in the tray, is reaped in the popover, and is found in the history',
    inScene(async (stage, start) => {
      await setSettings(stage, quick);
      const innocents = await livingSession(stage);
      const [shell] = await leave(stage, 'sleep 3600 | cat');
      const processes = [shell, ...(await pinned(stage, 'sleep 3600'))];
      const app = await start();
      await walk(walked(app), {
        command: 'sleep 3600 | cat',
        afterwards: '2 running, none needs a look',
        gone: () =>
          stage.until('the job is gone', () => processes.every((each) => each !== undefined && !stage.lives(each))),
      });
      expectUntouched(stage, innocents);
      const [incident, ...more] = await history(stage);
      expect(more).toEqual([]);
      expect(incident).toMatchObject({ decidedBy: 'person', outcome: 'reaped', agent: 'claude-code' });
      expect(app.pages.complaints).toEqual([]);
      expect(app.stderr()).toBe('');
      await app.line.order({ do: 'choose', path: ['Quit'] });
      expect(await app.ended()).toBe(0);
    }),
  );

  test(
    'the walk that the real Electron is taken on leads to its end here too',
    inScene(async (stage, start) => {
      stage.write('/tmp/curfew-home/settings.json', JSON.stringify(overdueSleep(4321)));
      // As in a real session, another program has started it: what the user types is never taken
      // for a job by a rule.
      const starter = await stage.actor({ argv: ['node', 'runner.js'], setsid: true });
      const pid = await starter.start({
        file: '/usr/bin/sleep',
        argv: ['sleep', '4321'],
        env: stage.userEnvironment(),
        setsid: true,
      });
      const job = stage.identity(pid);
      const app = await start();
      await walk(walked(app), {
        command: 'sleep 4321',
        afterwards: 'Nothing is left behind',
        gone: () => stage.until('the job is gone', () => !stage.lives(job)),
      });
      expect((await history(stage)).map(({ command }) => command)).toEqual(['sleep 4321']);
    }),
  );

  test(
    'Reap and Keep of a notification do what they say, and its click opens the card',
    inScene(async (stage, start) => {
      await setSettings(stage, quick);
      const [first] = await leave(stage, 'sleep 1111');
      const app = await start();
      const { id, actions } = await app.notification('sleep 1111');
      expect(actions).toEqual(['End', 'Keep 30 min']);
      await app.line.order({ do: 'press', id, index: 1 });
      await app.trayTells('Nothing needs a look');
      const [second] = await leave(stage, 'sleep 2222');
      const notification = await app.notification('sleep 2222');
      await app.line.order({ do: 'click-notification', id: notification.id });
      const page = await app.page('#/popover/');
      await expect(page.getByText('sleep 2222').first()).toBeVisible();
      await app.line.order({ do: 'choose', path: ['sleep 2222', 'End'] });
      await stage.until('the second is gone', () => second !== undefined && !stage.lives(second));
      expect(first !== undefined && stage.lives(first)).toBe(true);
      expect(app.pages.complaints).toEqual([]);
    }),
  );

  test(
    'the shortcut opens the popover, where More shows what the job uses and opens its folder',
    inScene(async (stage, start) => {
      await setSettings(stage, { ...quick, shortcut: 'Alt+Shift+C' });
      await leave(stage, 'sleep 3600 | cat');
      const app = await start();
      await app.trayTells('1 job needs a look');
      await app.line.order({ do: 'press-keys', accelerator: 'Alt+Shift+C' });
      const page = await app.page('#/popover');
      await page.getByRole('button', { name: /^More about/u }).click();
      await expect(page.getByRole('img', { name: /^CPU, last 10 min: now 0.%/u })).toBeVisible();
      await expect(page.getByRole('img', { name: /^Memory, last 10 min: now /u })).toBeVisible();
      // Two looks are needed for the share of a process.
      const row = page.getByRole('table').getByRole('row', { name: /^sleep 3600/u });
      await expect(row.getByRole('cell').first()).toHaveText(/^0.%$/u);
      await page.getByRole('button', { name: /^Open folder/u }).click();
      const { path } = await app.until('the folder is opened', () => app.told('opened-path').at(0));
      await expect(page.getByRole('button', { name: `Open folder ${path}` })).toBeVisible();
      expect(app.pages.complaints).toEqual([]);
    }),
  );

  test(
    'a shortcut of another program is told, and another choice works',
    inScene(async (stage, start) => {
      await setSettings(stage, quick);
      const app = await start();
      await app.line.order({ do: 'take-keys', accelerator: 'Alt+Shift+C' });
      await setSettings(stage, { ...quick, shortcut: 'Alt+Shift+C' });
      const { body } = await app.notification('Alt+Shift+C can’t open Curfew');
      expect(body).toContain('Choose another shortcut');
      await setSettings(stage, { ...quick, shortcut: 'Alt+Shift+J' });
      await expect(() => app.line.order({ do: 'press-keys', accelerator: 'Alt+Shift+J' })).toPass();
      await app.page('#/popover');
    }),
  );

  test(
    'five at once are one notification',
    inScene(async (stage, start) => {
      await setSettings(stage, quick);
      await leave(stage, 'sleep 501', 'sleep 502', 'sleep 503', 'sleep 504', 'sleep 505');
      const app = await start();
      const { title } = await app.notification('sleep 50');
      expect(title).toBe('5 background commands need a look');
      expect(app.told('notification')).toHaveLength(1);
    }),
  );

  test(
    'the first run asks what it may do, the answer is in the settings, and it goes on to the popover',
    inScene(async (stage, start) => {
      const app = await start();
      const welcome = await app.page('#/welcome');
      await welcome.getByText('Enforce', { exact: true }).click();
      await welcome.getByRole('button', { name: 'Continue' }).click();
      // The click closes its window, perhaps before it is told to be over.
      await welcome
        .getByRole('button', { name: 'Done' })
        .click()
        .catch((error: unknown) => {
          if (!welcome.isClosed()) throw error;
        });
      // The welcome window is at the popover's address for a moment before it is closed.
      await expect(async () => {
        const popover = await app.page('#/popover');
        await expect(popover.getByRole('heading', { level: 1 })).toHaveText('Nothing is left behind', {
          timeout: 3000,
        });
      }).toPass();
      expect(app.pages.find('#/welcome')).toBeNull();
      const { stdout } = await runCurfew(stage, ['settings', 'get', 'mode']);
      expect(stdout).toContain('enforce');
      expect(app.pages.complaints).toEqual([]);
    }),
  );

  test(
    'windows hold their page, keep to their own files and know nothing but the bridge',
    inScene(async (stage, start) => {
      await setSettings(stage, quick);
      const app = await start();
      await app.line.order({ do: 'click-tray' });
      const page = await app.page('#/popover');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate('Object.keys(window.curfew).toSorted()')).toEqual(['ask', 'on', 'onConnection']);
      expect(await page.evaluate('typeof require + typeof process + typeof module')).toBe(
        'undefinedundefinedundefined',
      );
      expect(app.pages.complaints).toEqual([]);
      const refused = (code: string) =>
        page.evaluate(code).then(
          () => 'allowed',
          () => 'refused',
        );
      // What Playwright evaluates is exempt from the policy, but not what it puts into the page.
      expect(await refused("fetch('https://example.com/')")).toBe('refused');
      expect(await refused("fetch('./index.html').then((answer) => answer.text())")).toBe('refused');
      const inline = "document.body.appendChild(document.createElement('script')).textContent = 'window.inlined = 1'";
      await refused(inline);
      expect(await page.evaluate('typeof window.inlined')).toBe('undefined');
      expect(
        await app.line.order({ do: 'request', method: 'GET', url: 'app://curfew/../shell/main.js' }),
      ).toMatchObject({ status: 404 });
    }),
  );

  test(
    'beside another supervisor it says which one that is, and watches when that one has ended',
    inScene(async (stage, start) => {
      await setSettings(stage, quick);
      const watch = await startCurfew(stage, ['watch']);
      await stage.until('the other one watches', () => watch.stderr().includes('watching'));
      const app = await start();
      const box = await app.until('a message', () => app.told('message-box').at(0));
      expect(box.detail).toContain(String(watch.identity.pid));
      await app.trayTells('Nothing is being watched');
      await watch.signal('TERM');
      await watch.ended();
      await app.line.order({ do: 'answer-box', button: 0 });
      await app.trayTells('Nothing is left behind');
    }),
  );

  test(
    'Quit ends what is being ended first, deaf or not, and records it',
    inScene(async (stage, start) => {
      await setSettings(stage, { ...quick, backgroundKillGraceSeconds: 2 });
      const [shell] = await leave(stage, "trap '' TERM; sleep 3600; true");
      const app = await start();
      await app.trayTells('1 job needs a look');
      await app.line.order({ do: 'click-tray' });
      const page = await app.page('#/popover');
      await page.getByRole('button', { name: /^End/u }).click();
      // It is deaf during the two seconds of its grace only, and a busy machine may draw this page
      // later than that.
      await expect(page.getByText(/^(?:TERM sent|It ignored the first signal)/u)).toBeVisible();
      await app.line.order({ do: 'quit' });
      expect(await app.ended()).toBe(0);
      expect(shell !== undefined && stage.lives(shell)).toBe(false);
      expect((await history(stage))[0]).toMatchObject({ decidedBy: 'person', outcome: 'killed' });
    }),
  );

  test(
    'a second start leaves and the first shows itself; TERM ends it cleanly, KILL leaves nothing that is in the way',
    inScene(async (stage, start) => {
      await setSettings(stage, quick);
      const first = await start();
      await first.trayTells('Nothing is left behind');
      expect(first.pages.count).toBe(0);
      expect(await StandingIn.startAgain(stage)).toBe(0);
      // Electron notifies the first instance; here the test does.
      await first.line.order({ do: 'second-start' });
      await first.page('#/popover');
      await stage.first.signal(first.identity.pid, 'KILL');
      await first.ended();
      const second = await start();
      await second.trayTells('Nothing is left behind');
      await stage.first.signal(second.identity.pid, 'TERM');
      const code = await second.ended();
      expect(second.stderr()).toBe('');
      expect(code).toBe(0);
    }),
  );
});
