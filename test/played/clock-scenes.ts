import { describe, expect, test } from 'vitest';
import type { PlayedKernel, PlayedMachine } from './played-machine.ts';

// Where start times are of the wall clock, what this clock gains on the time awake is no age: where
// it is set forward, where a host slept below its guest, where another system left the hardware's
// clock in another zone. `setClock` is all of these: the time awake stands still.

const hour = 3_600;
const minute = 60;

/** A desktop in which a session lives, with a command that is at work. */
export interface Desktop {
  readonly machine: PlayedMachine<PlayedKernel>;
  readonly setClock: (seconds: number) => void;
  /** The command computes for so many seconds. */
  readonly compute: (seconds: number) => void;
  readonly isAlive: () => boolean;
  /** Starts a second command beside it, and returns how to ask whether it lives. */
  readonly startsLate: () => () => boolean;
  readonly endAgent: () => void;
  /** Everything that was sent. */
  readonly signals: () => readonly unknown[];
  /** The kernel tells starts by a clock that is never set: then no step makes anything younger. */
  readonly exact: boolean;
}

/** A desktop, and what is done with it. */
class Played {
  readonly #desktop: Desktop;
  readonly setClock: Desktop['setClock'];
  readonly startsLate: Desktop['startsLate'];
  readonly signals: Desktop['signals'];

  constructor(desktop: Desktop) {
    this.#desktop = desktop;
    ({ setClock: this.setClock, startsLate: this.startsLate, signals: this.signals } = desktop);
  }

  get isAlive(): boolean {
    return this.#desktop.isAlive();
  }

  get noticed(): readonly string[] {
    return this.#desktop.machine.noticed;
  }

  get noticeSeconds(): number {
    return this.#desktop.machine.settings.noticeSeconds;
  }

  get exact(): boolean {
    return this.#desktop.exact;
  }

  restart(): void {
    this.#desktop.machine.restart();
  }

  /** Lets steady time pass with a look every few seconds; the command computes all the while. */
  works(seconds: number, everySeconds = 30): void {
    for (let passed = 0; passed < seconds; passed += everySeconds) {
      this.#desktop.compute(everySeconds);
      this.#desktop.machine.watch(everySeconds, everySeconds);
    }
  }

  /** How old its job is, in minutes. */
  ageMinutes(): number {
    const [judged] = this.#desktop.machine.look().jobs.values();
    return Math.round((judged?.job.ageSeconds ?? Number.NaN) / minute);
  }

  /** Its agent is gone, and the end of what it left is announced. */
  orphaned(): void {
    this.#desktop.endAgent();
    while (this.noticed.length === 0) this.works(10, 10);
  }
}

/** Plays what a clock that is set could do to a working command and to what a session left. */
export const clockScenes = (make: () => Desktop): void => {
  const open = (): Played => new Played(make());

  describe('a command at work in a living session', () => {
    test.each([
      ['put forward by 5 h', 5 * hour],
      ['put forward by a week, as the clock of a guest whose host slept', 168 * hour],
      ['put forward by 8 h, as beside another system east of UTC', 8 * hour],
      ['put forward by 31 min', 31 * minute],
      ['set back by 5 h', -5 * hour],
    ])('lives on, and nothing is announced, when the clock is %s', (_what, seconds) => {
      const desktop = open();
      desktop.works(10 * minute);
      desktop.setClock(seconds);
      desktop.works(10 * minute);
      expect(desktop.noticed).toEqual([]);
      expect(desktop.signals()).toEqual([]);
      expect(desktop.ageMinutes()).toBe(seconds > 0 || desktop.exact ? 20 : 0);
    });

    test('counts no step as age after Curfew was restarted', () => {
      const desktop = open();
      desktop.works(10 * minute);
      desktop.setClock(5 * hour);
      desktop.restart();
      desktop.works(10 * minute);
      expect([desktop.noticed, desktop.signals(), desktop.ageMinutes()]).toEqual([[], [], 20]);
    });

    test('counts no step from before the first look as age', () => {
      const desktop = open();
      desktop.setClock(5 * hour);
      desktop.works(10 * minute);
      expect([desktop.noticed, desktop.signals()]).toEqual([[], []]);
      expect(desktop.ageMinutes()).toBeLessThanOrEqual(10);
    });

    test('counts no correction of a clock that was set back before it began', () => {
      const desktop = open();
      desktop.works(minute);
      desktop.setClock(-5 * hour);
      desktop.works(minute);
      const isLateAlive = desktop.startsLate();
      desktop.works(minute);
      desktop.setClock(5 * hour);
      desktop.works(10 * minute);
      expect(isLateAlive()).toBe(true);
      expect([desktop.noticed, desktop.signals()]).toEqual([[], []]);
      expect(desktop.ageMinutes()).toBeLessThanOrEqual(13);
    });

    test('is past the hard cap at its own time, with steps in both directions', () => {
      const desktop = open();
      for (const seconds of [2 * hour, -hour, 3 * hour]) {
        desktop.works(30 * minute);
        desktop.setClock(seconds);
      }
      desktop.works(2 * hour);
      expect([desktop.isAlive, desktop.signals()]).toEqual([true, []]);
      // The step back may make it younger, by as much as the clock went back.
      desktop.works(1.6 * hour);
      expect(desktop.isAlive).toBe(false);
    });
  });

  describe('the end of what a session left', () => {
    test.each([
      ['forward by 90 s', 90],
      ['forward by 5 h', 5 * hour],
    ])('comes no earlier than it was announced when the clock is put %s', (_what, seconds) => {
      const desktop = open();
      desktop.works(10 * minute);
      desktop.orphaned();
      desktop.setClock(seconds);
      desktop.works(desktop.noticeSeconds - 10, 10);
      expect(desktop.isAlive).toBe(true);
      desktop.works(3 * minute);
      expect(desktop.isAlive).toBe(false);
    });

    test('comes later when the clock is set back, never earlier', () => {
      const desktop = open();
      desktop.works(10 * minute);
      desktop.orphaned();
      desktop.setClock(-5 * minute);
      desktop.works(desktop.noticeSeconds - 10, 10);
      expect(desktop.isAlive).toBe(true);
      desktop.works(10 * minute);
      expect(desktop.isAlive).toBe(false);
    });
  });
};
