import { agentIds } from '../agents/common/agent-id.ts';
import { outcomes } from '../history/incident.ts';
import type { EndTotal, EndTotals } from './facts.ts';
import type { MetricFamily, Sample } from './family.ts';

const sum = (totals: readonly EndTotal[], value: (total: EndTotal) => number): number =>
  totals.reduce((all, total) => all + value(total), 0);

/**
 * Returns what was ended so far, as counters that only grow; none where the record is unreadable.
 */
export const endFamilies = (ends: EndTotals): readonly MetricFamily[] => {
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
      value: sum(
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
          value: sum(
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
