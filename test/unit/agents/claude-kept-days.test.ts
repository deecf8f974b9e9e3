import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeKeptDays } from '../../../main/agents/claude-code/agent.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'curfew-kept-days-'));
});
afterEach(() => {
  rmSync(place, { recursive: true });
});

/** The days where the user's settings, and those of one project, say these; null: nothing. */
const keptDays = (user: number | null, project: number | null): number => {
  const [own, shop] = [join(place, 'own'), join(place, 'shop')];
  for (const [folder, days] of [
    [own, user],
    [join(shop, '.claude'), project],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    if (days !== null) writeFileSync(join(folder, 'settings.json'), JSON.stringify({ cleanupPeriodDays: days }));
  }
  return claudeKeptDays(own, [shop]);
};

test('what a server of the user’s organisation said counts as well', () => {
  const own = join(place, 'own');
  mkdirSync(own);
  writeFileSync(join(own, 'remote-settings.json'), JSON.stringify({ cleanupPeriodDays: 365 }));
  expect(keptDays(7, null)).toBe(365);
});

test.each([
  ['beside the folder', 'own.json'],
  ['in it', 'own/.claude.json'],
])('a project that only the agent’s own list %s names counts as well', (_where, list) => {
  const far = join(place, 'far');
  mkdirSync(join(far, '.claude'), { recursive: true });
  writeFileSync(join(far, '.claude/settings.json'), JSON.stringify({ cleanupPeriodDays: 365 }));
  mkdirSync(join(place, 'own'));
  writeFileSync(
    join(place, list),
    JSON.stringify({ numStartups: 1, projects: { [far]: {}, [join(place, 'no')]: {} } }),
  );
  expect(keptDays(7, null)).toBe(365);
  writeFileSync(join(place, list), '{"projects": 1}');
  expect(keptDays(7, null)).toBe(Number.POSITIVE_INFINITY);
  writeFileSync(join(place, list), '{}');
  expect(keptDays(7, null)).toBe(7);
});

test.each<[number | null, number | null, number]>([
  [null, null, 30],
  [null, 0.001, 30],
  [60, 1, 60],
  [7, null, 7],
  [7, 90, 90],
])('the user says %s and a repository says %s: %s days', (user, project, days) => {
  expect(keptDays(user, project)).toBe(days);
});
