import { inWordsOfKeys } from '../../../../app/format/said.ts';
import { knownBy } from '../../../../app/model/owner-sign.ts';
import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../../../app/agents/common/agent-id.ts';
import type { HookEvent, HookProcess, HookTask } from '../../../../app/jobs/sessions/hook-event.ts';
import {
  registerHookEvents,
  sessionsFromEvents,
  type HookedSession,
} from '../../../../app/jobs/sessions/hook-sessions.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { fakeMachine, type Plant } from '../../agents/fake-table.ts';

const takenAtMs = 1_000_000_000;
const hour = 3600_000;
const claude: Plant = { pid: 22, argv: ['/opt/claude'], startTicks: 1000 };
const heir: Plant = { pid: 61, argv: ['/opt/claude'], startTicks: 3000 };
const tableOf = (...plants: readonly Plant[]) => fakeMachine(plants, { takenAtMs }).table;
const both = tableOf(claude, heir);

/** Of which session an event is, and when; milliseconds from the look. */
interface Where {
  readonly at?: number;
  readonly agent?: 'claude-code' | 'codex';
  readonly project?: string | null;
  readonly ancestors?: readonly HookProcess[];
}
const heirs = { ancestors: [{ pid: asPid(61), startTicks: 3000 }] };
const from = (session: string, { at, agent, project, ancestors }: Where) => ({
  agent: agent ?? 'claude-code',
  session: asAgentSessionId(session),
  project: project === undefined ? '/home/me/shop' : project,
  atMs: takenAtMs + (at ?? 0),
  ancestors: ancestors ?? [{ pid: asPid(22), startTicks: 1000 }],
  declaredPid: null,
});
const start = (session: string, where: Where = {}, source: string | null = null): HookEvent => ({
  ...from(session, where),
  kind: 'session-start',
  source,
});
const tool = (session: string, task: string | null, where: Where = {}): HookEvent => ({
  ...from(session, where),
  kind: 'tool',
  task,
});
const stop = (session: string, tasks: readonly HookTask[] | null, where: Where = {}): HookEvent => ({
  ...from(session, where),
  kind: 'stop',
  backgroundTasks: tasks,
});
const end = (session: string, where: Where = {}): HookEvent => ({
  ...from(session, where),
  kind: 'session-end',
  reason: null,
});
const task = (id: string, status: string | null = 'running'): HookTask => ({ id, status, command: null });

const registered = (events: readonly HookEvent[], table = both): readonly HookedSession[] =>
  registerHookEvents([], events, table);
/** The one session that these events tell of. */
const only = (events: readonly HookEvent[], table = both): HookedSession => {
  const [first, ...more] = registered(events, table);
  if (first === undefined || more.length > 0) throw new Error('it was to be one session');
  return first;
};

describe('the agent behind a hook', () => {
  test('is not the process that has its pid by now', () => {
    expect(only([start('one')], tableOf({ ...claude, startTicks: 1001 })).process).toBeNull();
  });

  test('where a script sees no start times, is the process that had that pid when the hook ran, and none younger', () => {
    const ancestors = [{ pid: asPid(22), startTicks: null }];
    // 100 ticks a second, 100,000 of them since boot: this one began 990 s before the look.
    const begun = -990_000;
    expect(only([start('one', { ancestors, at: begun })]).process).toMatchObject({ pid: 22 });
    expect(only([start('one', { ancestors, at: begun - 1 })]).process).toBeNull();
  });

  test('is looked for once around where parents go in a circle, as a table read while pids were given away can show them', () => {
    const shell: Plant = { pid: 35, argv: ['sh'], startTicks: 1000, ppid: 36 };
    const torn = tableOf(shell, { ...shell, pid: 36, ppid: 35 });
    expect(only([start('one', { ancestors: [{ pid: asPid(35), startTicks: 1000 }] })], torn).process).toBeNull();
  });
});

describe('what a session is remembered by', () => {
  test('its project, also where a later event names none', () => {
    expect(only([start('one', { project: null })]).project).toBeNull();
    expect(only([start('one', { at: -9 }), tool('one', null, { project: null })]).project).toBe('/home/me/shop');
  });

  test('the commands that it told of and those that run; none where it told of none', () => {
    expect(only([start('one'), tool('one', null), stop('one', null)])).toMatchObject({ tasks: [], running: [] });
    const tasks = [task('b1', 'completed'), task('b2'), task('b3', null)];
    expect(only([stop('one', tasks)])).toMatchObject({ tasks: ['b1', 'b2', 'b3'], running: ['b2', 'b3'] });
  });

  test('a list counts that came in the same millisecond as what was known, and an older one does not', () => {
    const later = tool('one', 'b1', { at: -5 });
    expect(only([later, stop('one', [task('b1')], { at: -5 })]).running).toEqual(['b1']);
    const known = registered([later]);
    const [session] = registerHookEvents(known, [stop('one', [task('b1')], { at: -6 })], both);
    expect(session?.running).toEqual([]);
  });

  test('the latest 256 of its commands', () => {
    const many = Array.from({ length: 300 }, (_, index) => `b${index}`);
    const { tasks, running } = only([
      stop(
        'one',
        many.map((id) => task(id)),
      ),
    ]);
    expect(tasks).toEqual(many.slice(44));
    expect(running).toEqual(many.slice(44));
  });

  test('its end, whichever of two events of one millisecond is told first', () => {
    const [said, used] = [end('one'), tool('one', null)];
    expect(only([said, used]).ended).toEqual({ atMs: takenAtMs, reason: null });
    expect(only([used, said]).ended).toEqual({ atMs: takenAtMs, reason: null });
  });
});

describe('a session is remembered', () => {
  const old = start('one', { at: -48 * hour });
  test('for 48 hours after its latest event', () => {
    expect(registered([start('one', { at: -48 * hour + 1 })], tableOf())).toHaveLength(1);
    expect(registered([old], tableOf())).toEqual([]);
  });

  test('as long as its agent lives, and then no more', () => {
    expect(registered([old])).toHaveLength(1);
    expect(registerHookEvents(registered([old]), [], tableOf(heir))).toEqual([]);
  });

  test('in the order of the latest events', () => {
    const events = [start('one', { at: -30 }), start('two', { at: -20 }), tool('one', null, { at: -10 })];
    expect(registered(events).map(({ id }) => id)).toEqual(['two', 'one']);
  });
});

describe('a fork goes on with', () => {
  const fork = (where: Where = {}): HookEvent => start('fork', { ...heirs, ...where }, 'fork');
  const continued = (...events: readonly HookEvent[]) =>
    registered(events).find(({ id }) => id === 'fork')?.continues ?? null;

  test('the session of its project that was active last, whichever is known longer', () => {
    const [one, two] = [start('one', { at: -30 }), start('two', { at: -20 })];
    expect(continued(one, two, fork())).toBe('two');
    expect(continued(one, two, tool('one', null, { at: -10 }), fork())).toBe('one');
  });

  test('one that was active two minutes before at most', () => {
    expect(continued(start('one', { at: -120_000 }), fork())).toBe('one');
    expect(continued(start('one', { at: -120_001 }), fork())).toBeNull();
  });

  test('the same one when it is told twice, and after whatever it does next', () => {
    const one = start('one', { at: -9 });
    expect(continued(one, fork(), fork())).toBe('one');
    expect(continued(one, fork(), tool('fork', null, { ...heirs, at: 9 }))).toBe('one');
  });

  test('none of another agent, and none where neither says its project', () => {
    expect(continued(start('one', { at: -9, agent: 'codex' }), fork())).toBeNull();
    expect(continued(start('one', { at: -9, project: null }), fork({ project: null }))).toBeNull();
  });

  test('and what takes a session over says by what that is known', () => {
    const { adoptions } = sessionsFromEvents(registered([start('one', { at: -9 }), fork()]), both);
    expect(adoptions.map(({ evidence }) => inWordsOfKeys(evidence))).toEqual([
      'session fork was forked off in the same project when it ended',
    ]);
  });
});

describe('of the sessions in the register', () => {
  test('one that said that it ends is gone with its process, also where processes are hidden', () => {
    const register = registered([start('one', { at: -9 }), end('one')]);
    const { sessions } = sessionsFromEvents(register, fakeMachine([], { takenAtMs, complete: false }).table);
    expect(sessions).toMatchObject([{ state: 'gone', source: 'its hooks' }]);
  });

  test('one takes over whose command it names, of its own agent only', () => {
    const reply = stop('two', [task('b1')], heirs);
    const adopted = (agent: 'claude-code' | 'codex') =>
      sessionsFromEvents(registered([tool('one', 'b1', { agent }), reply]), both).adoptions;
    expect(adopted('claude-code')).toMatchObject([
      {
        session: 'one',
        by: { pid: 61 },
        evidence: knownBy('session {id} reports its background command {task}', { id: 'two', task: 'b1' }),
      },
    ]);
    expect(adopted('codex')).toEqual([]);
  });
});
