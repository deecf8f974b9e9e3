import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Pause } from '../../../main/supervisor/pause.ts';

let folder = '';
let nowMs = 0;
const open = (): Pause => new Pause(join(folder, 'pause.json'), () => nowMs);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-pause-'));
  nowMs = 1_795_000_000_000;
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('one with an end outlives the process, and ends', () => {
  open().begin(60);
  const pause = open();
  expect(pause.until).toBe(nowMs + 60_000);
  nowMs += 60_000;
  expect(pause.until).toBeNull();
  expect(open().until).toBeNull();
});

test('one without an end doesn’t, nor does an earlier one come back after it', () => {
  const pause = open();
  pause.begin(60);
  pause.begin(null);
  expect(pause.until).toBe('forever');
  expect(open().until).toBeNull();
});

test('resumed, it is over for the next supervisor too; resumed twice is nothing', () => {
  const pause = open();
  pause.begin(60);
  pause.end();
  pause.end();
  expect([pause.until, open().until]).toEqual([null, null]);
});

test('longer than a calendar reaches is until resumed', () => {
  const pause = open();
  pause.begin(1e300);
  expect(pause.until).toBe('forever');
});

test.each(['', '{}', '{"untilMs":"soon"}', '{"untilMs":1e300}', '[]'])('a file that says %s is no pause', (text) => {
  writeFileSync(join(folder, 'pause.json'), text);
  expect(open().until).toBeNull();
});

test('what can’t be kept is said and holds all the same', () => {
  const pause = new Pause(join(folder, 'missing', 'deeper', '\0', 'pause.json'), () => nowMs);
  expect(() => pause.begin(60)).toThrow('null bytes');
  expect(pause.until).toBe(nowMs + 60_000);
});
