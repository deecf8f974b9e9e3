import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideFile } from '../../../app/sweep/decide.ts';
import {
  staleKinds,
  type FileOwner,
  type StaleCandidate,
  type StaleKind,
  type SweepWorld,
} from '../../../app/sweep/stale-file.ts';

const nowMs = 1_795_300_000_000;
const names = ['a', 'b'] as const;
const moment = fc.integer({ min: nowMs - 10 * 86_400_000, max: nowMs + 86_400_000 });
const someNames = fc.option(
  fc.constantFrom(...names).map((name) => new Set<string>([name])),
  { nil: null },
);

const owner: fc.Arbitrary<FileOwner> = fc.oneof(
  fc.record({ kind: fc.constant('some-session' as const), notBeforeMs: moment }),
  fc.record({ kind: fc.constant('process' as const), pid: fc.integer({ min: 2, max: 5 }) }),
  fc.record({
    kind: fc.constant('holder' as const),
    state: fc.constantFrom('dead' as const, 'alive' as const, 'elsewhere' as const),
  }),
  fc.record({
    kind: fc.constant('session' as const),
    state: fc.constantFrom('live' as const, 'gone' as const, 'unknown' as const),
    transcript: fc.constantFrom('gone' as const, 'old' as const, 'kept' as const, 'unknown' as const),
  }),
  fc.record({ kind: fc.constant('kept' as const), untilMs: fc.oneof(moment, fc.constant(Infinity)) }),
  fc.record({ kind: fc.constant('holders' as const) }),
);

const candidate: fc.Arbitrary<StaleCandidate> = fc.record({
  kind: fc.constantFrom(...staleKinds),
  owner,
  mayDelete: fc.boolean(),
  file: fc.record({
    path: fc.constant('/x'),
    name: fc.constantFrom(...names),
    type: fc.constantFrom('file', 'socket', 'folder', 'link', 'other'),
    ownedByUser: fc.boolean(),
    names: fc.integer({ min: 1, max: 2 }),
    bytes: fc.nat(),
    changedMs: moment,
  }),
});

const world: fc.Arbitrary<SweepWorld> = fc.record({
  nowMs: fc.constant(nowMs),
  complete: fc.boolean(),
  agentsSinceMs: fc.array(moment, { maxLength: 2 }),
  usedElsewhere: fc.boolean(),
  pids: fc.array(fc.integer({ min: 2, max: 5 })).map((pids) => new Set(pids)),
  namesInUse: someNames,
  partsInUse: someNames,
  boundSockets: someNames,
});

const days: Readonly<Record<StaleKind, number>> = {
  'shell-snapshot': 2,
  'scratch-file': 2,
  library: 1,
  'task-output': 0,
  socket: 0,
  'session-file': 0,
  'lock-file': 0,
  'debug-log': 1,
};
const held: readonly StaleKind[] = ['task-output', 'library', 'scratch-file', 'debug-log'];

/** What must hold for a file that is touched at all. */
const rightly = ({ file, owner: by, kind }: StaleCandidate, at: SweepWorld): Readonly<Record<string, boolean>> => ({
  'the user’s alone': file.ownedByUser && file.names === 1,
  'what its name says': file.type === (kind === 'socket' ? 'socket' : 'file'),
  old: file.changedMs <= nowMs - days[kind] * 86_400_000,
  'all is seen': at.complete,
  'its process is dead': by.kind !== 'process' || !at.pids.has(by.pid),
  'its holder has ended': by.kind !== 'holder' || by.state === 'dead',
  'no session can be its':
    (by.kind !== 'some-session' && by.kind !== 'kept') ||
    (!at.usedElsewhere && at.agentsSinceMs.every((since) => since > file.changedMs)),
  'its settings keep it no longer': by.kind !== 'kept' || by.untilMs <= nowMs,
  'no process listens': kind !== 'socket' || at.boundSockets?.has(file.name) === false,
  'no process holds it': !held.includes(kind) || at.partsInUse?.has(file.name) === false,
  'its session has ended': by.kind !== 'session' || by.state === 'gone',
  'no process uses it': kind !== 'shell-snapshot' || at.namesInUse?.has(file.name) === false,
});

test('only what is the user’s alone, of its type, old, unused and of a dead owner is touched', () => {
  fc.assert(
    fc.property(candidate, world, (one, at) => {
      const { action } = decideFile(one, at);
      const broken = Object.entries(rightly(one, at)).flatMap(([what, holds]) => (holds ? [] : [what]));
      expect(action === 'keep' ? [] : broken).toEqual([]);
      expect(action === 'delete' && !one.mayDelete).toBe(false);
      const resumable = one.owner.kind === 'session' && ['kept', 'unknown'].includes(one.owner.transcript);
      expect(action === 'delete' && resumable).toBe(false);
    }),
    { numRuns: 5000 },
  );
});

test('knowing less never means deleting more', () => {
  fc.assert(
    fc.property(candidate, world, (one, at) => {
      const blind = { ...at, complete: false, namesInUse: null, partsInUse: null, boundSockets: null };
      expect(decideFile(one, blind).action).toBe('keep');
    }),
  );
});
