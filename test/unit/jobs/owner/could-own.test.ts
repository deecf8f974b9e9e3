import { expect, test } from 'vitest';
import type { SeenAgent } from '../../../../app/jobs/ledger/ledger.ts';
import { agentsOf, couldOwnOf } from '../../../../app/jobs/owner/could-own.ts';
import type { OwnerWorld } from '../../../../app/jobs/owner/world.ts';
import { unknown } from '../../../../app/jobs/owner/answers.ts';
import type { Owner } from '../../../../app/model/job.ts';
import { asBootId, asPid } from '../../../../app/process/identity.ts';
import type { Root } from '../../../../app/jobs/lineage/root.ts';
import { rowOf } from '../../judge/job-builder.ts';
import { remembered } from '../remembered.ts';
import { toolMark } from '../told-evidence.ts';

const codexAt = (pid: number, startTicks: number): OwnerWorld['agents'][number] => ({
  agent: 'codex',
  row: rowOf(pid, ['codex'], { startTicks }),
});
const seen = (pid: number, startTicks: number): SeenAgent => ({ agent: 'codex', pid, startTicks });

/** The agents that could own a job that began at tick 100. */
const couldOwn = (
  agents: OwnerWorld['agents'],
  before: readonly SeenAgent[] | null,
  owner: Owner = unknown(''),
  roots: readonly Root[] = [],
): readonly SeenAgent[] => {
  const entry = before === null ? null : remembered({ couldOwn: before });
  return couldOwnOf({ agents }, new Set(['codex'] as const), { entry, begunTicks: 100, owner, roots });
};

test('the agents of its kind that are no younger than a job could own it', () => {
  const gemini = { agent: 'gemini', row: rowOf(36, ['gemini'], { startTicks: 1 }) } as const;
  expect(couldOwn([codexAt(34, 99), codexAt(35, 100), codexAt(37, 101), gemini], null)).toEqual([
    seen(34, 99),
    seen(35, 100),
  ]);
  expect(couldOwn([], null)).toEqual([]);
});

test('each is remembered once, and another with the pid of one beside it', () => {
  expect(couldOwn([codexAt(34, 99)], [seen(34, 99)])).toEqual([seen(34, 99)]);
  expect(couldOwn([codexAt(34, 99)], [seen(34, 98)])).toEqual([seen(34, 98), seen(34, 99)]);
  expect(couldOwn([codexAt(35, 99)], [seen(34, 99)])).toEqual([seen(34, 99), seen(35, 99)]);
});

test('at most 64 are remembered, those first that were seen first', () => {
  const many = Array.from({ length: 63 }, (_, at) => seen(1000 + at, 1));
  expect(couldOwn([codexAt(34, 99), codexAt(35, 99)], many)).toEqual([...many, seen(34, 99)]);
});

test('what a hook, a lock file or a registry names as its owner comes first, and is marked as such', () => {
  const process = { bootId: asBootId('boot:1'), pid: asPid(35), startTicks: 100 };
  const claimed = { ...seen(35, 100), claims: true as const };
  const owner = { state: 'live', process, evidence: 'a lock', claimant: true } as const;
  expect(couldOwn([codexAt(34, 99), codexAt(35, 100)], null, owner)).toEqual([claimed, seen(34, 99)]);
  expect(couldOwn([], [claimed, seen(34, 99)], owner)).toEqual([claimed, seen(34, 99)]);
  expect(couldOwn([], [seen(35, 100)], { state: 'live', process, evidence: 'above it' })).toEqual([seen(35, 100)]);
});

test('what stands between a living agent and the job is remembered once, as what may have started it', () => {
  const between = rowOf(50, ['node', 'main.js'], { startTicks: 60 });
  const profile = { row: rowOf(34, ['codex']), isUserProgram: false, claims: [], rule: null };
  const rootBelow = (program: 'codex' | null): Root => ({
    row: rowOf(81, ['sleep']),
    proof: { kind: 'rule', rule: 'mine' },
    lineage: { chain: [between], end: { ...profile, program } },
    endsLineage: false,
  });
  const starter = { ...seen(50, 60), starts: true as const };
  expect(couldOwn([codexAt(34, 99)], null, unknown(''), [rootBelow('codex')])).toEqual([starter, seen(34, 99)]);
  expect(couldOwn([], [starter], unknown(''), [rootBelow('codex')])).toEqual([starter]);
  expect(couldOwn([], null, unknown(''), [rootBelow(null)])).toEqual([]);
});

test('a job is marked by the agents of all claims on it, and by the one that it is told as', () => {
  const rootOf = (proof: Root['proof']): Root => ({
    row: rowOf(81, ['sleep']),
    proof,
    lineage: { chain: [], end: null },
    endsLineage: false,
  });
  const roots = [
    rootOf({ kind: 'claim', claim: toolMark('codex'), others: [toolMark('gemini')] }),
    rootOf({ kind: 'rule', rule: 'mine' }),
  ];
  expect([...agentsOf(roots, 'mux')]).toEqual(['mux', 'codex', 'gemini']);
});
