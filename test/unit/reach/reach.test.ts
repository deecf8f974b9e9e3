import { describe, expect, test } from 'vitest';
import { canEnd, mayEndByItself, reachActions } from '../../../app/reach/units.ts';
import { rowOf } from '../judge/job-builder.ts';
import {
  agent,
  closed,
  endsOf,
  file,
  held,
  hungUp,
  nothing,
  open,
  pid,
  reachWith,
  remembered,
  tableOf,
  unseen,
} from './table.ts';

const stateOf = (more: Parameters<typeof reachWith>[0]): string => reachWith(more).state;

describe('what standard input and output say', () => {
  test('both hung up: out of reach, settled after 15 minutes', () => {
    expect(reachWith({ memory: remembered('hung-up', 10) })).toMatchObject({ state: 'unreachable', settled: false });
    expect(reachWith({ memory: remembered('hung-up', 901) })).toMatchObject({ state: 'unreachable', settled: true });
  });

  test('both closed: out of reach only after 15 minutes', () => {
    const ends = endsOf(closed, closed);
    expect(stateOf({ ends, memory: remembered('client-gone', 899) })).toBe('closed-lately');
    expect(stateOf({ ends, memory: remembered('client-gone', 901) })).toBe('unreachable');
  });

  test('memory of another state counts for nothing', () => {
    expect(stateOf({ ends: endsOf(closed, closed), memory: remembered('hung-up', 901) })).toBe('unknown');
  });

  for (const [name, input, output, state] of [
    ['output to a file', hungUp, file, 'headless'],
    ['output to nothing', nothing, nothing, 'headless'],
    ['output to a pipe that is read', nothing, open, 'headless'],
    ['only its output closed', open, closed, 'unknown'],
    ['only its output hung up', held, hungUp, 'unknown'],
    ['only its input hung up', hungUp, held, 'unknown'],
    ['input that can’t be read', unseen, hungUp, 'unknown'],
    ['output that can’t be read', hungUp, unseen, 'unknown'],
    ['a terminal that lives', held, held, 'reachable'],
  ] as const) {
    test(`${name}: ${state}, and no end of it`, () => {
      const reach = reachWith({
        ends: endsOf(input, output),
        memory: remembered('hung-up', 5000),
        holdersOf: () => null,
      });
      expect(reach.state).toBe(state);
      expect(canEnd(reach)).toBe(false);
    });
  }

  test('nothing that could be read: unknown', () => {
    expect(stateOf({ ends: null })).toBe('unknown');
  });

  test('a service of its agent stays one where the terminal it was started in is gone', () => {
    expect(stateOf({ isService: true, memory: remembered('hung-up', 901) })).toBe('service');
  });
});

describe('a terminal that lives', () => {
  const shell = rowOf(40, ['bash'], { startTicks: 900 });
  const inShell = rowOf(50, ['codex'], { ppid: shell.pid, sid: shell.sid, startTicks: 1000 });
  const onIt = endsOf(held, held, { tty: 34_819, foreground: 40 });

  test('in the background of a living shell it can be brought back', () => {
    expect(stateOf({ table: tableOf([shell, inShell]), row: inShell, ends: onIt })).toBe('reachable');
  });

  test('without a parent of its kernel session outside its group it is cut off', () => {
    const orphan = rowOf(50, ['codex'], { sid: shell.sid, startTicks: 1000 });
    expect(stateOf({ table: tableOf([shell, orphan]), row: orphan, ends: onIt })).toBe('cut-off');
    const hidden = { ...tableOf([shell, orphan]), complete: false };
    expect(stateOf({ table: hidden, row: orphan, ends: onIt })).toBe('reachable');
  });

  test('in the foreground it is not', () => {
    const orphan = rowOf(50, ['codex'], { sid: shell.sid, startTicks: 1000 });
    const ends = { ...onIt, foreground: 50 };
    expect(stateOf({ table: tableOf([shell, orphan]), row: orphan, ends })).toBe('reachable');
  });

  test('kept by a multiplexer it is detached only where no client is attached', () => {
    const tmux = rowOf(30, ['tmux: server'], { startTicks: 800 });
    const asked = { table: tableOf([tmux, agent]), ends: endsOf(held, held), holdersOf: () => [pid(30)] };
    expect(stateOf({ ...asked, hasClient: () => false })).toBe('detached');
    expect(stateOf({ ...asked, hasClient: () => true })).toBe('reachable');
    const other = rowOf(31, ['python3', 'recorder.py']);
    const both = { ...asked, table: tableOf([tmux, other, agent]), holdersOf: () => [pid(30), pid(31)] };
    expect(stateOf({ ...both, hasClient: () => false })).toBe('reachable');
  });
});

describe('open channels', () => {
  const ends = endsOf(open, open);
  const editor = rowOf(40, ['node', 'editor.js'], { startTicks: 900 });
  const below = rowOf(50, ['codex'], { ppid: editor.pid, startTicks: 1000 });

  test('held by its parent: reachable', () => {
    expect(stateOf({ table: tableOf([editor, below]), row: below, ends, holdersOf: () => [pid(40)] })).toBe(
      'reachable',
    );
  });

  test('held by a third process: held, by its name', () => {
    const third = rowOf(60, ['sleep', '77777']);
    const reach = reachWith({ table: tableOf([agent, third]), ends, holdersOf: () => [pid(60)] });
    expect(reach).toEqual({ state: 'held', holder: { pid: 60, name: 'sleep' } });
    expect(reachActions[reach.state]).toMatchObject({ button: true, automatic: 'never' });
  });

  test('held by a part of its pipeline: headless', () => {
    const tee = rowOf(60, ['tee', 'log'], { pgid: agent.pgid });
    expect(stateOf({ table: tableOf([agent, tee]), ends, holdersOf: () => [pid(60)] })).toBe('headless');
  });

  test('held by no process that is seen, or by what can’t be seen: unknown', () => {
    expect(stateOf({ ends, holdersOf: () => [] })).toBe('unknown');
    expect(stateOf({ ends, holdersOf: () => null })).toBe('unknown');
    const own = rowOf(51, ['node', 'mcp.js'], { ppid: agent.pid });
    expect(stateOf({ table: tableOf([agent, own]), ends, holdersOf: () => [pid(51)] })).toBe('unknown');
  });
});

describe('an agent that works is not out of reach', () => {
  const quiet = remembered('hung-up', 5000);

  for (const work of ['command', 'transcript', 'remote-control', 'connection'] as const) {
    test(`${work}: no end of it`, () => {
      const reach = reachWith({ memory: quiet, work });
      expect(reach).toMatchObject({ state: 'finishing', work });
      expect(canEnd(reach)).toBe(false);
    });
  }

  test('bytes in the last 15 minutes, and none before', () => {
    expect(stateOf({ memory: { ...quiet, workTicks: 1_000_000 - 89_000 } })).toBe('finishing');
    expect(stateOf({ memory: { ...quiet, workTicks: 1_000_000 - 91_000 } })).toBe('unreachable');
    // A moment of work may be noted a minute ahead.
    expect(stateOf({ memory: { ...quiet, workTicks: 1_000_000 + 6000 } })).toBe('finishing');
  });

  test('processor time alone is a turn at first, and a spin after 15 minutes, which never ends by itself', () => {
    const busy = { busyTicks: 1_000_000 };
    expect(stateOf({ memory: remembered('hung-up', 600, busy) })).toBe('finishing');
    const reach = reachWith({ memory: remembered('hung-up', 901, busy) });
    expect(reach).toMatchObject({ state: 'unreachable', spinning: true });
    expect(canEnd(reach)).toBe(true);
    expect(mayEndByItself(reach)).toBe(false);
  });
});
