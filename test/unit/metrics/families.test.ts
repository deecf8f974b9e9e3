import { describe, expect, test } from 'vitest';
import { expose } from '../../../app/metrics/exposition.ts';
import { metricFamilies } from '../../../app/metrics/families.ts';
import { countJobs, type LookFacts, type MetricFacts } from '../../../app/metrics/facts.ts';
import type { JobKind, Owner } from '../../../app/model/job.ts';
import type { ServerState } from '../../../app/model/server-state.ts';
import type { VerdictState } from '../../../app/judge/verdict.ts';
import { sampleFacts, sampleLook } from './sample-facts.ts';
import { readExposition, type ReadSample } from '../../property/metrics/read-exposition.ts';

const holds = (rssBytes: number) => ({
  rssBytes,
  cpuPercent: 0,
  fds: 0,
  ports: [],
  locks: [],
  sockets: 0,
  outputBytes: null,
});
const gone: Owner = { state: 'gone', sinceMs: null, evidence: '' };
const live: Owner = { state: 'live', process: null, evidence: '' };
const judged = (owner: Owner, state: VerdictState, rssBytes: number, kind: JobKind = 'task', server?: ServerState) => ({
  job: {
    agent: 'claude-code' as const,
    kind,
    owner,
    holds: holds(rssBytes),
    ...(server === undefined ? {} : { server }),
  },
  verdict: { state },
});

const look: LookFacts = {
  ...sampleLook,
  jobs: countJobs([
    judged(gone, 'orphaned', 1000),
    judged(gone, 'orphaned', 24),
    judged(gone, 'protected', 1),
    judged(live, 'within', 500),
    judged(live, 'overdue', 8, 'service'),
  ]),
};

const watching: MetricFacts = { ...sampleFacts, watching: { kind: 'watching', facts: look } };

const samplesOf = (facts: MetricFacts): readonly ReadSample[] =>
  readExposition(expose(metricFamilies(facts), 'openmetrics'), 'openmetrics').flatMap(({ samples }) => samples);

/** The value of the one series with this name and these labels; undefined where there is none. */
const value = (facts: MetricFacts, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
  samplesOf(facts).find((sample) => sample.name === name && JSON.stringify(sample.labels) === JSON.stringify(labels))
    ?.value;

describe('the numbers of a supervisor that watches', () => {
  test('leftovers are what outlived its session or overstays, by verdict; a protected job is none', () => {
    const leftovers = (kind: string, verdict: string) =>
      value(watching, 'curfew_leftovers', { agent: 'claude-code', kind, verdict });
    expect(leftovers('task', 'orphaned')).toBe(2);
    expect(leftovers('service', 'overdue')).toBe(1);
    expect(leftovers('task', 'within')).toBe(0);
    expect(leftovers('task', 'protected')).toBeUndefined();
    expect(value(watching, 'curfew_leftover_memory_bytes', { agent: 'claude-code' })).toBe(1032);
  });

  test('jobs are counted by owner, protected ones included', () => {
    expect(value(watching, 'curfew_jobs', { agent: 'claude-code', owner: 'gone' })).toBe(3);
    expect(value(watching, 'curfew_jobs', { agent: 'claude-code', owner: 'live' })).toBe(2);
    expect(value(watching, 'curfew_job_memory_bytes', { agent: 'claude-code' })).toBe(1533);
  });

  test('a server of a living session is a server, and no leftover', () => {
    const state: ServerState = { standing: 'living' };
    const facts = { ...look, jobs: countJobs([judged(gone, 'within', 5, 'server', state)]) };
    const all: MetricFacts = { ...watching, watching: { kind: 'watching', facts } };
    expect(value(all, 'curfew_servers', { agent: 'claude-code', owner: 'gone' })).toBe(1);
    expect(value(all, 'curfew_jobs', { agent: 'claude-code', owner: 'gone' })).toBe(0);
    expect(value(all, 'curfew_leftovers', { agent: 'claude-code', kind: 'server', verdict: 'within' })).toBe(0);
  });

  test('ends and survivors are counters, 0 from the first time on, with since when they count', () => {
    expect(value(watching, 'curfew_ends_total', { outcome: 'killed', agent: 'claude-code' })).toBe(4);
    expect(value(watching, 'curfew_ends_total', { outcome: 'reaped', agent: 'gemini' })).toBe(0);
    expect(value(watching, 'curfew_ends_created', { outcome: 'reaped', agent: 'gemini' })).toBe(1_600_000_000);
    expect(value(watching, 'curfew_survivors_total', { agent: 'claude-code' })).toBe(2);
    expect(value(watching, 'curfew_ended_processes_total', { agent: 'claude-code' })).toBe(10);
    expect(value(watching, 'curfew_freed_memory_bytes_total', { agent: 'claude-code' })).toBe(4097);
  });

  test('what looks cost, how Curfew stands, and the machines of the settings', () => {
    expect(value(watching, 'curfew_up')).toBe(1);
    expect(value(watching, 'curfew_last_scan_timestamp_seconds')).toBe(1_700_000_100.5);
    expect(value(watching, 'curfew_scan_duration_seconds_count')).toBe(20);
    expect(value(watching, 'curfew_scan_duration_seconds_sum')).toBe(0.25);
    expect(value(watching, 'curfew_scan_cpu_seconds_total')).toBe(0.125);
    expect(value(watching, 'curfew_scanned_processes')).toBe(312);
    expect(value(watching, 'curfew_mode', { mode: 'enforce' })).toBe(1);
    expect(value(watching, 'curfew_mode', { mode: 'unset' })).toBe(0);
    expect(value(watching, 'curfew_paused')).toBe(0);
    expect(value(watching, 'curfew_agents_out_of_reach', { agent: 'codex' })).toBe(2);
    expect(value(watching, 'curfew_host_reachable', { host: 'web1' })).toBe(1);
    expect(value(watching, 'curfew_host_leftovers', { host: 'web1' })).toBe(3);
    expect(value(watching, 'curfew_host_reachable', { host: 'web2' })).toBe(0);
    expect(value(watching, 'curfew_build_info', { version: '1.2.3' })).toBe(1);
  });
});

describe('what is not known is not there', () => {
  const names = (facts: MetricFacts): ReadonlySet<string> => new Set(samplesOf(facts).map(({ name }) => name));

  test('an out-of-reach host has no leftovers, a system that can’t tell has no agents out of reach', () => {
    expect(value(watching, 'curfew_host_leftovers', { host: 'web2' })).toBeUndefined();
    const facts = { ...look, outOfReach: null, cost: { ...look.cost, cpuSeconds: null }, hosts: [] };
    const there = names({ ...watching, watching: { kind: 'watching', facts } });
    for (const name of ['curfew_agents_out_of_reach', 'curfew_scan_cpu_seconds_total', 'curfew_host_reachable'])
      expect(there).not.toContain(name);
  });

  test('after its end a supervisor leaves an old moment and curfew_up 0, and no jobs', () => {
    const ended: MetricFacts = { ...watching, watching: { kind: 'ended', lastScanMs: 1_000_000 } };
    expect(value(ended, 'curfew_up')).toBe(0);
    expect(value(ended, 'curfew_last_scan_timestamp_seconds')).toBe(1000);
    expect(value(ended, 'curfew_ends_total', { outcome: 'killed', agent: 'claude-code' })).toBe(4);
    expect(value(ended, 'curfew_build_info', { version: '9.9.9' })).toBe(1);
    for (const name of [
      'curfew_leftovers',
      'curfew_jobs',
      'curfew_mode',
      'curfew_paused',
      'curfew_leftover_memory_bytes',
    ])
      expect(names(ended)).not.toContain(name);
  });

  test('where none ever watched and the record can’t be read, three numbers are left', () => {
    const never: MetricFacts = { version: '9.9.9', watching: { kind: 'never' }, ends: { kind: 'unreadable' } };
    expect(expose(metricFamilies(never), 'text').split('\n')).toEqual([
      '# TYPE curfew_build_info gauge',
      '# HELP curfew_build_info The version of the supervisor that watches, or of the command that made these numbers.',
      'curfew_build_info{version="9.9.9"} 1',
      '# TYPE curfew_up gauge',
      '# HELP curfew_up Whether a supervisor watches: it published what it saw within the last two minutes.',
      'curfew_up 0',
      '# TYPE curfew_history_readable gauge',
      '# HELP curfew_history_readable Whether the record of ends could be read. Where it is 0 there are no counters of ends.',
      'curfew_history_readable 0',
      '',
    ]);
  });
});

test('labels are few, and the same ones whatever runs', () => {
  const series = samplesOf(watching).filter(({ name }) => !name.endsWith('_created'));
  expect(new Set(series.flatMap(({ labels }) => Object.keys(labels)))).toEqual(
    new Set(['version', 'agent', 'kind', 'verdict', 'owner', 'mode', 'host', 'outcome']),
  );
  const empty: MetricFacts = {
    ...watching,
    watching: { kind: 'watching', facts: { ...look, jobs: [], outOfReach: [] } },
    ends: { kind: 'read', sinceMs: null, totals: [] },
  };
  expect(samplesOf(empty).filter(({ name }) => !name.endsWith('_created'))).toHaveLength(series.length);
});
