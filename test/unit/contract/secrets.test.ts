import type { JobId } from '../../../app/model/job.ts';
import { questions } from '../../../app/contract/contract.ts';
import { agentView, leftOpenView } from '../../../app/documents/agents.ts';
import { incidentView } from '../../../app/documents/incident.ts';
import { reapDocumentSchema } from '../../../app/contract/views/incident-view.ts';
import { jobView } from '../../../app/documents/job.ts';
import { safeTextSchema } from '../../../app/contract/views/view.ts';
import { scanDocumentSchema } from '../../../app/contract/views/scan.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { type SafeText, startOf } from '../../../app/format/secrets/safe-text.ts';
import { foreignFields } from '../../../app/format/secrets/safe-view.ts';
import type { Incident, Intent } from '../../../app/history/incident.ts';
import { recordableEvent, recordableIntent } from '../../../app/history/redaction.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import { endedLine, noticedLine } from '../../../app/incident-lines/job-lines.ts';
import { failedLine, problemLine, reachLine } from '../../../app/incident-lines/trouble-lines.ts';
import type { Job } from '../../../app/model/job.ts';
import { testExemption } from '../../../app/judge/exemptions.ts';
import type { LeftOpen } from '../../../app/left-open/left-open.ts';
import { incidentToldOf, workView, lastLines } from '../../../app/mcp/own-work.ts';
import { toolTexts } from '../../../app/mcp/texts.ts';
import { noticesFor } from '../../../app/notices/notice.ts';
import { sessionCosts } from '../../../app/sessions-view/costs.ts';
import { sessionNotice } from '../../../app/text/agents/session-notice.ts';
import { snapshotJobs } from '../../../main/interface/snapshot/job-views.ts';
import { lastLines as recordedTail } from '../../../main/output/output-file.ts';
import { outputPart } from '../../../main/output/output-part.ts';
import { asSafe } from '../../ui/scene/safe.ts';
import { incident, job, lookMs, table } from './samples.ts';
import { snapshot } from './sample-snapshot.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

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
const recorded = asSafe<Incident>({
  ...incident,
  command,
  project: `/home/me/${token}`,
  freed: { ...incident.freed, locks: [foreign] },
});
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

const agent = {
  agent: 'claude-code',
  process: { bootId: table.bootId, pid: job.root.pid, startTicks: job.root.startTicks },
  parts: [job.root],
  reach: { state: 'unknown', why: foreign },
  session: job.session,
  project: `/home/me/${token}`,
  lastWriteMs: null,
  idleSinceMs: null,
  tree: [job.root],
  cpuPercent: null,
  ownEnd: { id: 'abc' as JobId, command: ['claude', 'stop', foreign], target: job.root },
  job: null,
  idle: { state: 'unknown' },
} as const;
const costly = {
  agent: 'claude-code',
  id: job.session,
  process: null,
  pid: null,
  state: 'live',
  project: `/home/me/${token}`,
  source: 'registry',
} as const;
const where = { atMs: lookMs, host: 'local' };
/** A record as it lay on the disk before anything in it was hidden. */
const { freed: _freed, events: _events, signals: _signals, ...begun } = recorded;
const raw = asSafe<Intent>({ ...begun, ownerEvidence: foreign, evidence: [foreign], task: foreign });
const rawEvents: readonly Incident['events'][number][] = [
  { kind: 'note', atMs: lookMs, text: asSafe<SafeText>(foreign) },
  {
    kind: 'ended',
    atMs: lookMs,
    outcome: 'reaped',
    survivors: [],
    freed: recorded.freed,
    outputTail: asSafe<SafeText>(`ready\nexport TOKEN=${token}`),
  },
];
const printed = (): { readonly text: string; readonly recorded: string | null } => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-secrets-'));
  try {
    const file = join(folder, 'b.output');
    writeFileSync(file, `ready\n$ curl ${foreign}\nexport TOKEN=${token}\n`);
    const part = outputPart(file, process.getuid?.() ?? 0, null, lookMs);
    const { text, lines, cut } = lastLines(part?.text ?? '', 20, 4000);
    const told = { job: job.id, output: text, lines, cut, fileBytes: 1 };
    return { text: toolTexts.read_output_tail(told), recorded: recordedTail(`curl ${foreign}\n`) };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const outputs: Readonly<Record<string, () => unknown>> = {
  'a job of a document and of the page': () => jobView(judged),
  'what is left open': () => leftOpenView(leftOpen),
  'an agent': () => agentView(agent, table),
  'what a session costs': () =>
    sessionCosts({
      host: 'local',
      table,
      sessions: [costly],
      jobs: [hostile],
      memory: new Map(),
      inputs: new Map(),
      unreachable: new Map(),
      idle: new Map(),
      olderSets: [],
      olderJobs: new Map(),
    }),
  'an incident': () => incidentView(recorded),
  'an intent on the disk': () => recordableIntent(raw, redactCommand),
  'an intent of before, read again': () => storedIntent(JSON.stringify(raw)),
  'what happened, on the disk': () => rawEvents.map((event) => recordableEvent(event, redactCommand)),
  'what happened before, read again': () => rawEvents.map((event) => storedEvent(JSON.stringify(event))),
  'a job as its session is told of it': () => workView(judged, table, foreign),
  'an incident as its session is told of it': () => incidentToldOf(recorded),
  'the end of an output as its session is told of it, and as it is recorded': printed,
  'the line of a noticed job': () => noticedLine(source, look),
  'the line of an ended job': () => endedLine(source, recorded),
  'the lines of troubles': () => [
    failedLine(source, { ...where, job: job.id, problem: foreign }),
    problemLine(source, { ...where, problem: foreign }),
    reachLine(source, { ...where, problem: foreign }),
  ],
  'a notice on the desktop': () =>
    noticesFor(
      snapshotJobs([{ host: 'local', look: { table, jobs: new Map([[hostile.id, judged]]) } }], undefined),
      snapshot,
    ),
  'the notice for a session': () => sessionNotice(1, [{ command, ageSeconds: 3 }]),
};

test.each(Object.entries(outputs))('%s shows no secret, and says that one is hidden', (_, output) => {
  const text = JSON.stringify(output());
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).toContain('***');
});

test('ids, codes, moments and figures of a view stay as they are', () => {
  const { id, session, startedAt, verdict, diagnosed } = jobView(judged);
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

/** A field of a schema, and whether its text is safe. */
const fieldsOf = (schema: z.core.$ZodType, name: string, found: Map<string, boolean>): void => {
  const { def } = schema._zod;
  if (schema === safeTextSchema) found.set(`${name} `, true);
  else if (def.type === 'string' && !(schema instanceof z.ZodISODateTime)) found.set(name, false);
  if (def instanceof Object) {
    const { shape, ...parts } = def as unknown as Readonly<Record<string, unknown>>;
    for (const [key, part] of Object.entries((shape ?? {}) as Readonly<Record<string, unknown>>))
      if (part instanceof z.core.$ZodType) fieldsOf(part, key, found);
    for (const part of Object.values(parts).flat()) if (part instanceof z.core.$ZodType) fieldsOf(part, name, found);
  }
};

const documents: readonly z.core.$ZodType[] = [
  scanDocumentSchema,
  reapDocumentSchema,
  ...Object.values(questions).map(({ output }) => output),
];

test('each text of a view that has no secret is one that the border hides', () => {
  const found = new Map<string, boolean>();
  for (const schema of documents) fieldsOf(schema, '', found);
  const safe = [...found].flatMap(([name, isSafe]) => (isSafe ? [name.trim()] : []));
  expect(safe).toEqual(expect.arrayContaining(['command', 'project', 'text', 'figures', 'evidence', 'locks']));
  expect(safe.filter((name) => !foreignFields.has(name) && !['again', 'command', 'args'].includes(name))).toEqual([]);
});
