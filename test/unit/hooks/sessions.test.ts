import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { HookEvent } from '../../../app/jobs/sessions/hook-event.ts';
import {
  registerHookEvents,
  sessionsFromEvents,
  type HookedSession,
} from '../../../app/jobs/sessions/hook-sessions.ts';
import { asBootId, asPid } from '../../../app/process/identity.ts';
import { fakeMachine, type Plant } from '../agents/fake-table.ts';

const claude = ['/opt/claude', '--permission-mode', 'manual'];
const takenAtMs = 1_000_000_000;

type Kind = HookEvent['kind'];
const event = (kind: Kind, more: Readonly<Record<string, unknown>> = {}): HookEvent => ({
  agent: 'claude-code',
  session: asAgentSessionId('one'),
  project: '/home/me/shop',
  atMs: takenAtMs,
  ancestors: [
    { pid: asPid(35), startTicks: 2000 },
    { pid: asPid(22), startTicks: 1000 },
    { pid: asPid(9), startTicks: 900 },
  ],
  declaredPid: asPid(22),
  kind,
  source: null,
  reason: null,
  task: null,
  backgroundTasks: null,
  ...more,
});

const table = (plants: readonly Plant[], complete = true) => fakeMachine(plants, { takenAtMs, complete }).table;
const terminal: Plant = { pid: 9, argv: ['-bash'], startTicks: 900 };
const living: Plant = { pid: 22, argv: claude, startTicks: 1000, ppid: 9 };
const alive = table([terminal, living]);
const dead = table([terminal]);

const after = (events: readonly HookEvent[], then = alive, first = alive) =>
  sessionsFromEvents(registerHookEvents([], events, first), then);

describe('a session', () => {
  test('that begins is known with its agent, found behind the shell of the hook', () => {
    expect(after([event('session-start')]).sessions).toMatchObject([
      {
        agent: 'claude-code',
        id: 'one',
        state: 'live',
        pid: 22,
        project: '/home/me/shop',
        process: { pid: 22, startTicks: 1000 },
      },
    ]);
  });

  test('whose agent was killed is gone; where processes are hidden, unknown', () => {
    expect(after([event('session-start')], dead).sessions).toMatchObject([{ state: 'gone', process: null, pid: 22 }]);
    expect(after([event('session-start')], table([terminal], false)).sessions).toMatchObject([{ state: 'unknown' }]);
  });

  test('whose pid went to another process, or of another boot, is gone', () => {
    const other = table([terminal, { ...living, startTicks: 1001 }]);
    expect(after([event('session-start')], other).sessions).toMatchObject([{ state: 'gone' }]);
    const reboot = { ...alive, bootId: asBootId('another') };
    expect(after([event('session-start')], reboot).sessions).toMatchObject([{ state: 'gone' }]);
  });

  test('that says it ends is not gone before its process is', () => {
    const events = [event('session-start', { atMs: takenAtMs - 9 }), event('session-end', { reason: 'other' })];
    expect(after(events).sessions).toMatchObject([{ state: 'unknown' }]);
    expect(after(events, dead).sessions).toMatchObject([{ state: 'gone' }]);
  });

  test.each(['clear', 'resume', 'compact'])('that ends by %s goes on', (reason) => {
    expect(after([event('session-start'), event('session-end', { reason })]).sessions).toMatchObject([
      { state: 'live' },
    ]);
  });

  test('that begins again under its id lives again', () => {
    const events = [
      event('session-end', { atMs: takenAtMs - 10, reason: 'other' }),
      event('session-start', { source: 'resume' }),
    ];
    expect(after(events).sessions).toMatchObject([{ state: 'live' }]);
  });

  test('the end of a reply ends nothing', () => {
    expect(after([event('session-start'), event('stop')]).sessions).toMatchObject([{ state: 'live' }]);
  });

  test('whose agent was never recognised is left out, unless it says that it ends', () => {
    const strange = table([terminal, { ...living, argv: ['/opt/something-else'] }]);
    expect(after([event('session-start')], strange, strange).sessions).toEqual([]);
    expect(after([event('session-start')], dead, dead).sessions).toEqual([]);
    expect(after([event('session-end')], dead, dead).sessions).toMatchObject([{ state: 'gone', pid: null }]);
  });

  test('is the nearest agent of its kind, not one around it nor another kind', () => {
    const outer: Plant = { pid: 9, argv: claude, startTicks: 900 };
    expect(after([event('session-start')], alive, table([outer, living])).sessions).toMatchObject([{ pid: 22 }]);
    const inCodex = event('session-start', { agent: 'codex' });
    expect(after([inCodex], alive, table([outer, living])).sessions).toEqual([]);
  });

  test('is found from the parent alone where a script sees no more', () => {
    const seen = event('session-start', { ancestors: [{ pid: asPid(35), startTicks: null }] });
    const shell: Plant = { pid: 35, argv: ['/bin/sh', '-c', 'x'], startTicks: 1000, ppid: 22 };
    expect(after([seen], alive, table([terminal, living, shell])).sessions).toMatchObject([{ state: 'live', pid: 22 }]);
  });
});

describe('moved to the background', () => {
  const successor: Plant = { pid: 461, argv: claude, startTicks: 3000 };
  const forked = event('session-start', {
    session: asAgentSessionId('two'),
    source: 'fork',
    atMs: takenAtMs + 4000,
    ancestors: [{ pid: asPid(461), startTicks: 3000 }],
  });
  const events = [event('session-start'), event('session-end', { reason: 'prompt_input_exit' }), forked];
  const both = table([terminal, living, successor]);

  test('the session has a living owner as long as its successor lives', () => {
    const { sessions, adoptions } = after(events, table([terminal, successor]), both);
    expect(sessions).toMatchObject([
      { id: 'one', state: 'gone' },
      { id: 'two', state: 'live' },
    ]);
    expect(adoptions).toMatchObject([{ agent: 'claude-code', session: 'one', by: { pid: 461 } }]);
    expect(after(events, dead, both).adoptions).toEqual([]);
  });

  test('a fork elsewhere or much later takes nothing over', () => {
    const elsewhere = { ...forked, project: '/home/me/other' };
    expect(after([...events.slice(0, 2), elsewhere], both, both).adoptions).toEqual([]);
    const later = { ...forked, atMs: takenAtMs + 3600_000 };
    expect(after([...events.slice(0, 2), later], both, both).adoptions).toEqual([]);
  });
});

describe('a living session that counts the command of another among its own', () => {
  const ancestors = [{ pid: asPid(461), startTicks: 3000 }];
  const two = { session: asAgentSessionId('two'), project: '/home/me/other', ancestors };
  const begun = event('session-start', two);
  const reply = (...tasks: readonly string[]): HookEvent =>
    event('stop', {
      ...two,
      atMs: takenAtMs + 5,
      backgroundTasks: tasks.map((id) => ({ id, status: 'running', command: null })),
    });
  const events = [event('session-start'), event('tool', { task: 'b1' }), event('session-end'), begun];
  const successor: Plant = { pid: 461, argv: claude, startTicks: 3000 };
  const both = table([terminal, living, successor]);
  const later = table([terminal, successor]);

  test('has taken it over, however it came to it', () => {
    expect(after([...events, reply('b1', 'b2')], later, both).adoptions).toMatchObject([
      { agent: 'claude-code', session: 'one', by: { pid: 461 } },
    ]);
  });

  test('has not, where it names none of them, has ended them, or has ended itself', () => {
    expect(after([...events, reply('b2')], later, both).adoptions).toEqual([]);
    const ended = event('stop', { ...two, atMs: takenAtMs + 9, backgroundTasks: [] });
    expect(after([...events, reply('b1'), ended], later, both).adoptions).toEqual([]);
    expect(after([...events, reply('b1')], dead, both).adoptions).toEqual([]);
    const killed = event('stop', {
      ...two,
      backgroundTasks: [{ id: 'b1', status: 'completed', command: null }],
    });
    expect(after([...events, killed], later, both).adoptions).toEqual([]);
  });
});

test('order and repetition of events make no difference', () => {
  const some = [
    event('session-start', { atMs: takenAtMs - 30 }),
    event('tool', { atMs: takenAtMs - 20, task: 'b1' }),
    event('stop', { atMs: takenAtMs - 18, backgroundTasks: [{ id: 'b1', status: 'running', command: null }] }),
    event('stop', { atMs: takenAtMs - 15, backgroundTasks: [{ id: 'b2', status: null, command: null }] }),
    event('session-end', { atMs: takenAtMs - 10, reason: 'other' }),
    event('session-start', { session: asAgentSessionId('three'), atMs: takenAtMs - 5 }),
  ];
  const expected = registerHookEvents([], some, alive);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(some, { minLength: some.length }),
      fc.array(fc.constantFrom(...some)),
      (shuffled, again) => {
        const once = registerHookEvents([], shuffled, alive);
        const twice = registerHookEvents(once, again, alive);
        const known = (sessions: readonly HookedSession[]) =>
          sessions.toSorted((left, right) => left.id.localeCompare(right.id));
        expect(known(twice)).toEqual(known(expected));
      },
    ),
  );
});

test('the register stays bounded', () => {
  const many = Array.from({ length: 2000 }, (_, index) =>
    event('session-start', { session: asAgentSessionId(`s-${index}`), atMs: takenAtMs - 2000 + index }),
  );
  const register = registerHookEvents([], many, alive);
  expect(register).toHaveLength(512);
  expect(register.at(-1)?.id).toBe('s-1999');
  const old = registerHookEvents([], [event('session-end', { atMs: takenAtMs - 10 * 86_400_000 })], dead);
  expect(old).toEqual([]);
});
