import type { Freed, IncidentEvent, Intent, RecordedProcess } from '../../../app/history/incident.ts';
import { safe } from '../safe-text.ts';

/** Text of a test counts as redacted. */
export type IntentChanges = Partial<Omit<Intent, 'command' | 'processes'>> & {
  readonly command?: string;
  readonly processes?: readonly (Omit<RecordedProcess, 'args'> & { readonly args: string })[];
};

/** An intent as the engine makes them, changed as a test wants it. */
export const sampleIntent = (changes: IntentChanges = {}): Intent => ({ ...usual, ...changes }) as Intent;

const usual: Intent = {
  id: '1m7w23a3m030nr',
  atMs: Date.UTC(2026, 10, 21, 2, 0, 0),
  host: 'local',
  bootId: 'c0ffee00-boot:4026531836',
  writer: { pid: 4711, startTicks: 123_456 },
  job: '1a2b3c4d',
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('npm run dev | tee log'),
  project: safe('/home/me/shop'),
  session: '43c8e917-0000-4000-8000-000000000000',
  task: safe('b83bdcc1a'),
  output: safe('/tmp/claude-1000/-home-me-shop/43c8e917/tasks/b83bdcc1a.output'),
  ageSeconds: 7_380,
  owner: 'gone',
  ownerEvidence: safe('its process 34 has ended'),
  decidedBy: 'rule',
  verdict: 'orphaned',
  reasons: [{ code: 'owner-gone', figures: { sinceSeconds: 720 } }],
  evidence: [safe('39 was started by Claude Code'), safe('40 is in the group of 39')],
  processes: [
    { pid: 39, ppid: 1, startTicks: 1_000, args: safe('/bin/bash -c source …'), rssBytes: 4_000_000 },
    { pid: 40, ppid: 39, startTicks: 1_001, args: safe('node server.js'), rssBytes: 90_000_000 },
  ],
  firstSignal: 'TERM',
  graceSeconds: 10,
};

export const nothing: Freed = { processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] };

export const sent = (atMs: number, pids: readonly number[] = [39, 40]): IncidentEvent => ({
  kind: 'signal',
  signal: { atMs, signal: 'TERM', target: 'group 39', pids, result: 'sent', note: null },
});

export const ended = (
  atMs: number,
  changes: Partial<Extract<IncidentEvent, { kind: 'ended' }>> = {},
): Extract<IncidentEvent, { kind: 'ended' }> => ({
  kind: 'ended',
  atMs,
  outcome: 'reaped',
  survivors: [],
  freed: { processes: 2, rssBytes: 94_000_000, cameAndWent: 0, ports: [3000], locks: [] },
  outputTail: safe('ready on http://localhost:3000'),
  ...changes,
});
