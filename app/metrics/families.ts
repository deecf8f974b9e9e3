import { agentIds } from '../agents/common/agent-id.ts';
import { outcomes } from '../history/incident.ts';
import { jobKinds } from '../model/job.ts';
import type { EndTotal, EndTotals, JobCount, LookFacts, MetricFacts } from './facts.ts';
import { type MetricFamily, type Sample, leftoverVerdicts, owners } from './family.ts';

const sumOf = (totals: readonly EndTotal[], value: (total: EndTotal) => number): number =>
  totals.reduce((all, total) => all + value(total), 0);

/** Returns what was ended, as growing counters; none where the record is unreadable. */
const endFamilies = (ends: EndTotals): readonly MetricFamily[] => {
  const readable: MetricFamily = {
    kind: 'gauge',
    name: 'curfew_history_readable',
    unit: null,
    help: 'Whether the record of ends could be read. Where it is 0 there are no counters of ends.',
    samples: [{ labels: {}, value: ends.kind === 'read' ? 1 : 0 }],
  };
  if (ends.kind === 'unreadable') return [readable];
  const createdSeconds = ends.sinceMs === null ? null : ends.sinceMs / 1000;
  const byAgent = (value: (total: EndTotal) => number): readonly Sample[] =>
    agentIds.map((agent) => ({
      labels: { agent },
      value: sumOf(
        ends.totals.filter((total) => total.agent === agent),
        value,
      ),
    }));
  return [
    readable,
    {
      kind: 'counter',
      name: 'curfew_ends',
      unit: null,
      help: 'Jobs whose end was begun and came to an outcome, on this machine and others, since the record was begun. Deleting old records takes nothing away.',
      createdSeconds,
      samples: agentIds.flatMap((agent) =>
        outcomes.map((outcome) => ({
          labels: { outcome, agent },
          value: sumOf(
            ends.totals.filter((total) => total.agent === agent && total.outcome === outcome),
            (total) => total.ends,
          ),
        })),
      ),
    },
    {
      kind: 'counter',
      name: 'curfew_survivors',
      unit: null,
      help: 'Processes that were left alive by an end, in spite of KILL.',
      createdSeconds,
      samples: byAgent((total) => total.survivors),
    },
    {
      kind: 'counter',
      name: 'curfew_ended_processes',
      unit: null,
      help: 'Processes that were ended and confirmed dead.',
      createdSeconds,
      samples: byAgent((total) => total.processes),
    },
    {
      kind: 'counter',
      name: 'curfew_freed_memory_bytes',
      unit: 'bytes',
      help: 'Resident memory of the processes that were ended and confirmed dead.',
      createdSeconds,
      samples: byAgent((total) => total.freedBytes),
    },
  ];
};

const jobsIn = (counts: readonly JobCount[], test: (count: JobCount) => boolean): number =>
  counts.filter(test).reduce((sum, { jobs }) => sum + jobs, 0);

const bytesIn = (counts: readonly JobCount[], test: (count: JobCount) => boolean): number =>
  counts.filter(test).reduce((sum, { rssBytes }) => sum + rssBytes, 0);

/** One number for each agent and state of the owner. */
const byOwner = (counts: readonly JobCount[]): readonly Sample[] =>
  agentIds.flatMap((agent) =>
    owners.map((owner) => ({
      labels: { agent, owner },
      value: jobsIn(counts, (count) => count.agent === agent && count.owner === owner),
    })),
  );

const jobFamilies = (jobs: readonly JobCount[]): readonly MetricFamily[] => [
  {
    kind: 'gauge',
    name: 'curfew_leftovers',
    unit: null,
    help: 'Jobs that outlived their session or overstay, by what the judge says of them.',
    samples: agentIds.flatMap((agent) =>
      jobKinds.flatMap((kind) =>
        leftoverVerdicts.map((verdict) => ({
          labels: { agent, kind, verdict },
          value: jobsIn(
            jobs,
            (count) => count.isLeftover && count.agent === agent && count.kind === kind && count.verdict === verdict,
          ),
        })),
      ),
    ),
  },
  {
    kind: 'gauge',
    name: 'curfew_leftover_memory_bytes',
    unit: 'bytes',
    help: 'Resident memory of the leftovers.',
    samples: agentIds.map((agent) => ({
      labels: { agent },
      value: bytesIn(jobs, (count) => count.isLeftover && count.agent === agent),
    })),
  },
  {
    kind: 'gauge',
    name: 'curfew_jobs',
    unit: null,
    help: 'What tool calls of agents started and still runs, by whether its session is live, gone or unknown.',
    samples: byOwner(jobs.filter(({ kind }) => kind !== 'server')),
  },
  {
    kind: 'gauge',
    name: 'curfew_servers',
    unit: null,
    help: 'Helpers that agents keep beside a session (MCP and language servers), by whether it is live, gone or unknown.',
    samples: byOwner(jobs.filter(({ kind }) => kind === 'server')),
  },
  {
    kind: 'gauge',
    name: 'curfew_job_memory_bytes',
    unit: 'bytes',
    help: 'Resident memory of all jobs and servers.',
    samples: agentIds.map((agent) => ({ labels: { agent }, value: bytesIn(jobs, (count) => count.agent === agent) })),
  },
];

const costFamilies = ({ cost, processes, startedAtMs }: LookFacts): readonly MetricFamily[] => [
  {
    kind: 'summary',
    name: 'curfew_scan_duration_seconds',
    unit: 'seconds',
    help: 'How long looks at the machine took, since the supervisor started.',
    count: cost.scans,
    sum: cost.seconds,
    createdSeconds: startedAtMs / 1000,
  },
  {
    kind: 'counter',
    name: 'curfew_scan_cpu_seconds',
    unit: 'seconds',
    help: 'Processor time of the looks, since the supervisor started.',
    createdSeconds: startedAtMs / 1000,
    samples: cost.cpuSeconds === null ? [] : [{ labels: {}, value: cost.cpuSeconds }],
  },
  {
    kind: 'gauge',
    name: 'curfew_scanned_processes',
    unit: null,
    help: 'Processes of the machine at the last look.',
    samples: [{ labels: {}, value: processes }],
  },
];

const hostFamilies = ({ hosts }: LookFacts): readonly MetricFamily[] => {
  const reached = hosts.filter((one) => one.reachable);
  return [
    {
      kind: 'gauge',
      name: 'curfew_host_reachable',
      unit: null,
      help: 'Whether a machine that the settings name answered when it was asked last.',
      samples: hosts.map(({ host, reachable }) => ({ labels: { host }, value: reachable ? 1 : 0 })),
    },
    {
      kind: 'gauge',
      name: 'curfew_host_leftovers',
      unit: null,
      help: 'Leftovers on a machine that the settings name. They are not among curfew_leftovers.',
      samples: reached.map(({ host, leftovers }) => ({ labels: { host }, value: leftovers })),
    },
    {
      kind: 'gauge',
      name: 'curfew_host_leftover_memory_bytes',
      unit: 'bytes',
      help: 'Resident memory of the leftovers on a machine that the settings name.',
      samples: reached.map(({ host, leftoverBytes }) => ({ labels: { host }, value: leftoverBytes })),
    },
  ];
};

/** Returns what the last look of a running supervisor says. */
const lookFamilies = (facts: LookFacts): readonly MetricFamily[] => {
  const { outOfReach, mode } = facts;
  return [
    ...jobFamilies(facts.jobs),
    {
      kind: 'gauge',
      name: 'curfew_agents_out_of_reach',
      unit: null,
      help: 'Agents that no user can reach any more. Not there where the system does not tell.',
      samples:
        outOfReach === null
          ? []
          : agentIds.map((agent) => ({
              labels: { agent },
              value: outOfReach.filter((one) => one.agent === agent).reduce((sum, { agents }) => sum + agents, 0),
            })),
    },
    {
      kind: 'gauge',
      name: 'curfew_at_work',
      unit: null,
      help: 'Agents and their jobs that are at work, or may be.',
      samples: facts.atWork === null ? [] : [{ labels: {}, value: facts.atWork }],
    },
    {
      kind: 'gauge',
      name: 'curfew_idle_since_timestamp_seconds',
      unit: 'seconds',
      help: 'Since when no agent and no job is at work. Not there while one is, or where there is none.',
      samples: facts.quietSinceMs === null ? [] : [{ labels: {}, value: facts.quietSinceMs / 1000 }],
    },
    ...costFamilies(facts),
    {
      kind: 'gauge',
      name: 'curfew_mode',
      unit: null,
      help: 'The mode: 1 for the one that holds. While none was chosen (unset), Curfew observes.',
      samples: (['enforce', 'observe', 'unset'] as const).map((one) => ({
        labels: { mode: one },
        value: (mode ?? 'unset') === one ? 1 : 0,
      })),
    },
    {
      kind: 'gauge',
      name: 'curfew_paused',
      unit: null,
      help: 'Whether the user paused Curfew: nothing is announced or ended automatically.',
      samples: [{ labels: {}, value: facts.isPaused ? 1 : 0 }],
    },
    ...hostFamilies(facts),
  ];
};

/**
 * Returns every number that is known. Every label has few values, all known beforehand but the
 * machines that the settings name: no command, path, process, user or session. Where a number is
 * known to be 0 it is there from the first time on, so that `rate()` sees the first end
 * (https://prometheus.io/docs/practices/instrumentation/#avoid-missing-metrics); what is not known
 * is not there.
 */
export const metricFamilies = ({ version, watching, ends }: MetricFacts): readonly MetricFamily[] => [
  {
    kind: 'info',
    name: 'curfew_build',
    unit: null,
    help: 'The version of the supervisor that watches, or of the command that made these numbers.',
    labels: { version: watching.kind === 'watching' ? watching.facts.version : version },
  },
  {
    kind: 'gauge',
    name: 'curfew_up',
    unit: null,
    help: 'Whether a supervisor watches: it published what it saw within the last two minutes.',
    samples: [{ labels: {}, value: watching.kind === 'watching' ? 1 : 0 }],
  },
  ...(watching.kind === 'never'
    ? []
    : ([
        {
          kind: 'gauge',
          name: 'curfew_last_scan_timestamp_seconds',
          unit: 'seconds',
          help: 'When a supervisor looked last, Unix time.',
          samples: [
            {
              labels: {},
              value: (watching.kind === 'ended' ? watching.lastScanMs : watching.facts.lastScanMs) / 1000,
            },
          ],
        },
      ] as const)),
  ...(watching.kind === 'watching' ? lookFamilies(watching.facts) : []),
  ...endFamilies(ends),
];
