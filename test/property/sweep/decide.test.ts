import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideFile } from '../../../app/sweep/decide.ts';
import { staleKinds, type FileOwner, type StaleCandidate, type SweepWorld } from '../../../app/sweep/stale-file.ts';

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
  boundSockets: someNames,
});

test('only what is the user’s alone, of its type, old, unused and of a dead owner is touched', () => {
  fc.assert(
    fc.property(candidate, world, (one, at) => {
      const { action } = decideFile(one, at);
      if (action === 'keep') return;
      const { file } = one;
      expect(file).toMatchObject({ ownedByUser: true, names: 1, type: one.kind === 'socket' ? 'socket' : 'file' });
      expect(file.changedMs).toBeLessThanOrEqual(nowMs - 600_000);
      expect(at.complete).toBe(true);
      expect(action === 'report').toBe(!one.mayDelete);
      if (one.owner.kind === 'process') expect(at.pids.has(one.owner.pid)).toBe(false);
      if (one.owner.kind === 'holder') expect(one.owner.state).toBe('dead');
      if (one.owner.kind === 'some-session')
        expect(at.agentsSinceMs.filter((sinceMs) => sinceMs <= file.changedMs)).toEqual([]);
      if (one.kind === 'socket') expect(at.boundSockets?.has(file.name)).toBe(false);
      if (one.kind === 'shell-snapshot') expect(at.namesInUse?.has(file.name)).toBe(false);
    }),
    { numRuns: 5000 },
  );
});

test('knowing less never means deleting more', () => {
  fc.assert(
    fc.property(candidate, world, (one, at) => {
      const blind = { ...at, complete: false, namesInUse: null, boundSockets: null };
      expect(decideFile(one, blind).action).toBe('keep');
    }),
  );
});
