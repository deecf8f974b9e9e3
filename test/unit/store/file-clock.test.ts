import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asBootId } from '../../../app/process/identity.ts';
import { FileClock } from '../../../main/store/file-clock.ts';

let state: string;
beforeEach(() => (state = mkdtempSync(join(tmpdir(), 'file-clock-'))));
afterEach(() => rmSync(state, { recursive: true, force: true }));

const hourMs = 3_600_000;
/** A look so many ms after the start of the machine, by a wall clock that is ahead by so much. */
const look = (atMs: number, aheadMs: number, boot = 'one') => ({
  bootId: asBootId(boot),
  takenAtMs: atMs + aheadMs,
  nowTicks: atMs / 10,
  ticksPerSecond: 100,
});

test('what was changed while a process ran is later than its start, also once the clock is put forward', () => {
  const clock = new FileClock({ state });
  expect(clock.startedMs(6_000)).toBeNull();
  clock.note(look(2 * hourMs, 5_000));
  const before = clock.startedMs(6_000);
  expect(before).toBe(65_000);
  // A virtual machine goes on after ten hours.
  clock.note(look(3 * hourMs, 10 * hourMs));
  expect(clock.startedMs(6_000)).toBe(before);
  // So it does for the next process, and for what began between the two looks.
  const next = new FileClock({ state });
  next.note(look(4 * hourMs, 10 * hourMs));
  expect([next.startedMs(6_000), next.startedMs((2.5 * hourMs) / 10)]).toEqual([65_000, 2.5 * hourMs + 5_000]);
  // What began later is of the new setting alone.
  expect(next.startedMs((3.5 * hourMs) / 10)).toBe(13.5 * hourMs);
});

test('a clock that was put back counts from then on, and nothing of another boot or without a place', () => {
  const clock = new FileClock({ state });
  clock.note(look(hourMs, 5 * hourMs));
  clock.note(look(2 * hourMs, 0));
  expect(clock.startedMs(6_000)).toBe(60_000);
  const other = new FileClock({ state });
  other.note(look(hourMs, 7_000, 'two'));
  expect(other.startedMs(6_000)).toBe(67_000);
  // Each machine and container that shares the home has its own.
  const again = new FileClock({ state });
  again.note(look(3 * hourMs, 9 * hourMs));
  expect(again.startedMs(6_000)).toBe(60_000);
  rmSync(join(state, 'clock.json'));
  new FileClock(null).note(look(hourMs, 0));
  expect(existsSync(join(state, 'clock.json'))).toBe(false);
});

test('settings without end are joined to the earliest start, and a file that is none is another start', () => {
  const clock = new FileClock({ state });
  for (let at = 0; at < 70; at++) clock.note(look((at + 1) * hourMs, 1_000_000 - at * 2_000 * (at % 2)));
  expect(clock.startedMs(0)).toBe(1_000_000 - 69 * 2_000);
  const again = new FileClock({ state });
  again.note(look(71 * hourMs, 5e9));
  expect(again.startedMs(0)).toBe(1_000_000 - 69 * 2_000);
  writeFileSync(join(state, 'clock.json'), '[{"boot":"one","settings":7}]');
  const anew = new FileClock({ state });
  anew.note(look(hourMs, 4_000));
  expect(anew.startedMs(0)).toBe(4_000);
});

test('a file seems older by what the clock was put forward since', () => {
  const clock = new FileClock({ state });
  expect(clock.putForwardMs(hourMs)).toBe(0);
  clock.note(look(2 * hourMs, 0));
  expect(clock.putForwardMs(hourMs)).toBe(0);
  // Ten hours between the looks.
  clock.note(look(3 * hourMs, 10 * hourMs));
  const since = [hourMs, 2.5 * hourMs, 3.5 * hourMs, 12.5 * hourMs];
  const forward = [10 * hourMs, 10 * hourMs, 0, 0];
  expect(since.map((ms) => clock.putForwardMs(ms))).toEqual(forward);
  const next = new FileClock({ state });
  next.note(look(4 * hourMs, 10 * hourMs));
  expect(since.map((ms) => next.putForwardMs(ms))).toEqual(forward);
  // Put back it is no older.
  next.note(look(5 * hourMs, 0));
  expect(since.map((ms) => next.putForwardMs(ms))).toEqual([0, 0, 0, 0]);
});
