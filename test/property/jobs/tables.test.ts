import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plant } from '../../unit/jobs/plant.ts';
import { claudeEnvironment, claudeShell, environments, outputFile, sessionA, sessionB } from '../../unit/jobs/plant.ts';
import { World } from '../../unit/jobs/world.ts';

const pid = fc.integer({ min: 2, max: 16 });

const argv = fc.constantFrom<readonly string[]>(
  ['claude'],
  ['codex'],
  ['opencode'],
  ['aider'],
  ['mux'],
  claudeShell('sleep 9'),
  ['/bin/bash', '-c', 'sleep 9'],
  ['sleep', '9'],
  ['tmux', 'new'],
  ['-bash'],
  ['vim', 'x'],
  [],
);

const env = fc.oneof(
  fc.constant({}),
  fc.constant(null),
  fc.record({ pid, session: fc.constantFrom(sessionA, sessionB) }).map((marks) => claudeEnvironment(marks)),
  fc.constant(claudeEnvironment({ pid: 2, version: '2.0.28' })),
  fc.constant(claudeEnvironment({ pid: 2, version: '2.1.197' })),
  fc.constant(environments.codex('c1')),
  fc.constant(environments.gemini()),
  fc.constant(environments.cursor()),
  pid.map((owner) => environments.opencode(owner)),
);

/** Any process at all: no kernel would make most of these tables. */
const plant: fc.Arbitrary<Plant> = fc.record({
  pid,
  ppid: fc.integer({ min: 0, max: 18 }),
  pgid: fc.integer({ min: 0, max: 18 }),
  sid: fc.integer({ min: 0, max: 18 }),
  tty: fc.constantFrom(0, 34_816),
  start: fc.integer({ min: 1, max: 99_999 }),
  argv,
  env,
  state: fc.constantFrom('S', 'S', 'S', 'T', 'Z', 'D'),
  uid: fc.constantFrom(1000, 1000, 1000, 0, null),
  kernelThread: fc.constantFrom(false, false, false, false, true),
  outputs: fc.constantFrom<readonly string[]>([], [], [outputFile('b1')], [outputFile('b2', sessionB)]),
});

const plants = fc.uniqueArray(plant, { selector: (one) => one.pid, maxLength: 14 });

const unrelated = fc.uniqueArray(
  fc.record({
    pid: fc.integer({ min: 100, max: 120 }),
    argv: fc.constantFrom('node mine.js', 'make', 'aider', '-zsh'),
  }),
  { selector: (one) => one.pid, maxLength: 6 },
);

const runs = { numRuns: 1000 };

describe('whatever a process table looks like', () => {
  test('members are living processes, once each, and the root is the first', () => {
    fc.assert(
      fc.property(plants, plants, fc.boolean(), (first, second, complete) => {
        const world = new World(...first);
        world.machine.complete = complete;
        world.look();
        for (const one of second) world.start(one);
        const look = world.look();
        const rows = look.assembled.flatMap(({ job }) => job.members.map(({ row }) => row));
        expect(new Set(rows).size).toBe(rows.length);
        expect(rows.filter((row) => row.state === 'Z' || row.kernelThread || row.pid <= 1)).toEqual([]);
        expect(new Set(look.assembled.map(({ job }) => job.id)).size).toBe(look.assembled.length);
        for (const { job } of look.assembled) expect(job.members[0]?.row).toBe(job.root);
      }),
      runs,
    );
  });

  test('a job’s living owner and the processes above it are not in the job, unless they protect it', () => {
    fc.assert(
      fc.property(plants, (some) => {
        const world = new World(...some);
        const look = world.look();
        for (const { job } of look.assembled) {
          const owner = job.owner.state === 'live' ? job.owner.process : null;
          const own = job.members.filter(({ row }) => row.pid === owner?.pid);
          expect(own.length === 0 || look.vetoes(job.root.pid).length > 0).toBe(true);
        }
      }),
      runs,
    );
  });

  test('processes that have nothing to do with a job change nothing about it', () => {
    fc.assert(
      fc.property(plants, unrelated, (some, others) => {
        // Possible owners and older processes are not unrelated, so these start later and have no
        // such parent.
        const without = new World(...some).look().found;
        const world = new World(...some, ...others.map((one): Plant => ({ ...one, start: 99_999.5 })));
        expect(world.look().found).toEqual(without);
      }),
      runs,
    );
  });

  test('knowing less never makes an owner gone: a part of the table, a registry or an entry of it, a transcript, a look into an agent', () => {
    fc.assert(
      fc.property(
        plants,
        fc.constantFrom('table', 'registry', 'agents', 'entry', 'transcript', 'ended'),
        (some, lost) => {
          const more = new World(...some);
          more.register('claude-code', sessionB, 5, { project: '/home/me/blog' });
          more.complete('claude-code');
          const known = more.directory;
          if (lost === 'ended') more.register('claude-code', sessionA, 6, { state: 'gone' });
          const less = new World(...some);
          less.directory = lost === 'ended' ? { ...known, completeFor: new Set() } : more.directory;
          if (lost === 'table') less.machine.complete = false;
          if (lost === 'registry') less.complete();
          if (lost === 'transcript') less.directory = { ...more.directory, hasTranscript: () => false };
          if (lost === 'entry') {
            const unclear = [{ agent: 'claude-code', session: null, source: 'sessions/7.json' }] as const;
            less.directory = { ...more.directory, unclear };
          }
          if (lost === 'agents') less.directory = { ...more.directory, opaqueFor: new Set(['claude-code']) };
          const before = more.look();
          const after = less.look();
          expect(after.found.map(({ root }) => root)).toEqual(before.found.map(({ root }) => root));
          expect(after.found.filter(({ owner }, at) => owner === 'gone' && before.found[at]?.owner !== 'gone')).toEqual(
            [],
          );
        },
      ),
      runs,
    );
  });
});
