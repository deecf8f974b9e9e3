import type { JobId } from '../../../app/model/job.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentView, leftOpenView } from '../../../app/documents/agents.ts';
import { incidentView } from '../../../app/documents/incident.ts';
import {
  incidentSummary,
  incidentSummarySchema,
  incidentViewSchema,
  reapDocumentSchema,
} from '../../../app/contract/views/incident-view.ts';
import { jobView } from '../../../app/documents/job.ts';
import { jobViewSchema } from '../../../app/contract/views/job-view.ts';
import { scanDocument } from '../../../app/documents/scan.ts';
import { scanDocumentSchema } from '../../../app/contract/views/scan.ts';
import type { LeftOpen } from '../../../app/left-open/left-open.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { Verdict } from '../../../app/judge/verdict.ts';
import { incident, job, lookMs, table } from './samples.ts';

const verdict: Verdict = {
  state: 'orphaned',
  action: 'reap',
  atMs: lookMs + 5000,
  reasons: [{ code: 'owner-gone', figures: { sinceSeconds: 720, evidence: 'its process 4711 has ended' } }],
};
const view = jobView({ job, verdict, vetoes: [{ code: 'keep-marker', pid: 40, figures: {} }], table });

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
      reasons: [{ code: 'owner-gone', text: 'its session ended 12 min ago' }],
    },
    vetoes: [{ code: 'keep-marker', text: 'it carries CURFEW_KEEP=1 in its environment', pid: 40 }],
  });
});

test('members say why they belong, and their command lines pass through redaction', () => {
  expect(view.members[1]).toMatchObject({
    pid: 40,
    by: ['group', 'tree'],
    args: 'node server.js --token=***',
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
  const reap = { schema: 1, host: 'local', dryRun: false, incidents: [incidentView(incident)] };
  expect(reapDocumentSchema.parse(reap)).toEqual(reap);
});

test('the documents that scripts read are byte for byte those of the release before', () => {
  const agent = {
    agent: 'claude-code',
    process: { bootId: table.bootId, pid: job.root.pid, startTicks: job.root.startTicks },
    parts: [job.root],
    reach: { state: 'detached', holder: { pid: asPid(7), name: 'tmux' } },
    session: job.session,
    project: job.project,
    lastWriteMs: lookMs - 60_000,
    idleSinceMs: null,
    tree: job.members.map(({ row }) => row),
    cpuPercent: 1.26,
    ownEnd: { id: 'abc' as JobId, command: ['claude', 'stop', 'a b'], target: job.root },
    job: null,
    idle: { state: 'unknown' },
  } as const;
  const leftOpen: LeftOpen = {
    openedBy: 'call',
    id: 'abc',
    keeper: 'tmux',
    name: 'dev',
    image: null,
    agent: 'claude-code',
    session: job.session,
    project: job.project,
    owner: 'gone',
    evidence: 'a tool call started its client',
    startedAtMs: lookMs,
    kept: job.root,
    inside: [job.root],
    refusal: { code: 'was-attached' },
    endWith: ['tmux', 'kill-session', '-t', 'dev'],
  };
  const documents = {
    scan: scanDocument({
      host: 'local',
      atMs: lookMs,
      mode: null,
      processes: 312,
      tookMs: 3.1,
      sessions: [
        {
          agent: 'claude-code',
          id: job.session,
          process: null,
          pid: null,
          state: 'live',
          project: job.project,
          source: 'registry',
        },
      ],
      serversOf: () => null,
      jobs: [view],
      agents: [agentView(agent, table)],
      leftOpen: [leftOpenView(leftOpen)],
    }),
    incident: incidentView(incident),
  };
  // The file is formatted; the order of its keys counts.
  const before: unknown = JSON.parse(readFileSync(new URL('documents.json', import.meta.url), 'utf8'));
  expect(JSON.stringify(documents)).toBe(JSON.stringify(before));
});

test('an incident keeps every event in order, with times that people and machines can read', () => {
  const record = incidentView(incident);
  expect(incidentViewSchema.parse(record)).toEqual(record);
  expect(record.events.map((event) => event.kind)).toEqual(['signal', 'veto', 'died', 'note', 'ended']);
  expect(record.signals[0]).toMatchObject({ at: '2026-11-21T02:00:00.005Z', target: 'group 39', result: 'sent' });
});

test('a row of a list is the incident without what only its own view shows', () => {
  const record = incidentView(incident);
  expect(incidentSummary(record)).toEqual(incidentSummarySchema.parse(record));
});
