import { expect, test } from 'vitest';
import { asAgentSessionId } from '../../../../app/agents/common/agent-id.ts';
import { endedSessions, hurriesAfter, isOfEnded } from '../../../../app/jobs/sessions/ended-sessions.ts';
import type { HookedSession } from '../../../../app/jobs/sessions/hook-sessions.ts';
import type { AgentSession } from '../../../../app/model/session.ts';

const nowMs = 1_000_000_000;
const id = asAgentSessionId('one');
const hooked = (more: Partial<HookedSession>): HookedSession => ({
  agent: 'claude-code',
  id,
  project: null,
  process: null,
  lastMs: nowMs,
  ended: { atMs: nowMs - 5000, reason: 'other' },
  continues: null,
  tasks: [],
  running: [],
  ...more,
});
const told = endedSessions([hooked({})], nowMs);
const session = (state: AgentSession['state']): AgentSession => ({
  agent: 'claude-code',
  id,
  process: null,
  pid: null,
  state,
  project: null,
  source: 'its hooks',
});

test('only those that told a short while ago that they end, by either side of a clock that was set', () => {
  expect(told).toEqual([{ agent: 'claude-code', id, atMs: nowMs - 5000 }]);
  expect(endedSessions([hooked({ ended: null })], nowMs)).toEqual([]);
  for (const atMs of [nowMs - 3600_000, nowMs + 3600_000])
    expect(endedSessions([hooked({ ended: { atMs, reason: 'other' } })], nowMs)).toEqual([]);
});

test('only the jobs of that very session', () => {
  expect(isOfEnded({ agent: 'claude-code', session: id }, told)).toBe(true);
  expect(isOfEnded({ agent: 'codex', session: id }, told)).toBe(false);
  expect(isOfEnded({ agent: 'claude-code', session: asAgentSessionId('two') }, told)).toBe(false);
  expect(isOfEnded({ agent: 'claude-code', session: null }, told)).toBe(false);
});

test('looks hurry until it has exited and left nothing, for a minute', () => {
  const job = { agent: 'claude-code', session: id } as const;
  expect(hurriesAfter([], [], [job], nowMs)).toBe(false);
  expect(hurriesAfter(told, [session('unknown')], [], nowMs)).toBe(true);
  expect(hurriesAfter(told, [session('gone')], [job], nowMs)).toBe(true);
  expect(hurriesAfter(told, [session('gone')], [], nowMs)).toBe(false);
  expect(hurriesAfter(told, [session('unknown')], [job], nowMs + 120_000)).toBe(false);
});
