import { expect, test } from 'vitest';
import { leftOpenView } from '../../../app/contract/sightings/left-open-view-of.ts';
import { incidentView } from '../../../app/contract/views/incident-view-of.ts';
import { jobView } from '../../../app/contract/views/job-view-of.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { startOf } from '../../../app/format/secrets/safe-text.ts';
import { endedLine, noticedLine } from '../../../app/incident-lines/job-lines.ts';
import type { Job } from '../../../app/jobs/model/job.ts';
import { testExemption } from '../../../app/judge/exemptions.ts';
import type { LeftOpen } from '../../../app/left-open/left-open.ts';
import { incidentToldOf, workView } from '../../../app/mcp/own-work.ts';
import { english } from '../../../app/text/english.ts';
import { sessionNotice } from '../../../app/text/session-notice.ts';
import { incident, job, lookMs, table } from './samples.ts';

/** None of them real: a token by its form, an address, a name and its value. */
const secrets = ['ghp_aB3xK9mQ7rT2wY5zC8vN4pL6sD1fG2hJ3kL4', 'hunter2-in-address', 'hunter2-of-a-name'] as const;
const [token, address, named] = secrets;
const foreign = `/tmp/${token}/x https://me:${address}@h/ password=${named}`;
const command = redactCommand(`curl ${foreign}`);

const hostile: Job = {
  ...job,
  command,
  name: startOf(redactCommand(foreign), 200),
  project: `/home/me/${token}`,
  task: foreign,
  output: `/tmp/${token}/b.output`,
  container: { id: 'c0ffee', name: foreign, image: foreign },
  owner: { state: 'gone', sinceMs: null, evidence: foreign },
  provenance: [{ code: 'output', path: foreign }],
  holds: { ...job.holds, locks: [foreign] },
  diagnoses: [{ code: 'waiting-for-lock', figures: { path: foreign, seconds: 3 } }],
};
const judged = {
  job: hostile,
  verdict: {
    state: 'orphaned',
    action: 'notify',
    announces: true,
    atMs: lookMs,
    reasons: [{ code: 'owner-gone', figures: { sinceSeconds: 720, evidence: foreign } }],
  },
  vetoes: [{ code: 'editor', pid: job.root.pid, figures: { name: foreign } }],
  table,
} as const;
const recorded = { ...incident, command, project: `/home/me/${token}`, freed: { ...incident.freed, locks: [foreign] } };
const leftOpen: LeftOpen = {
  openedBy: 'call',
  id: 'abc',
  keeper: 'tmux',
  name: foreign,
  image: foreign,
  agent: 'claude-code',
  session: job.session,
  project: `/home/me/${token}`,
  owner: 'gone',
  evidence: foreign,
  startedAtMs: lookMs,
  kept: job.root,
  inside: [job.root],
  refusal: { code: 'unanswered', why: foreign },
  endWith: ['tmux', 'kill-session', '-t', foreign],
};
const source = { version: '1', hostName: 'h', userName: 'me' };
const look = { job: hostile, verdict: judged.verdict, host: 'local', atMs: lookMs };

const outputs: Readonly<Record<string, () => unknown>> = {
  'a job of a document and of the page': () => jobView(judged, english),
  'what is left open': () => leftOpenView(leftOpen, english),
  'an incident': () => incidentView(recorded, english),
  'a job as its session is told of it': () => workView(judged, table, foreign),
  'an incident as its session is told of it': () => incidentToldOf(recorded),
  'the line of a noticed job': () => noticedLine(source, look),
  'the line of an ended job': () => endedLine(source, recorded),
  'the notice for a session': () => sessionNotice(1, [{ command, ageSeconds: 3 }]),
};

test.each(Object.entries(outputs))('%s shows no secret, and says that one is hidden', (_, output) => {
  const text = JSON.stringify(output());
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).toContain('***');
});

test('ids, codes, moments and figures of a view stay as they are', () => {
  const { id, session, startedAt, verdict, diagnosed } = jobView(judged, english);
  expect({ id, session }).toEqual({ id: job.id, session: job.session });
  expect(Date.parse(startedAt)).toBe(job.startedAtMs);
  expect(verdict.reasons[0]?.figures['sinceSeconds']).toBe(720);
  expect(diagnosed[0]?.figures['seconds']).toBe(3);
});

test('an exemption for a folder as it is shown spares the jobs in it, and in no other', () => {
  const exemption = { id: 'x', project: '/home/me/***', createdAt: '' };
  expect(testExemption(exemption, hostile).matches).toBe(true);
  expect(testExemption(exemption, job).matches).toBe(false);
});
