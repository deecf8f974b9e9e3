import { describe, expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell, sessionA } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const env = claudeEnvironment({ pid: 34 });
/**
 * A tool shell with two children, and a stray one in a session of its own; past the grace of an
 * orphan and below every other limit. Its agent is dead unless it is started, too.
 */
const job: readonly Plant[] = [
  { pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9 | cat'), env },
  { pid: 70, start: 99_001, ppid: 69, argv: 'sleep 9', env },
  { pid: 71, start: 99_002, ppid: 69, argv: 'cat', env },
  { pid: 85, start: 99_003, ppid: 69, sid: 85, argv: 'sleep 10', env },
];

const begun = (stage: Stage, decidedBy: 'rule' | 'person' = 'rule'): void => {
  stage.reaper.advance(stage.begin(69, decidedBy));
};

const kinds = (stage: Stage): readonly string[] => stage.journal.events.map(({ kind }) => kind);

describe('one reaping', () => {
  test('the intent is on disk before anything is signalled; groups as groups, the stray one too; then the end', () => {
    const stage = new Stage(...job);
    let intentsAtFirstSignal = -1;
    stage.onSignal = () => {
      if (intentsAtFirstSignal === -1) intentsAtFirstSignal = stage.journal.intents.length;
    };
    begun(stage);
    expect(intentsAtFirstSignal).toBe(1);
    expect(stage.signals).toEqual(['group TERM 69', 'group TERM 70', 'group TERM 71', 'group TERM 85']);
    expect(stage.finish()).toEqual(['reaped']);
    expect(kinds(stage)).toEqual(['signal', 'signal', 'died', 'ended']);
    expect(stage.journal.events.at(-1)).toMatchObject({ outcome: 'reaped', survivors: [], freed: { processes: 4 } });
  });

  test('no process is signalled that another Curfew is ending, also one that began after the look', () => {
    const other = new Stage(...job);
    begun(other);
    const stage = new Stage(...job);
    const look = stage.begin(69);
    stage.machine.start({ pid: 998, argv: 'curfew reap' });
    const startTicks = stage.machine.source.read(asPid(998))?.startTicks ?? 0;
    stage.journal.intents.push(...other.journal.intents.map((one) => ({ ...one, writer: { pid: 998, startTicks } })));
    const { failed } = stage.reaper.advance(look);
    expect(failed.map(({ error }) => String(error))).toEqual([expect.stringContaining('process 998')]);
    expect(stage.signals).toEqual([]);
  });

  test('the deaf are killed when the grace is over and not before, although their leader died', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    begun(stage);
    stage.pass(9);
    stage.advance();
    expect(stage.signals.filter((signal) => signal.includes('KILL'))).toEqual([]);
    expect(stage.finish()).toEqual(['killed']);
    expect(stage.signals.filter((signal) => signal.includes('KILL'))).toEqual(['KILL 70']);
  });

  test('work in progress gets thirty seconds', () => {
    const stage = new Stage(...job, { pid: 72, ppid: 69, argv: 'git gc', env });
    stage.deaf.add(72);
    begun(stage);
    stage.pass(29);
    stage.advance();
    expect(stage.signals.filter((signal) => signal.includes('KILL'))).toEqual([]);
    expect(stage.finish()).toEqual(['killed']);
  });

  test('what is forked meanwhile is asked and killed with the rest', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    begun(stage);
    stage.pass(1);
    stage.machine.start({ pid: 90, ppid: 70, pgid: 90, argv: 'sleep 11', env });
    stage.deaf.add(90);
    stage.advance();
    expect(stage.signals.at(-1)).toBe('group TERM 90');
    expect(stage.finish()).toEqual(['killed']);
    expect(stage.machine.planted(90)).toBeUndefined();
  });

  test('what is started meanwhile in a kernel session of its own may have been asked for: it stays', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    begun(stage);
    stage.pass(1);
    stage.machine.start({ pid: 90, ppid: 70, sid: 90, argv: 'node batch.js', env });
    stage.finish();
    expect(stage.signals.filter((signal) => signal.includes('90'))).toEqual([]);
    expect(stage.machine.planted(90)).toBeDefined();
  });

  test('a stopped process is made to run after the signal', () => {
    const stage = new Stage(...job);
    stage.machine.change(70, { state: 'T' });
    stage.deaf.add(70);
    begun(stage);
    expect(stage.signals.indexOf('CONT 70')).toBeGreaterThan(stage.signals.indexOf('group TERM 70'));
  });

  test('who can’t be killed survives, and is named', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    stage.unkillable.add(70);
    begun(stage);
    expect(stage.finish()).toEqual(['survived']);
    expect(stage.journal.events.at(-1)).toMatchObject({ survivors: [{ pid: 70 }], freed: { processes: 3 } });
  });

  test('none is left when it begins: recorded as gone by itself, nothing signalled', () => {
    const stage = new Stage(...job);
    const look = stage.begin(69);
    for (const pid of [70, 71, 85, 69]) stage.machine.end(pid);
    stage.reaper.advance(look);
    expect(stage.signals).toEqual([]);
    expect(stage.journal.events.at(-1)).toMatchObject({ outcome: 'vanished' });
  });

  test('another program ends it between the intent and the signals: recorded as gone, nothing freed', () => {
    const stage = new Stage(...job);
    const look = stage.begin(69);
    const ended = [70, 85, 69];
    const begin = stage.journal.begin.bind(stage.journal);
    stage.journal.begin = (...intent) => {
      begin(...intent);
      for (const pid of ended) stage.machine.end(pid);
    };
    // One of them before a process was to be signalled, the others after that look.
    stage.machine.end(71);
    stage.reaper.advance(look);
    stage.finish();
    expect(stage.journal.events.at(-1)).toMatchObject({ outcome: 'vanished', freed: { processes: 0, rssBytes: 0 } });
  });

  test('the wall clock is put forward by an hour: the grace is not over', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    begun(stage);
    stage.wallMs += 3_600_000;
    stage.advance();
    expect(stage.signals.filter((signal) => signal.includes('KILL'))).toEqual([]);
  });

  test('the machine sleeps for eight hours: those who were asked get the rest of their grace afterwards', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    stage.reaper.advance(stage.begin(69));
    stage.advance();
    const asked = stage.signals.length;
    stage.machine.pass(8 * 3600);
    stage.wallMs += 8 * 3_600_000;
    expect(stage.advance()).toEqual([]);
    expect(stage.signals).toHaveLength(asked);
    expect(stage.finish()).toEqual(['killed']);
  });

  test('the wall clock is put back by an hour: the grace ends all the same', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    begun(stage);
    stage.wallMs -= 3_600_000;
    expect(stage.finish()).toEqual(['killed']);
  });
});

describe('what stops a reaping', () => {
  test('the intent can’t be written: nothing is signalled', () => {
    const stage = new Stage(...job);
    stage.journal.broken = 'intent';
    expect(stage.reaper.advance(stage.begin(69)).failed).toHaveLength(1);
    expect(stage.signals).toEqual([]);
    expect(stage.reaper.inProgress).toEqual([]);
  });

  test('a result can’t be written: nothing is signalled from then on', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    stage.journal.onWrite = () => {
      if (stage.heard.length > 0) stage.journal.broken = 'events';
    };
    expect(stage.reaper.advance(stage.begin(69)).failed).toHaveLength(1);
    const heard = stage.signals.length;
    stage.pass(60);
    expect(stage.advance()).toEqual([]);
    expect(stage.signals).toHaveLength(heard);
  });

  test('a veto before the first signal: the whole job is spared, and that is recorded', () => {
    const stage = new Stage(...job, { pid: 72, ppid: 69, argv: 'node bot.js', env: { ...env, CURFEW_KEEP: '1' } });
    begun(stage);
    expect(stage.signals).toEqual([]);
    expect(stage.journal.events.map((event) => event.kind)).toEqual(['veto', 'ended']);
  });

  test('a veto that only a fresh reading shows: who has it hears nothing', () => {
    const stage = new Stage(...job);
    const look = stage.begin(69);
    stage.machine.change(71, { argv: 'vim notes', comm: 'vim' });
    stage.reaper.advance(look);
    expect(stage.signals).toEqual(['TERM 69', 'TERM 70', 'group TERM 85']);
  });

  test('a veto between TERM and KILL: who has it is not killed', () => {
    const stage = new Stage(...job);
    for (const pid of [70, 71]) stage.deaf.add(pid);
    begun(stage);
    stage.pass(5);
    stage.machine.change(71, { env: { ...env, CURFEW_KEEP: '1' } });
    expect(stage.finish()).toEqual(['survived']);
    expect(stage.signals.filter((signal) => signal.includes('KILL'))).toEqual(['KILL 70']);
    expect(stage.machine.planted(71)).toBeDefined();
  });

  test('a process is another between the look and the signal: it hears nothing', () => {
    const stage = new Stage(...job);
    const look = stage.begin(69);
    stage.machine.end(85);
    stage.machine.start({ pid: 85, sid: 85, argv: 'node mine.js' });
    stage.reaper.advance(look);
    expect(stage.signals.filter((signal) => signal.endsWith(' 85'))).toEqual([]);
  });

  test('a process dies of TERM and its pid is another’s by the time of KILL: that one hears nothing', () => {
    const stage = new Stage(...job);
    stage.deaf.add(70);
    begun(stage);
    stage.pass(5);
    stage.machine.start({ pid: 71, sid: 71, argv: 'node mine.js' });
    expect(stage.finish()).toEqual(['killed']);
    expect(stage.signals.filter((signal) => signal.includes('KILL'))).toEqual(['KILL 70']);
    expect(stage.machine.planted(71)).toBeDefined();
  });

  test('a stranger comes into the group: no signal to the group', () => {
    const stage = new Stage(...job);
    const look = stage.begin(69);
    stage.machine.start({ pid: 95, sid: 69, pgid: 69, argv: 'node mine.js', uid: 0 });
    expect(look.jobs.size).toBe(1);
    stage.advance();
    expect(stage.signals.filter((signal) => signal.startsWith('group TERM 69'))).toEqual([]);
    expect(stage.signals.filter((signal) => signal.endsWith(' 95'))).toEqual([]);
  });

  test('its session turns out to live (taken over): nothing more is signalled', () => {
    const stage = new Stage(...job, { pid: 461, argv: ['claude bg-spare'] });
    stage.deaf.add(70);
    begun(stage);
    stage.pass(5);
    stage.adopt(sessionA, 461);
    expect(stage.finish()).toEqual(['survived']);
    expect(stage.signals.filter((signal) => signal.includes('KILL'))).toEqual([]);
  });

  test('the same before the first signal: spared', () => {
    const stage = new Stage(...job);
    const look = stage.begin(69);
    expect([...look.jobs.values()][0]?.job.owner.state).toBe('gone');
    stage.machine.start({ ...agent, start: 1 });
    expect(stage.advance()).toEqual(['spared']);
    expect(stage.signals).toEqual([]);
  });

  for (const [what, change] of [
    ['puts it off', (stage: Stage) => stage.ledger.forEach(({ id }) => stage.keep(id, 3_600))],
    ['switches to observing', (stage: Stage) => (stage.settings = { ...stage.settings, mode: 'observe' })],
    [
      'exempts its project',
      (stage: Stage) =>
        (stage.settings = {
          ...stage.settings,
          exemptions: [{ project: '/home/me', createdAt: '2026-11-21T00:00:00.000Z' }],
        }),
    ],
  ] as const) {
    test(`the user ${what} in the middle: what a rule began ends there, what the user began does not`, () => {
      for (const decidedBy of ['rule', 'person'] as const) {
        const stage = new Stage({ ...agent }, ...job);
        stage.settings = { ...stage.settings, orphanGraceSeconds: 0 };
        stage.machine.end(34);
        stage.deaf.add(70);
        begun(stage, decidedBy);
        stage.pass(5);
        change(stage);
        expect(stage.finish()).toEqual([decidedBy === 'rule' ? 'survived' : 'killed']);
        expect(stage.machine.planted(70) === undefined).toBe(decidedBy === 'person');
      }
    });
  }

  test('a member that nothing ties to the job any more is signalled no more', () => {
    const stage = new Stage(...job);
    for (const pid of [70, 85]) stage.deaf.add(pid);
    begun(stage);
    stage.pass(5);
    stage.ledger = [];
    stage.machine.change(85, { env: {}, argv: 'node' });
    stage.finish();
    expect(stage.signals.filter((signal) => signal.includes('KILL') && signal.endsWith('85'))).toEqual([]);
  });
});

test('two jobs at once, from the same looks, each with its own end', () => {
  const stage = new Stage(...job, { pid: 100, sid: 100, argv: claudeShell('sleep 12'), env });
  stage.deaf.add(100);
  stage.begin(69);
  stage.reaper.advance(stage.begin(100));
  expect(new Set(stage.finish())).toEqual(new Set(['killed', 'reaped']));
  expect(stage.journal.intents).toHaveLength(2);
});

test('the same job is taken up once', () => {
  const stage = new Stage(...job);
  stage.begin(69);
  stage.begin(69);
  expect(stage.reaper.inProgress).toHaveLength(1);
});
