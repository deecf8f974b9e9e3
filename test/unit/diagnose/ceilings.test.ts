import { expect, test } from 'vitest';
import { type MachineCeilings, noCeilings, shortagesOf } from '../../../app/diagnose/ceilings.ts';
import { sayPileUp } from '../../../app/text/pile-ups.ts';
import { rowOf, tableOf } from '../judge/job-builder.ts';
import { asPid } from '../../../app/process/identity.ts';
import { spoken } from '../text/spoken.ts';

const withZombies = (count: number, parent: number) =>
  tableOf(
    rowOf(1, ['sh', 'entry.sh'], { comm: 'sh' }),
    ...Array.from({ length: count }, (_, at) => rowOf(100 + at, [], { ppid: asPid(parent), state: 'Z' })),
  );
const said = (ceilings: Partial<MachineCeilings>): unknown =>
  spoken(shortagesOf(withZombies(0, 1), { ...noCeilings, ...ceilings }).map((one) => sayPileUp(one).text));

test('a process 1 with zombies does not wait, one with a few at this moment may', () => {
  expect(shortagesOf(withZombies(9, 1), noCeilings)).toEqual([]);
  expect(shortagesOf(withZombies(60, 50), noCeilings)).toEqual([]);
  const [found] = shortagesOf(withZombies(60, 1), noCeilings);
  expect(found).toEqual({ code: 'unwaited-zombies', first: 'sh', zombies: 60 });
  expect(spoken(found && sayPileUp(found))).toEqual({
    text: 'Process 1 (sh) does not wait for processes that have ended: 60 of them still hold a process id.',
    advice: 'Start the container with `curfew init`, tini or `docker run --init` in front of its command.',
  });
});

test('a limit is told from four fifths on', () => {
  expect(said({ pids: { used: 79, max: 100 }, memory: { used: 0, max: 0 } })).toEqual([]);
  expect(
    said({
      pids: { used: 493, max: 500 },
      memory: { used: 7.9e9, max: 8e9 },
      stalledPercent: 60.4,
      sharedMemory: { used: 60e6, max: 64e6 },
    }),
  ).toEqual([
    '493 of 500 process ids of this container or group are taken.',
    '7.9 GB of 8.0 GB of the memory of this container or group are taken.',
    'Processes of this container or group waited for memory in 60 % of the last 10 s.',
    '60 MB of 64 MB of /dev/shm are taken.',
  ]);
});
