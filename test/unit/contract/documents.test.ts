import { expect, test } from 'vitest';
import { incidentView } from '../../../app/contract/views/incident-view-of.ts';
import {
  incidentSummary,
  incidentSummarySchema,
  incidentViewSchema,
  reapDocument,
  reapDocumentSchema,
} from '../../../app/contract/views/incident-view.ts';
import { jobView } from '../../../app/contract/views/job-view-of.ts';
import { jobViewSchema } from '../../../app/contract/views/job-view.ts';
import { scanDocument } from '../../../app/contract/views/scan-of.ts';
import { scanDocumentSchema } from '../../../app/contract/views/scan.ts';
import type { Verdict } from '../../../app/judge/verdict.ts';
import { incident, job, lookMs, table, wording } from './samples.ts';

const verdict: Verdict = {
  state: 'orphaned',
  action: 'reap',
  atMs: lookMs + 5000,
  reasons: [{ code: 'owner-gone', figures: { seconds: 720 } }],
};
const view = jobView({ job, verdict, vetoes: [{ code: 'keep-marker', pid: 40, figures: {} }], table }, wording);

test('a job has the published form', () => {
  expect(jobViewSchema.parse(view)).toEqual(view);
  expect(view).toMatchObject({
    id: '1a2b3c',
    agent: 'claude-code',
    rule: 'claude-shell',
    command: 'npm run dev | tee log',
    session: '43c8e917',
    task: 'b83bdcc',
    root: { pid: 39, ppid: 1, pgid: 39, sid: 39, startedAt: '2026-11-21T01:39:26.000Z' },
    owner: 'gone',
    ageSeconds: 1234,
    silentSeconds: 1200,
    kind: 'service',
    diagnoses: ['waiting-on-stdin'],
    holds: { ports: [3000], rssBytes: 8192 },
    verdict: {
      state: 'orphaned',
      action: 'reap',
      at: '2026-11-21T02:00:05.000Z',
      endsAt: '2026-11-21T02:00:05.000Z',
      reasons: [{ code: 'owner-gone', text: 'reason owner-gone' }],
    },
    vetoes: [{ code: 'keep-marker', text: 'veto keep-marker', pid: 40 }],
  });
});

test('members say why they belong, and their command lines pass through redaction', () => {
  expect(view.members[1]).toMatchObject({
    pid: 40,
    by: ['group', 'tree'],
    args: 'node server.js --token=•••',
    ageSeconds: 1229,
  });
});

test('the documents that scripts read have the published keys', () => {
  const scan = scanDocument({
    host: 'local',
    atMs: lookMs,
    mode: null,
    processes: 312,
    tookMs: 3.1,
    sessions: [],
    serversOf: () => null,
    jobs: [view],
    agents: [],
    leftOpen: [],
  });
  expect(scanDocumentSchema.parse(scan)).toEqual(scan);
  expect(scan).toMatchObject({
    schema: 1,
    host: 'local',
    at: '2026-11-21T02:00:00.000Z',
    mode: 'observe',
    modeChosen: false,
  });
  const reap = reapDocument('local', false, [incidentView(incident, wording)]);
  expect(reapDocumentSchema.parse(reap)).toEqual(reap);
  expect(Object.keys(reap)).toEqual(['schema', 'host', 'dryRun', 'incidents']);
});

test('an incident keeps every event in order, with times that people and machines can read', () => {
  const record = incidentView(incident, wording);
  expect(incidentViewSchema.parse(record)).toEqual(record);
  expect(record.events.map((event) => event.kind)).toEqual(['signal', 'veto', 'died', 'note', 'ended']);
  expect(record.signals[0]).toMatchObject({ at: '2026-11-21T02:00:00.005Z', target: 'group 39', result: 'sent' });
});

test('a row of a list is the incident without what only its own view shows', () => {
  const record = incidentView(incident, wording);
  expect(incidentSummary(record)).toEqual(incidentSummarySchema.parse(record));
});
