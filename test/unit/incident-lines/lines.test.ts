import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foldIncident } from '../../../app/history/fold.ts';
import type { Incident, Outcome } from '../../../app/history/incident.ts';
import type { LineSource } from '../../../app/incident-lines/common.ts';
import { endedLine, noticedLine } from '../../../app/incident-lines/job-lines.ts';
import { journalFields, lineText, messageIds } from '../../../app/incident-lines/journal-fields.ts';
import { type Line, lineJsonSchema, lineSchema } from '../../../app/incident-lines/line.ts';
import { failedLine, lostLine, problemLine, reachLine } from '../../../app/incident-lines/trouble-lines.ts';
import { job } from '../contract/samples.ts';
import { ended, sampleIntent, sent } from '../history/sample.ts';
import { safe } from '../safe-text.ts';

const source: LineSource = { version: '0.1.0', hostName: 'build7', userName: 'me' };
const atMs = Date.UTC(2026, 10, 21, 2);
const where = { host: 'local', atMs };

const incidentWith = (outcome: Outcome, changes: Parameters<typeof sampleIntent>[0] = {}): Incident => {
  const intent = sampleIntent(changes);
  return foldIncident(intent, [sent(intent.atMs), ended(intent.atMs + 180, { outcome })]);
};

const lineOf = (incident: Incident): Line => {
  const line = endedLine(source, incident);
  if (line === null) throw new Error('an incident with an outcome has a line');
  return line;
};

const verdict = {
  state: 'orphaned',
  action: 'notify',
  announces: true,
  atMs: atMs + 60_000,
  reasons: [{ code: 'owner-gone', figures: { sinceSeconds: 720 } }],
} as const;

describe('the names of the fields, which are a promise', () => {
  test('of an end', () => {
    expect(lineOf(incidentWith('killed'))).toEqual({
      'event.name': 'curfew.job.ended',
      timestamp: '2026-11-21T02:00:00.180Z',
      severity_text: 'INFO',
      severity_number: 9,
      body: 'job 1a2b3c4d (npm run dev | tee log) killed; its session ended 12 min ago; freed 2 processes, 94 MB and port 3000',
      'service.name': 'curfew',
      'service.version': '0.1.0',
      'host.name': 'build7',
      'process.pid': 39,
      'process.parent_pid': 1,
      'process.command_line': '/bin/bash -c source …',
      'process.owner': 'me',
      'curfew.job.id': '1a2b3c4d',
      'curfew.agent': 'claude-code',
      'curfew.command': 'npm run dev | tee log',
      'curfew.project': '/home/me/shop',
      'curfew.session.id': '43c8e917-0000-4000-8000-000000000000',
      'curfew.owner.state': 'gone',
      'curfew.verdict': 'orphaned',
      'curfew.reasons': ['owner-gone'],
      'curfew.age_seconds': 7380,
      'curfew.processes': 2,
      'curfew.incident.id': '1m7w23a3m030nr',
      'curfew.outcome': 'killed',
      'curfew.decided_by': 'rule',
      'curfew.first_signal': 'TERM',
      'curfew.grace_seconds': 10,
      'curfew.took_seconds': 0.18,
      'curfew.signals.sent': 1,
      'curfew.signals.refused': 0,
      'curfew.vetoes': [],
      'curfew.survivors': [],
      'curfew.freed.processes': 2,
      'curfew.freed.memory_bytes': 94_000_000,
      'curfew.freed.ports': [3000],
      'curfew.freed.locks': 0,
    });
  });

  test('of an announcement', () => {
    const line = noticedLine(source, { job, verdict, ...where });
    expect(lineSchema().parse(line)).toEqual(line);
    expect(line).toMatchObject({
      'event.name': 'curfew.job.noticed',
      severity_number: 9,
      'process.pid': job.root.pid,
      'curfew.ends_at': '2026-11-21T02:01:00.000Z',
      'curfew.memory_bytes': job.holds.rssBytes,
    });
    expect(line.body).toContain('is ended at 2026-11-21T02:01:00.000Z unless it is kept');
  });

  test('the schema for operators is the one that is kept beside the documents', () => {
    const kept: unknown = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../docs/incident-line.schema.json'), 'utf8'),
    );
    expect(lineJsonSchema()).toEqual(kept);
  });
});

test.each([
  ['reaped', 9],
  ['killed', 9],
  ['vanished', 9],
  ['spared', 13],
  ['interrupted', 13],
  ['survived', 17],
] as const)('an incident that %s has severity %i', (outcome, severity) => {
  expect(lineOf(incidentWith(outcome)).severity_number).toBe(severity);
});

test('an incident in progress has no line', () => {
  expect(endedLine(source, foldIncident(sampleIntent(), []))).toBeNull();
});

test('survivors, refused signals and vetoes are counted and named', () => {
  const intent = sampleIntent();
  const survivor = { pid: 40, ppid: 39, startTicks: 5, args: safe('node server.js'), rssBytes: 5 };
  const refused = { atMs, signal: 'TERM', target: 'process 39', pids: [39], result: 'refused', note: null } as const;
  const line = lineOf(
    foldIncident(intent, [
      { kind: 'signal', signal: refused },
      { kind: 'veto', atMs, vetoes: [{ code: 'keep-marker', pid: 40, figures: {} }] },
      ended(atMs, { outcome: 'survived', survivors: [survivor] }),
    ]),
  );
  expect(line).toMatchObject({
    'curfew.signals.sent': 0,
    'curfew.signals.refused': 1,
    'curfew.vetoes': ['keep-marker'],
    'curfew.survivors': [40],
  });
  expect(line.body).toContain('still running: 40 node server.js');
});

test('on another machine the line names that machine and the user who is logged in there', () => {
  expect(lineOf(incidentWith('reaped', { host: 'deploy@web1' }))).toMatchObject({
    'host.name': 'web1',
    'process.owner': 'deploy',
  });
  expect(lineOf(incidentWith('reaped', { host: 'web1' }))).not.toHaveProperty('process.owner');
});

test('failures, problems, machines out of reach and lost lines are lines of their own', () => {
  const lines: readonly Line[] = [
    failedLine(source, {
      ...where,
      job: '1a2b3c4d',
      problem: 'TOKEN=ghp_0123456789012345678901234567890123456 is bad',
    }),
    problemLine(source, { ...where, problem: 'no process table\nat all' }),
    reachLine(source, { atMs, host: 'web1', problem: 'web1 gave no answer in time' }),
    reachLine(source, { atMs, host: 'web1', problem: null }),
    lostLine(source, { ...where, lost: 3 }),
  ];
  expect(lines.map((line) => lineSchema().parse(line))).toEqual(lines);
  expect(lines.map((line) => [line['event.name'], line.severity_text, line.body])).toEqual([
    ['curfew.job.failed', 'ERROR', 'job 1a2b3c4d could not be ended: TOKEN=*** is bad'],
    ['curfew.problem', 'ERROR', 'no process table⏎at all'],
    ['curfew.host.unreachable', 'WARN', 'web1 gave no answer in time'],
    ['curfew.host.returned', 'INFO', 'web1 is back'],
    ['curfew.lines.lost', 'WARN', '3 lines before this could not be delivered; what they told is in `curfew history`'],
  ]);
});

test('a text that is too long is cut, and the line says so', () => {
  const line = lineOf(incidentWith('reaped', { command: 'x'.repeat(5_000) }));
  expect(line).toMatchObject({ 'curfew.cut': true, 'curfew.command': `${'x'.repeat(1_999)}…` });
});

test('in the journal each field has its name in upper case, and the whole line is one of them', () => {
  const line = lineOf(incidentWith('survived', { project: null }));
  const fields = Object.fromEntries(journalFields(line));
  expect(fields).toMatchObject({
    MESSAGE: line.body,
    MESSAGE_ID: messageIds['curfew.job.ended'],
    PRIORITY: '3',
    SYSLOG_IDENTIFIER: 'curfew',
    HOST_NAME: 'build7',
    PROCESS_PID: '39',
    CURFEW_JOB_ID: '1a2b3c4d',
    CURFEW_REASONS: 'owner-gone',
    CURFEW_FREED_MEMORY_BYTES: '94000000',
    CURFEW_LINE: lineText(line),
  });
  expect(fields).not.toHaveProperty('CURFEW_PROJECT');
  for (const name of Object.keys(fields)) expect(name).toMatch(/^[A-Z][A-Z0-9_]{0,63}$/u);
});

test('each kind of line has a message id of its own', () => {
  expect(new Set(Object.values(messageIds)).size).toBe(Object.keys(messageIds).length);
  for (const id of Object.values(messageIds)) expect(id).toMatch(/^[0-9a-f]{32}$/u);
});
