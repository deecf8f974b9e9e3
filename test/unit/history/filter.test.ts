import { describe, expect, test } from 'vitest';
import { projectMatches, searchText, searchWords } from '../../../app/history/filter.ts';
import { matchesFilter } from './matches-filter.ts';
import { foldIncident } from '../../../app/history/fold.ts';
import { ended, sampleIntent } from './sample.ts';

const intent = sampleIntent();
const incident = foldIncident(intent, [ended(intent.atMs + 5)]);

describe('a project is found by', () => {
  test.each([
    ['its folder', '/home/me/shop', true],
    ['its folder with a slash', '/home/me/shop/', true],
    ['a folder above', '/home/me', true],
    ['the root', '/', true],
    ['its name', 'shop', true],
    ['its last two names', 'me/shop', true],
    ['the beginning of its name', 'sho', false],
    ['the beginning of its path', '/home/me/sh', false],
    ['the end of its name', 'hop', false],
    ['its name in other letters', 'Shop', false],
    ['a pattern', '%', false],
  ])('%s', (_, asked, found) => {
    expect(projectMatches('/home/me/shop', asked)).toBe(found);
  });

  test('nothing when it is not known', () => {
    expect(projectMatches(null, '/')).toBe(false);
  });
});

describe('words', () => {
  test('are found in any order, in command and project, in upper or lower case', () => {
    expect(matchesFilter(incident, { text: 'SHOP tee' })).toBe(true);
    expect(matchesFilter(incident, { text: 'tee nowhere' })).toBe(false);
    expect(matchesFilter(incident, { text: '   ' })).toBe(true);
  });

  test('may hold what means something in a pattern', () => {
    const odd = foldIncident(sampleIntent({ command: String.raw`printf '100%_\n'` }), []);
    expect(matchesFilter(odd, { text: '100%_' })).toBe(true);
    expect(matchesFilter(odd, { text: '1%0' })).toBe(false);
  });

  test('are folded the same way on both sides, accents and line breaks included', () => {
    expect(searchWords('É\u0000x')).toEqual(['é', 'x']);
    expect(searchText({ command: 'echo E\u0301', project: null })).toContain('é');
    expect(searchText({ command: 'a\u0000b', project: null })).toContain('a b');
  });

  test('are searched in the head of a long command only', () => {
    expect(searchText({ command: 'x'.repeat(100_000), project: '/p' }).length).toBeLessThan(1_000);
  });
});

test('everything that is given must hold, and null excludes nothing', () => {
  expect(matchesFilter(incident, {})).toBe(true);
  expect(matchesFilter(incident, { agent: null, outcome: null, text: null, sinceMs: null })).toBe(true);
  expect(matchesFilter(incident, { agent: 'claude-code', outcome: 'reaped', host: 'local' })).toBe(true);
  expect(matchesFilter(incident, { agent: 'codex', outcome: 'reaped' })).toBe(false);
  expect(matchesFilter(incident, { outcome: 'unfinished' })).toBe(false);
  expect(matchesFilter(foldIncident(intent, []), { outcome: 'unfinished' })).toBe(true);
});

test('a span of time has its beginning and not its end', () => {
  expect(matchesFilter(incident, { sinceMs: intent.atMs, untilMs: intent.atMs + 1 })).toBe(true);
  expect(matchesFilter(incident, { sinceMs: intent.atMs + 1 })).toBe(false);
  expect(matchesFilter(incident, { untilMs: intent.atMs })).toBe(false);
});
