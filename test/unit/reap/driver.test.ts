import { drain } from '../../../app/process/steps.ts';
import { describe, expect, test } from 'vitest';
import type { SignalRecord } from '../../../app/history/incident.ts';
import type { ReapingState } from '../../../app/reap/machine.ts';
import type { Survey, Target } from '../../../app/reap/target.ts';
import type { Delivered, Deliverer, DrivenReaping, DriverRecord, PassResult } from '../../../main/reaping/driver.ts';
import { ReapingDriver } from '../../../main/reaping/driver.ts';
import { sightOf, target, veto } from './targets.ts';

/** What a look shows of each job, by its name; an error: it can't be enumerated. */
type Scene = Readonly<Record<string, Survey | Error>>;
interface Played extends DrivenReaping<Scene> {
  readonly name: string;
}

const fine: Delivered = { records: [], unanswered: null };
const both = sightOf([target(69, 69), target(70, 69)]);
const none = sightOf([]);

const delivererOf = (play: Play): Deliverer<Played, Scene, never> => ({
  // eslint-disable-next-line require-yield -- It waits for nothing.
  *deliver({ name }, _scene, { signal, orders }) {
    const pids = orders.flatMap((order) =>
      order.to === 'group' ? order.members.map(({ pid }) => pid) : [order.target.pid],
    );
    play.log.push([name, signal, ...pids].join(' '));
    const answer = play.answers.shift() ?? fine;
    if (answer instanceof Error) throw answer;
    return answer;
  },
});

/** A driver that notes what it does, in order, with a clock that goes when a test says so. */
class Play {
  readonly log: string[] = [];
  nowMs = 1000;
  /** Answers to signals, in order; then `fine`. */
  readonly answers: (Delivered | Error)[] = [];
  /** What can't be written. */
  readonly broken: { intent?: string; signalled?: string; together?: boolean } = {};
  readonly #begun = new Set<string>();
  readonly #driver: ReapingDriver<Played, Scene, never>;

  constructor(more: Partial<Deliverer<Played, Scene, never>> = {}) {
    const record: DriverRecord<Played, Scene> = {
      isBegun: ({ name }) => this.#begun.has(name),
      beginAll: (all) => {
        this.log.push(`intents of ${all.map(({ name }) => name).join(', ')}`);
        const failed = all.filter(({ name }) => name === this.broken.intent);
        for (const one of all) if (!failed.includes(one)) this.#begun.add(one.name);
        return new Map(failed.map((one) => [one, 'the disk is full']));
      },
      together: (write) => {
        this.log.push('(');
        write();
        if (this.broken.together === true) throw new Error('not synced');
        this.log.push(')');
      },
      signalled: ({ name }) => {
        if (this.broken.signalled === name) throw new Error('the disk is full');
        this.log.push(`signals to ${name}`);
      },
      end: ({ name }, _scene, _survey, outcome) => void this.log.push(`${name} ${outcome}`),
    };
    this.#driver = new ReapingDriver({ ...delivererOf(this), ...more }, record, () => this.nowMs);
  }

  /** One pass; its results, and what was done on the way. */
  pass(reapings: readonly Played[], scene: Scene): readonly (PassResult | undefined)[] {
    this.log.length = 0;
    const results = drain(this.#driver.pass(reapings, scene));
    return reapings.map((one) => results.get(one));
  }
}

const reaping = (name: string, state: ReapingState = { phase: 'starting' }): Played => ({
  name,
  plan: { signal: 'TERM', graceMs: 10_000, killRounds: 2, killPauseMs: 200 },
  state,
  waitUntilMs: 0,
  breaks: 0,
  restartsGrace: false,
  survey: (scene) => {
    const seen = scene[name];
    if (seen === undefined || seen instanceof Error) throw seen ?? new Error('no such job');
    return seen;
  },
});

const askedOf = ({ state }: Played): readonly number[] =>
  state.phase === 'asked' ? [...state.asked].map((key) => Number(key.split(':').at(-2))) : [];
const answered = (...results: readonly (readonly [Target, SignalRecord['result']])[]): Delivered => ({
  records: results.map(([{ pid }, result]) => ({
    atMs: 0,
    signal: 'TERM',
    target: `process ${pid}`,
    pids: [pid],
    result,
    note: null,
  })),
  unanswered: null,
});

describe('one pass', () => {
  test('writes all intents, then signals, then writes what came of it, as one', () => {
    const play = new Play();
    const [one, other] = [reaping('a'), reaping('b')];
    expect(play.pass([one, other], { a: both, b: both })).toEqual(['signalled', 'signalled']);
    expect(play.log).toEqual([
      'intents of a, b',
      'a TERM 69 70',
      'b TERM 69 70',
      '(',
      'signals to a',
      'signals to b',
      ')',
    ]);
    expect([one.waitUntilMs, other.waitUntilMs]).toEqual([11_000, 11_000]);
  });

  test('waits for the end of the grace without writing anything', () => {
    const play = new Play();
    const one = reaping('a');
    play.pass([one], { a: both });
    play.nowMs = 5000;
    one.waitUntilMs = 0;
    expect(play.pass([one], { a: both })).toEqual(['waits']);
    expect(play.log).toEqual([]);
    expect(one.waitUntilMs).toBe(11_000);
    play.nowMs = 11_000;
    expect(play.pass([one], { a: both })).toEqual(['signalled']);
    expect(play.log).toContain('a KILL 69 70');
    // What KILL did is to be seen at once.
    expect(one.waitUntilMs).toBe(11_000);
    expect(play.pass([one], { a: none })).toEqual(['ended']);
    expect(play.log).toEqual(['(', 'a killed', ')']);
    expect(one.state).toEqual({ phase: 'ended', outcome: 'killed' });
  });

  test('surveys anew between the intent and the first signal where the deliverer asks for that', () => {
    const play = new Play({ surveysAfterIntent: () => true });
    const one = reaping('a');
    expect(play.pass([one], { a: both })).toEqual(['recorded']);
    expect(play.log).toEqual(['intents of a']);
    expect(play.pass([one], { a: sightOf([target(71, 71)]) })).toEqual(['signalled']);
    expect(play.log[0]).toBe('a TERM 71');
  });

  test('writes the end of one without an intent on its own: a rival may stand in it', () => {
    const play = new Play();
    const [begun, fresh] = [reaping('a'), reaping('b')];
    play.pass([begun], { a: both });
    expect(play.pass([fresh, begun], { a: none, b: none })).toEqual(['ended', 'ended']);
    expect(play.log).toEqual(['b vanished', '(', 'a reaped', ')']);
  });

  test('lets the deliverer fetch what the record is to hold before the end, and only then', () => {
    const play = new Play({
      // eslint-disable-next-line require-yield -- It waits for nothing.
      *beforeEnd({ name }, _scene, _survey, outcome) {
        play.log.push(`before ${name} ${outcome}`);
      },
    });
    const one = reaping('a');
    play.pass([one], { a: both });
    expect(play.log.join()).not.toContain('before');
    play.pass([one], { a: both });
    expect(play.log.join()).not.toContain('before');
    play.pass([one], { a: none });
    expect(play.log).toEqual(['before a reaped', '(', 'a reaped', ')']);
  });
});

describe('an error gives up that reaping and no other', () => {
  const other = () => reaping('b');
  const scene = { a: both, b: both };

  test('where the job can’t be enumerated', () => {
    const error = new Error('unreadable');
    const play = new Play();
    expect(play.pass([reaping('a'), other()], { ...scene, a: error })).toEqual([{ error }, 'signalled']);
    expect(play.log.join()).not.toContain('a ');
  });

  test('where its intent can’t be written: it hears nothing', () => {
    const play = new Play();
    play.broken.intent = 'a';
    expect(play.pass([reaping('a'), other()], scene)).toEqual([{ error: 'the disk is full' }, 'signalled']);
    expect(play.log).toEqual(['intents of a, b', 'b TERM 69 70', '(', 'signals to b', ')']);
  });

  test('where its signal fails', () => {
    const error = new Error('the connection is lost');
    const play = new Play();
    play.answers.push(error);
    expect(play.pass([reaping('a'), other()], scene)).toEqual([{ error }, 'signalled']);
    expect(play.log.slice(2)).toEqual(['b TERM 69 70', '(', 'signals to b', ')']);
  });

  test('where its result can’t be written', () => {
    const play = new Play();
    play.broken.signalled = 'a';
    expect(play.pass([reaping('a'), other()], scene)).toEqual([{ error: new Error('the disk is full') }, 'signalled']);
  });

  test('but all of which the results may not be on disk: nothing more is signalled', () => {
    const play = new Play();
    const waiting = reaping('c');
    play.pass([waiting], { c: both });
    play.broken.together = true;
    const error = new Error('not synced');
    expect(play.pass([reaping('a'), other(), waiting], { ...scene, c: both })).toEqual([{ error }, { error }, 'waits']);
  });
});

describe('a process that may not have heard the first signal', () => {
  const [first, second] = [target(69, 69), target(70, 70)];
  const sight = sightOf([first, second]);

  test('was another program at that moment: it is asked when it is free to be signalled again', () => {
    const play = new Play();
    const one = reaping('a');
    play.answers.push(answered([first, 'sent'], [second, 'vetoed']));
    play.pass([one], { a: sight });
    expect(askedOf(one)).toEqual([69]);
    expect(play.pass([one], { a: sightOf([first, { ...second, vetoes: [veto] }]) })).toEqual(['waits']);
    play.pass([one], { a: sight });
    expect(play.log[0]).toBe('a TERM 70');
    expect(askedOf(one)).toEqual([69, 70]);
  });

  test('that was gone or refused is not asked again', () => {
    const play = new Play();
    const one = reaping('a');
    play.answers.push(answered([first, 'gone'], [second, 'refused']));
    play.pass([one], { a: sight });
    expect(askedOf(one)).toEqual([69, 70]);
  });

  test('gave no answer: it is asked again, and the whole grace counts anew for all, three times', () => {
    const play = new Play();
    const one = reaping('a');
    const lost: Delivered = { records: [], unanswered: { keys: new Set([second.key]), why: 'connection lost' } };
    for (const nowMs of [1000, 2000, 3000, 4000]) {
      play.nowMs = nowMs;
      play.answers.push(lost);
      expect(play.pass([one], { a: sight })).toEqual(['signalled']);
      expect(askedOf(one)).toEqual([69]);
      expect(one.state).toMatchObject({ askedAtMs: nowMs });
    }
    expect(one.restartsGrace).toBe(false);
    play.nowMs = 5000;
    play.pass([one], { a: sight });
    expect(one.state).toMatchObject({ askedAtMs: 4000 });
    expect(askedOf(one)).toEqual([69, 70]);
    play.nowMs = 14_000;
    play.pass([one], { a: sight });
    expect(play.log[0]).toBe('a KILL 69 70');
  });

  test('gave no answer to KILL: no grace begins', () => {
    const play = new Play();
    const one = reaping('a');
    play.pass([one], { a: sight });
    play.nowMs = 11_000;
    play.answers.push({ records: [], unanswered: { keys: new Set([second.key]), why: 'connection lost' } });
    play.pass([one], { a: sight });
    play.nowMs = 11_200;
    play.pass([one], { a: sight });
    expect(play.log[0]).toBe('a KILL 69 70');
    expect(one.state).toMatchObject({ phase: 'killing', round: 2 });
    expect(one.state).not.toHaveProperty('askedAtMs');
  });
});
