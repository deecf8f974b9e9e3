import type { MetricFacts } from './facts.ts';
import type { MetricFamily } from './family.ts';
import { endFamilies } from './end-families.ts';
import { lookFamilies } from './look-families.ts';

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
