import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { moment } from '../../../app/format/moment.ts';
import { trayStateOf } from '../../../main/shell/tray/tray-state.ts';
import { desktop } from '../../desktop/stand-in/desktop.ts';
import { nativeTheme, screen } from '../../desktop/stand-in/fake-rest.ts';
import { obey } from '../../desktop/stand-in/obey.ts';
import { lookMs, snapshotJob } from '../contract/samples.ts';
import { orphaned, overdue } from './overdue.ts';
import { onlyTray, onlyWindow, pass, raise, watching } from './stage.ts';
import { safe } from '../safe-text.ts';

const labels = (): readonly string[] =>
  (desktop.menu?.shown() ?? []).filter(({ separator }) => !separator).map(({ label }) => label);

describe('what the tray stands for', () => {
  const state = (change: Partial<typeof watching>) =>
    trayStateOf({ kind: 'watching', snapshot: { ...watching, ...change } });

  test.each([
    ['nothing runs', {}, 'well', 0, 'Nothing is left behind'],
    [
      'all within their time',
      { jobs: [snapshotJob('1'), snapshotJob('2')] },
      'well',
      0,
      '2 running, none needs a look',
    ],
    ['some need a look', { jobs: [overdue('1'), snapshotJob('2')] }, 'attention', 1, '1 job needs a look'],
    ['observing', { mode: 'observe' }, 'paused', 0, 'Observe mode · Nothing is left behind'],
    [
      'observing, and some need a look',
      { mode: 'observe', jobs: [overdue('1')] },
      'attention',
      1,
      '1 job needs a look',
    ],
    [
      'paused, whatever else',
      { pausedUntil: 'forever', jobs: [overdue('1')] },
      'paused',
      0,
      'Paused · 1 job needs a look',
    ],
    [
      'before the first look',
      { health: { ...watching.health, lastLookAt: null } },
      'well',
      0,
      'Checking for the first time…',
    ],
  ] as const)('%s', (_name, change, picture, count, sentence) => {
    const size = count === 0 ? {} : { size: '1 B' };
    expect(state(change as Partial<typeof watching>)).toEqual({ picture, count, sentence, ...size });
  });
});

describe('the tray icon', () => {
  test('is set once for each change and never for the same', async () => {
    const { service } = await raise();
    const tray = onlyTray();
    const before = tray.set.length;
    service.become({ health: { ...watching.health, tookMs: 4 } });
    service.become({ at: moment(lookMs + 5000) });
    expect(tray.set.slice(before)).toEqual([]);
    service.become({ jobs: [overdue('1')] });
    expect(tray.set.slice(before)).toEqual(['image', 'tip', 'menu']);
    expect(basename(tray.icon)).toBe('attention-22Light.png');
    expect(tray.tip).toBe('Curfew: 1 job needs a look · 1 B');
  });

  test('is a template on macOS, with the number and the memory beside it', async () => {
    const { service } = await raise({ platform: 'darwin' });
    service.become({ jobs: [overdue('1'), overdue('2')] });
    expect(basename(onlyTray().icon)).toBe('attention-16Template.png');
    expect(onlyTray().title).toBe('2 · 2 B');
    service.become({ jobs: [] });
    expect(onlyTray().title).toBe('');
  });

  test('follows the taskbar on Windows and the displays on Linux', async () => {
    await raise({ platform: 'win32' });
    expect(basename(onlyTray().icon)).toBe('wellDark.ico');
    nativeTheme.shouldUseDarkColorsForSystemIntegratedUI = true;
    nativeTheme.emit('updated');
    expect(basename(onlyTray().icon)).toBe('wellLight.ico');
    nativeTheme.shouldUseDarkColorsForSystemIntegratedUI = false;
  });

  test('is drawn double for dense displays on Linux', async () => {
    await raise();
    screen.display = { ...screen.display, scaleFactor: 2 };
    screen.emit('display-metrics-changed');
    expect(basename(onlyTray().icon)).toBe('well-22Light@2x.png');
    screen.display = { ...screen.display, scaleFactor: 1 };
  });
});

describe('the menu', () => {
  test('works alone: state, the three longest overdue, and everything else', async () => {
    const { service } = await raise();
    service.become({
      jobs: ['1', '2', '3', '4'].map((id) =>
        overdue(id, { startedAt: moment(lookMs - 3_600_000 * Number(id)), command: safe(`run ${id}`) }),
      ),
    });
    expect(labels()).toEqual([
      '4 jobs need a look · 4 B',
      'run 4 · 4 h',
      'run 3 · 3 h',
      'run 2 · 2 h',
      '1 more…',
      'Open Curfew',
      'Pause 1 h',
      'Observe',
      'Settings…',
      'History…',
      'Quit Curfew',
    ]);
  });

  test('ends all leftovers below a list of exactly what that is, and says in the tooltip and above it what they hold', async () => {
    const { service } = await raise();
    const left = (id: string, command: string) =>
      orphaned(id, null, {
        owner: 'gone',
        command: safe(command),
        holds: { rssBytes: 1_050_000_000, cpuPercent: 0, fds: 0, ports: [], locks: [], sockets: 0, outputBytes: null },
      });
    service.become({ jobs: [left('1', 'npm run dev'), left('2', 'tsc --watch'), snapshotJob('3')] });
    expect(onlyTray().tip).toContain('2 leftovers hold 2.1 GB');
    expect(labels().slice(0, 2)).toEqual(['2 jobs need a look · 2.1 GB', '2 leftovers hold 2.1 GB']);
    expect(onlyTray().tip).not.toContain('Freed');
    service.become({ freedThisWeek: { processes: 132, rssBytes: 14_200_000_000, since: null } });
    expect(onlyTray().tip).toMatch(/2 leftovers hold 2\.1 GB\nFreed this week: 14 GB, 132 processes$/u);
    const entry = desktop.menu?.shown().find(({ label }) => label === 'End all leftovers (2 jobs, 2.1 GB)…');
    expect(entry).toBeDefined();
    await obey({ do: 'choose', path: ['End all leftovers (2 jobs, 2.1 GB)…', 'End these 2 jobs'] });
    await pass();
    expect(service.asked).toEqual([
      {
        name: 'job.reapAll',
        input: {
          jobs: [
            { job: '1', host: 'local' },
            { job: '2', host: 'local' },
          ],
        },
      },
    ]);
  });

  test('asks the questions of its entries', async () => {
    const { service } = await raise();
    service.become({ jobs: [overdue('ab12', { command: safe('npm test') })] });
    await obey({ do: 'choose', path: ['npm test', 'End'] });
    await obey({ do: 'choose', path: ['npm test', 'Keep'] });
    await obey({ do: 'choose', path: ['Pause'] });
    await obey({ do: 'choose', path: ['Observe'] });
    await pass();
    expect(service.asked).toEqual([
      { name: 'job.reap', input: { job: 'ab12', host: 'local' } },
      { name: 'job.keep', input: { job: 'ab12', host: 'local', seconds: 1800 } },
      { name: 'watch.pause', input: { seconds: 3600 } },
      { name: 'mode.set', input: { mode: 'observe' } },
    ]);
  });

  test('shows a failure in a notification', async () => {
    const { service, told } = await raise();
    service.become({ jobs: [overdue('ab12')] });
    service.refusal = 'The record can’t be written.';
    await obey({ do: 'choose', path: ['npm test', 'End'] });
    await pass();
    expect(told('notification').at(-1)).toMatchObject({
      title: 'Curfew couldn’t do this',
      body: 'The record can’t be written.',
    });
  });

  test('offers no Reap where nothing can be reaped, and none for what is being ended', async () => {
    const { service } = await raise();
    service.become({ jobs: [overdue('1')], platform: { ...watching.platform, canReap: false } });
    await expect(obey({ do: 'choose', path: ['npm test', 'End'] })).rejects.toThrow('no entry');
    await obey({ do: 'choose', path: ['npm test', 'Keep'] });
  });

  test('shows other people’s text as it is: keys, control characters, turned directions', async () => {
    const { service } = await raise();
    service.become({ jobs: [overdue('1', { command: safe('a && b\u001B[31m \u202Egpj.exe') })] });
    expect(labels()).toContain('a && b␛[31m ⟨U+202E⟩gpj.exe · 2 h');
  });

  test('asks for the choice of a mode until it was made', async () => {
    await raise({}, { ...watching, mode: 'observe', modeChosen: false });
    await pass();
    onlyWindow().close();
    expect(labels()).toContain('Choose what Curfew may do…');
    await obey({ do: 'choose', path: ['Choose'] });
    expect(onlyWindow().contents.url).toBe('app://curfew/index.html#/welcome');
  });

  test('belongs to the panel on Linux, and opens with the right button elsewhere', async () => {
    await raise({ platform: 'win32' });
    expect(onlyTray().panelMenu).toBeNull();
    await obey({ do: 'right-click-tray' });
    expect(onlyTray().popped?.shown()[0]?.label).toBe('Nothing is left behind');
  });

  test('of a job about to be ended names it too', async () => {
    const { service } = await raise();
    service.become({ jobs: [orphaned('1', moment(lookMs + 60_000), { command: safe('sleep 600') })] });
    expect(labels()).toContain('sleep 600 · 2 h');
  });
});
