import { agentIds } from '../agents/common/agent-id.ts';
import { jobKinds } from '../model/job.ts';
import type { JobCount, LookFacts } from './facts.ts';
import type { MetricFamily, Sample } from './family.ts';
import { leftoverVerdicts, owners } from './label-values.ts';

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
export const lookFamilies = (facts: LookFacts): readonly MetricFamily[] => {
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
