import { describe, expect, test } from 'vitest';
import { decideFile } from '../../../app/sweep/decide.ts';
import { isAgentSocket } from '../../../app/sweep/forms.ts';
import type { StaleCandidate, SweepWorld } from '../../../app/sweep/stale-file.ts';
import { saySweepReason } from '../../../app/text/sweep.ts';
import { emptyWorld, messages, nowMs, snapshot } from './candidates.ts';

const hour = 3600_000;
const name = snapshot().file.name;
const socketName = messages(4711).file.name;

const decided = (candidate: StaleCandidate, world: Partial<SweepWorld> = {}): string => {
  const { action, reason } = decideFile(candidate, { ...emptyWorld, ...world });
  return `${action}: ${reason}`;
};

test('sockets of agents are told by their names', () => {
  for (const socket of ['claude-http-0123456789abcdef.sock', 'srt-mux-34-0.sock', 'claude-ab12.sock'])
    expect(isAgentSocket(socket)).toBe(true);
  for (const other of ['claude-.sock', 'my-claude-x.sock', 'mysql.sock', 'claude-1000', '4711.sock'])
    expect(isAgentSocket(other)).toBe(false);
});

describe('a shell snapshot', () => {
  test('of two days that no process can need goes', () => {
    expect(decided(snapshot())).toBe('delete: stale');
  });

  test.each<[string, StaleCandidate, Partial<SweepWorld>]>([
    ['keep: young', snapshot({ changedMs: nowMs - 47 * hour }), {}],
    ['keep: young', snapshot({ changedMs: nowMs + hour }), {}],
    ['keep: young', { ...snapshot(), owner: { kind: 'some-session', notBeforeMs: nowMs - hour } }, {}],
    ['keep: in-use', snapshot(), { namesInUse: new Set([name]) }],
    ['keep: not-all-seen', snapshot(), { namesInUse: null }],
    ['keep: not-all-seen', snapshot(), { complete: false }],
    ['keep: session-may-live', snapshot(), { agentsSinceMs: [nowMs - 80 * hour] }],
    ['keep: elsewhere', snapshot(), { usedElsewhere: true }],
    ['keep: another-user', snapshot({ ownedByUser: false }), {}],
    ['keep: several-names', snapshot({ names: 2 }), {}],
    ['keep: not-that-type', snapshot({ type: 'link' }), {}],
    ['keep: not-that-type', snapshot({ type: 'folder' }), {}],
  ])('%s', (expected, candidate, world) => {
    expect(decided(candidate, world)).toBe(expected);
  });

  test('is no matter to a session that began after it', () => {
    expect(decided(snapshot(), { agentsSinceMs: [nowMs - hour] })).toBe('delete: stale');
  });
});

describe('a socket', () => {
  test('without a listener goes when its owner is dead', () => {
    expect(decided(messages(4711))).toBe('delete: owner-dead');
  });

  test.each<[string, Partial<SweepWorld>]>([
    ['keep: owner-lives', { pids: new Set([4711]) }],
    ['keep: in-use', { boundSockets: new Set([socketName]) }],
    ['keep: not-all-seen', { boundSockets: null }],
    ['keep: not-all-seen', { complete: false }],
  ])('%s', (expected, world) => {
    expect(decided(messages(4711), world)).toBe(expected);
  });

  test('that was made in the future or is no socket stays', () => {
    expect(decided(messages(4711, { changedMs: nowMs + 60_000 }))).toBe('keep: young');
    expect(decided(messages(4711, { changedMs: nowMs - 60_000 }))).toBe('delete: owner-dead');
    expect(decided(messages(4711, { type: 'file' }))).toBe('keep: not-that-type');
  });
});

test("what is another program's to clear away is only told of, and a lock whose holder is not dead for certain stays", () => {
  const lock: StaleCandidate = { ...snapshot(), kind: 'lock-file', owner: { kind: 'holder', state: 'dead' } };
  expect(decided(lock)).toBe('delete: owner-dead');
  expect(decided({ ...lock, mayDelete: false })).toBe('report: owner-dead');
  expect(decided({ ...lock, owner: { kind: 'holder', state: 'alive' } })).toBe('keep: owner-lives');
  expect(decided({ ...lock, owner: { kind: 'holder', state: 'elsewhere' } })).toBe('keep: elsewhere');
});

test('every reason has a sentence', () => {
  expect(saySweepReason(decideFile(snapshot(), emptyWorld), nowMs)).toBe(
    'no running shell uses it and no open session can have made it; unchanged for 3 d',
  );
  expect(saySweepReason(decideFile(messages(4711), { ...emptyWorld, pids: new Set([4711]) }), nowMs)).toBe(
    'its owner is running (process 4711)',
  );
});
