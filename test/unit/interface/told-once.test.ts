import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toldAnswer } from '../../../main/interface/answers/told-once.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-told-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Each time as a Curfew does that was just started. */
const told = (what: 'version' | 'week', now: string, seen: boolean): unknown => {
  const answer = toldAnswer(join(folder, 'told.json'))({ what, now, seen });
  return 'ok' in answer && answer.ok ? answer.value.before : answer;
};

test('the first time counts as told, and what is new stays new until it was seen', () => {
  expect(told('version', '1', false)).toBeNull();
  expect(told('version', '2', false)).toBe('1');
  expect(told('version', '2', false)).toBe('1');
  expect(told('version', '2', true)).toBe('1');
  expect(told('version', '2', false)).toBe('2');
});

test('one of them leaves the others alone', () => {
  told('version', '1', false);
  told('week', '7', false);
  told('week', '8', true);
  expect(told('version', '2', false)).toBe('1');
  expect(JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'))).toEqual({ version: '1', week: '8' });
});

test('a damaged file tells nothing', () => {
  for (const text of ['', '[]', '{"version":1}', 'no']) {
    writeFileSync(join(folder, 'told.json'), text);
    expect(told('version', '2', false)).toBeNull();
    expect(told('version', '2', false)).toBe('2');
  }
});
