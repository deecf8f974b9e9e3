import { describe, expect, test } from 'vitest';
import { moment } from '../../../app/format/moment.ts';
import { incidentView } from '../../../app/documents/incident.ts';
import { bodyFor } from '../../../main/shell/notifications/body-for.ts';
import { desktop } from '../../desktop/stand-in/desktop.ts';
import { FakeNotification } from '../../desktop/stand-in/fake-notification.ts';
import { obey } from '../../desktop/stand-in/obey.ts';
import { incident, lookMs } from '../contract/samples.ts';
import { orphaned, overdue } from './overdue.ts';
import { onlyWindow, pass, PlayedService, raise, watching } from './stage.ts';
import { safe } from '../safe-text.ts';

const soon = 300;

const withNotifications = (change: Partial<typeof watching.settings.values.notifications>) => {
  const { settings } = watching;
  const notifications = { ...settings.values.notifications, ...change };
  return { ...watching, settings: { ...settings, values: { ...settings.values, notifications } } };
};

describe('a job that needs the user', () => {
  test('becomes one notification that says what, why and what will happen when', async () => {
    const { service, told } = await raise();
    service.notice(orphaned('ab12', moment(lookMs + 60_000), { command: safe('npm run dev') }));
    await pass(soon);
    expect(told('notification')).toEqual([
      expect.objectContaining({
        title: 'Claude Code in shop: a command was left behind',
        body: 'npm run dev\nIts session has ended.\nIt will be ended in 1 min unless you keep it.',
        actions: ['End', 'Keep 30 min'],
      }),
    ]);
  });

  test('can be reaped and kept from its notification', async () => {
    const { service, told } = await raise();
    service.notice(overdue('ab12'));
    await pass(soon);
    const [first] = told('notification');
    await obey({ do: 'press', id: first?.id ?? 0, index: 0 });
    service.notice(overdue('cd34'));
    await pass(soon);
    await obey({ do: 'press', id: told('notification').at(-1)?.id ?? 0, index: 1 });
    await pass();
    expect(service.asked).toEqual([
      { name: 'job.reap', input: { job: 'ab12', host: 'local' } },
      { name: 'job.keep', input: { job: 'cd34', host: 'local', seconds: 1800 } },
    ]);
  });

  test('opens its card by a click', async () => {
    const { service, told } = await raise();
    service.notice(overdue('ab12'));
    await pass(soon);
    await obey({ do: 'click-notification', id: told('notification')[0]?.id ?? 0 });
    await pass();
    expect(onlyWindow().contents.url).toBe('app://curfew/index.html#/popover/ab12');
  });

  test('is notified once for each state, whatever arrives', async () => {
    const { service, told } = await raise();
    const job = overdue('ab12');
    service.notice(job);
    await pass(soon);
    service.notice(job);
    await pass(soon);
    expect(told('notification')).toHaveLength(1);
    service.notice({ ...job, verdict: { ...job.verdict, state: 'past-cap' } });
    await pass(soon);
    expect(told('notification')).toHaveLength(2);
  });

  test('has no Reap where nothing can be reaped', async () => {
    const { service, told } = await raise({}, { ...watching, platform: { ...watching.platform, canReap: false } });
    service.notice(overdue('ab12'));
    await pass(soon);
    expect(told('notification')[0]?.actions).toEqual(['Keep 30 min']);
  });

  test('of a `curfew run` has no Keep past the hard cap, where it would be refused; another has', async () => {
    const { service, told } = await raise();
    const job = overdue('ab12');
    const run = { id: 'r1', background: true, maxElapsedSeconds: null, hardCapSeconds: 3600 };
    service.notice({ ...job, run, verdict: { ...job.verdict, state: 'past-cap' } });
    await pass(soon);
    expect(told('notification')[0]?.actions).toEqual(['End']);
  });

  test('announces no end while the record can’t be written', async () => {
    const { health } = watching;
    const { service, told } = await raise({}, { ...watching, health: { ...health, journalWritable: false } });
    service.notice(orphaned('ab12', moment(lookMs + 60_000)));
    await pass(soon);
    expect(told('notification')[0]?.body).not.toMatch(/is ended/u);
  });

  test('says that nothing happens by itself while observing', async () => {
    const { service, told } = await raise({}, { ...watching, mode: 'observe' });
    service.notice(orphaned('ab12', moment(lookMs)));
    await pass(soon);
    expect(told('notification')[0]?.body).toContain('Curfew won’t end it on its own.');
  });

  test('promises no keep beyond the hard cap', async () => {
    const { service, told } = await raise();
    const at = moment(lookMs + 7_200_000);
    service.notice(overdue('ab12', { verdict: { state: 'overdue', action: 'notify', at, endsAt: at, reasons: [] } }));
    await pass(soon);
    expect(told('notification')[0]?.body).toBe('npm test\nIt reaches the hard cap in 2 h and will be ended then.');
  });

  test('found by the first look is announced although there was no listener yet, but not what an earlier Curfew announced', async () => {
    const later = moment(Date.now() + 60_000);
    const jobs = [
      overdue('ab12', { command: safe('now'), noticedAt: later }),
      overdue('cd34', { command: safe('before'), noticedAt: moment(lookMs - 3_600_000) }),
    ];
    const { told } = await raise({}, { ...watching, jobs });
    await pass(soon);
    expect(told('notification').map(({ body }) => body.split('\n')[0])).toEqual(['now']);
  });

  test('loses its notification when it ends or is kept', async () => {
    const { service } = await raise();
    service.notice(overdue('ab12'));
    await pass(soon);
    expect(desktop.notifications.size).toBe(1);
    service.become({
      jobs: [{ ...overdue('ab12'), verdict: { state: 'kept', action: 'none', at: null, endsAt: null, reasons: [] } }],
    });
    expect(desktop.notifications.size).toBe(0);
  });
});

describe('in the Action Center of Windows', () => {
  test('one that ran out of time can still be clicked, and goes with its job', async () => {
    const { service, told } = await raise({ platform: 'win32' });
    service.notice(overdue('ab12'), overdue('cd34'));
    await pass(soon);
    const [first, second] = told('notification');
    for (const { id = 0 } of [first ?? {}, second ?? {}]) await obey({ do: 'time-out', id });
    await obey({ do: 'click-notification', id: first?.id ?? 0 });
    await pass();
    expect(onlyWindow().contents.url).toBe('app://curfew/index.html#/popover/ab12');
    service.become({ jobs: [] });
    expect(desktop.notifications.size).toBe(1);
    expect(desktop.notifications.has(second?.id ?? 0)).toBe(false);
  });

  test('a limited number is kept for that', async () => {
    const { service, told } = await raise({ platform: 'win32' });
    const ended = incidentView(incident);
    for (let index = 0; index < 40; index += 1) {
      service.tell({ kind: 'ended', incident: ended });
      await pass(soon);
      await obey({ do: 'time-out', id: told('notification').at(-1)?.id ?? 0 });
    }
    expect(told('notification')).toHaveLength(40);
    expect(desktop.notifications.size).toBeLessThanOrEqual(20);
  });
});

describe('many at once', () => {
  test('up to three are one each', async () => {
    const { service, told } = await raise();
    service.notice(overdue('1'), overdue('2'), overdue('3'));
    await pass(soon);
    expect(told('notification')).toHaveLength(3);
  });

  test('more become one, which leads to all of them', async () => {
    const { service, told } = await raise();
    service.notice(...['1', '2', '3', '4', '5'].map((id) => overdue(id, { command: safe(`run ${id}`) })));
    await pass(soon);
    expect(told('notification')).toEqual([
      expect.objectContaining({
        title: '5 background commands need a look',
        body: 'run 1\nrun 2\nrun 3\nand 2 others',
        actions: [],
      }),
    ]);
    await obey({ do: 'click-notification', id: told('notification')[0]?.id ?? 0 });
    expect(onlyWindow().contents.url).toBe('app://curfew/index.html#/popover');
  });
});

describe('the settings', () => {
  test('nothing is shown while paused', async () => {
    const { service, told } = await raise({}, { ...watching, pausedUntil: 'forever' });
    service.notice(overdue('1'));
    await pass(soon);
    expect(told('notification')).toEqual([]);
  });

  test('overdue jobs are silent if that is chosen, but an announced end is shown', async () => {
    const { service, told } = await raise({}, withNotifications({ overdue: false }));
    service.notice(overdue('1'), orphaned('2', moment(lookMs + 60_000), { command: safe('sleep 9') }));
    await pass(soon);
    expect(told('notification').map(({ body }) => body.split('\n')[0])).toEqual(['sleep 9']);
  });

  test('a sound is made if chosen', async () => {
    const { service, told } = await raise({}, withNotifications({ sound: true }));
    service.notice(overdue('1'));
    await pass(soon);
    expect(told('notification')[0]?.silent).toBe(false);
  });
});

describe('an end that counts only once the user has seen its notice', () => {
  const ending = () => orphaned('ab12', moment(lookMs + 60_000));
  const key = 'local:ab12';

  test('counts when the system says that it shows the notification', async () => {
    const { service } = await raise({ platform: 'darwin' });
    service.awaited.add(key);
    service.notice(ending());
    expect(service.seen).toEqual([]);
    await pass(soon);
    expect(service.seen).toEqual([key]);
  });

  test('does not count when the notification fails, which is told once', async () => {
    const warnings: string[] = [];
    const { service } = await raise({ platform: 'darwin', warn: (text) => warnings.push(text) });
    FakeNotification.answer = 'fails';
    service.awaited.add(key);
    service.notice(ending());
    await pass(soon);
    service.notice(ending());
    await pass(60_000);
    expect(service.seen).toEqual([]);
    expect(warnings).toEqual(['The system shows no notifications of Curfew: UNErrorDomain 1']);
  });

  test('does not count when the system says nothing, which is told after a while', async () => {
    const warnings: string[] = [];
    const { service } = await raise({ platform: 'darwin', warn: (text) => warnings.push(text) });
    FakeNotification.answer = 'is-silent';
    service.awaited.add(key);
    service.notice(ending());
    await pass(9_000);
    expect(warnings).toEqual([]);
    await pass(3_000);
    expect(service.seen).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  test('is shown again when it is announced again, though its state is the same', async () => {
    const { service, told } = await raise({ platform: 'darwin' });
    service.notice(ending());
    await pass(soon);
    service.awaited.add(key);
    service.notice(ending());
    await pass(soon);
    expect(told('notification')).toHaveLength(2);
    expect(service.seen).toContain(key);
  });

  test('counts without a notification where the user wants none', async () => {
    const { service, told } = await raise(
      { platform: 'darwin' },
      withNotifications({ overdue: false, beforeReap: false }),
    );
    service.awaited.add(key);
    service.notice(ending());
    await pass(soon);
    expect(told('notification')).toEqual([]);
    expect(service.seen).toEqual([key]);
  });

  test('does not count while Curfew is paused', async () => {
    const { service } = await raise({ platform: 'darwin' }, { ...watching, pausedUntil: moment(lookMs + 600_000) });
    service.awaited.add(key);
    service.notice(ending());
    await pass(soon);
    expect(service.seen).toEqual([]);
  });

  test('is shown by an app that was started anew, though it was told of before', async () => {
    const service = new PlayedService({
      ...watching,
      jobs: [{ ...ending(), noticedAt: moment(lookMs - 3_600_000) }],
    });
    service.awaited.add(key);
    await raise({ platform: 'darwin', openService: async () => service });
    await pass(soon);
    expect(service.seen).toEqual([key]);
  });
});

describe('after a reaping', () => {
  const ended = incidentView(incident);

  test('one quiet line says what was freed and leads to the record', async () => {
    const { service, told } = await raise();
    service.tell({ kind: 'ended', incident: ended });
    await pass(soon);
    const [line] = told('notification');
    expect(line).toMatchObject({ title: 'Curfew ended a command', silent: true });
    expect(line?.body).toContain('port 3000');
    await obey({ do: 'click-notification', id: line?.id ?? 0 });
    expect(onlyWindow().contents.url).toBe(`app://curfew/index.html#/history/${encodeURIComponent(ended.id)}`);
  });

  test('several are one', async () => {
    const { service, told } = await raise();
    for (const id of ['a', 'b', 'c']) service.tell({ kind: 'ended', incident: { ...ended, id } });
    await pass(soon);
    expect(told('notification').map(({ title }) => title)).toEqual(['Curfew ended 3 commands']);
  });

  test('nothing is shown if that is chosen, but a survivor always is', async () => {
    const { service, told } = await raise({}, withNotifications({ afterReap: false }));
    service.tell({ kind: 'ended', incident: ended });
    await pass(soon);
    expect(told('notification')).toEqual([]);
    service.tell({ kind: 'ended', incident: { ...ended, outcome: 'survived' } });
    await pass(soon);
    expect(told('notification').map(({ title }) => title)).toEqual(['Curfew couldn’t end a command']);
  });
});

describe('other people’s text', () => {
  test('is no markup for the notification servers of Linux', () => {
    const hostile = '<a href="http://x">click</a> && <img src="/etc/passwd">';
    expect(bodyFor('linux', hostile)).toBe(
      '&lt;a href="http://x"&gt;click&lt;/a&gt; &amp;&amp; &lt;img src="/etc/passwd"&gt;',
    );
    expect(bodyFor('darwin', hostile)).toBe(hostile);
  });

  test('has no control characters and turned directions left', async () => {
    const { service, told } = await raise();
    service.notice(
      overdue('1', { command: safe('x\u0007\u202E'), project: safe('/home/me/sh\u001Bop'), agent: 'new\nagent' }),
    );
    await pass(soon);
    const { title = '', body = '' } = told('notification')[0] ?? {};
    expect(title).toBe('new⏎agent in sh␛op: a command is overdue');
    expect(body.split('\n')[0]).toBe('x␇⟨U+202E⟩');
  });
});

describe('a notification that an earlier start left in the Action Center of Windows', () => {
  const used = { type: 'action', arguments: 'type=action&action=0&tag=1', actionIndex: 0 };

  test('opens the popover when it is used, and ends nothing', async () => {
    const { service } = await raise({ platform: 'win32' });
    FakeNotification.activated?.(used);
    await pass(1_000);
    expect(onlyWindow().contents.url).toBe('app://curfew/index.html#/popover');
    expect(service.asked).toEqual([]);
  });

  test('is told from one of this start, whose button answers once', async () => {
    const { service, told } = await raise({ platform: 'win32' });
    service.notice(overdue('ab12'));
    await pass(soon);
    FakeNotification.activated?.(used);
    await obey({ do: 'press', id: told('notification')[0]?.id ?? 0, index: 0 });
    await pass(1_000);
    expect(service.asked).toEqual([{ name: 'job.reap', input: { job: 'ab12', host: 'local' } }]);
    expect(desktop.windows.size).toBe(0);
  });

  test('is a matter of Windows only', async () => {
    await raise({ platform: 'darwin' });
    expect(FakeNotification.activated).toBeNull();
  });
});

describe('the sum of a week', () => {
  test('is shown quietly, once, and a press makes a rule of it', async () => {
    const service = new PlayedService({
      ...watching,
      freedThisWeek: { processes: 3, rssBytes: 2_000_000_000, since: null },
    });
    service.toldWeek = '1';
    service.repeats = [
      {
        id: 'i1',
        at: watching.at,
        agent: 'claude-code',
        project: null,
        command: safe('vite'),
        incidents: 4,
        freedBytes: 0,
      },
    ];
    const { told } = await raise({ openService: async () => service });
    await pass();
    const [shown, ...more] = told('notification');
    expect(shown).toMatchObject({
      title: 'Freed this week: 2.0 GB, 3 processes',
      body: '4 times: vite',
      actions: ['Never end vite', 'No weekly summary'],
    });
    expect(more).toEqual([]);
    service.become({ revision: 5 });
    await pass(soon);
    expect(told('notification')).toHaveLength(1);
    await obey({ do: 'press', id: shown?.id ?? 0, index: 0 });
    await pass();
    expect(service.asked).toEqual([{ name: 'history.exempt', input: { id: 'i1', scope: 'command' } }]);
  });
});
