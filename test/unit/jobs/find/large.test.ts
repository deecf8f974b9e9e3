import { expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell } from '../plant.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const env = claudeEnvironment({ pid: 34 });
const shell: Plant = { pid: 69, ppid: 34, sid: 69, argv: claudeShell('sleep 9 | cat'), env };

// By itself, because a second is long where thousands of mutants run all tests
// (build/mutation/runner.ts).
test('a thousand generations deep and a thousand children wide', () => {
  const deep = Array.from({ length: 1000 }, (_, at): Plant => ({
    pid: 1000 + at,
    ppid: at === 0 ? 69 : 999 + at,
    argv: 'sh',
    env,
  }));
  const wide = Array.from({ length: 1000 }, (_, at): Plant => ({ pid: 3000 + at, ppid: 69, argv: 'sh', env }));
  expect(new World(agent, shell, ...deep, ...wide).look().jobWith(69).members).toHaveLength(2001);
});
