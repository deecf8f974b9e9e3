import { safe } from '../scene/safe.ts';
import { expect, test } from 'vitest';
import { problemOfHost, shownProblems } from '../../../renderer/state/shown-problems.ts';

const other = {
  code: 'journal',
  severity: 'failure',
  text: safe('The record is full.'),
  advice: null,
  figures: {},
} as const;
const outOfReach = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    code: 'host-out-of-reach',
    severity: 'warning' as const,
    text: safe(`web${at} is not watched since 10:00.`),
    advice: null,
    figures: { host: safe(`web${at}`) },
  }));

test('a few unreachable machines have a notice each, many share one, and other problems stay visible', () => {
  const few = [other, ...outOfReach(3)];
  expect(shownProblems(few)).toEqual({ alone: few, hosts: [] });
  const { alone, hosts } = shownProblems([...outOfReach(50), other]);
  expect(alone).toEqual([other]);
  expect(hosts).toHaveLength(50);
  expect(hosts.slice(0, 2)).toEqual(['web0', 'web1']);
});

test('each machine has its own word, also among many', () => {
  const all = [...outOfReach(50), other];
  expect(problemOfHost(all, 'web1')).toBe('web1 is not watched since 10:00.');
  expect(problemOfHost(all, 'web')).toBeNull();
});
