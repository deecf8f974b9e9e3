import { z } from 'zod';
import { outcomes } from '../history/incident.ts';
import { incidentSummarySchema, incidentViewSchema } from './views/incident-view.ts';
import { saidSchema } from './views/said.ts';
import { countSchema, momentSchema, safeTextSchema } from './views/view.ts';

/** Selects incidents. All given conditions must hold; an empty filter selects all. */
export const incidentFilterSchema = z.object({
  since: momentSchema.nullable().default(null),
  until: momentSchema.nullable().default(null),
  agent: z.string().max(100).nullable().default(null),
  project: z.string().max(4096).nullable().default(null),
  /** `unfinished`: no outcome is recorded. */
  outcome: z
    .enum([...outcomes, 'unfinished'])
    .nullable()
    .default(null),
  host: z.string().max(255).nullable().default(null),
  /** Words that must all occur in the command or the project, in any case. */
  text: z.string().max(500).default(''),
});

export type IncidentFilter = z.infer<typeof incidentFilterSchema>;

/** Rows by position, newest first, so that a list of 100,000 can jump anywhere. */
const historyPageInputSchema = z.object({
  filter: incidentFilterSchema,
  offset: countSchema,
  limit: countSchema.min(1).max(200),
});

/** `total` counts all incidents that match the filter. */
const historyPageSchema = z.object({
  total: countSchema,
  offset: countSchema,
  incidents: z.array(incidentSummarySchema),
});

/** A bar of the chart: sums from `at` until the next bar. */
const historyBarSchema = z.object({
  at: momentSchema,
  /** Jobs ended by Curfew, `reaped` and `killed` together. */
  ended: countSchema,
  survived: countSchema,
  /** Jobs that were spared, vanished or interrupted. */
  other: countSchema,
  freedBytes: countSchema,
});

/** `evidenceSaid`: the sentences of `evidence` for other languages; an older record has none. */
const incidentAnswerSchema = incidentViewSchema.extend({ evidenceSaid: z.array(saidSchema).exactOptional() });

/** The matching incidents over time and in sum, and the values of their fields. */
export const historyOverviewSchema = z.object({
  /** Width of a bar. */
  step: z.enum(['hour', 'day', 'week', 'month']),
  bars: z.array(historyBarSchema).max(400),
  incidents: countSchema,
  processes: countSchema,
  freedBytes: countSchema,
  /** Older records count each process of a loop; null: none of these does. */
  countedSince: momentSchema.nullable(),
  agents: z.array(z.string()),
  projects: z.array(safeTextSchema),
  hosts: z.array(z.string()),
});

export type HistoryOverview = z.infer<typeof historyOverviewSchema>;

/** A command that was recorded more than once in a project. */
const repeatSchema = incidentSummarySchema
  .pick({ id: true, at: true, agent: true, project: true, command: true })
  .extend({ incidents: countSchema, freedBytes: countSchema });

/** See `repeatSchema`. `id` and `at` are of the newest incident. */
export type Repeat = z.infer<typeof repeatSchema>;

/** Where an export went: a written file, or an address to fetch it from. */
const exportedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), path: z.string(), incidents: countSchema }),
  z.object({ kind: z.literal('download'), url: z.string(), incidents: countSchema }),
]);

export const historyQuestions = {
  'history.page': { input: historyPageInputSchema, output: historyPageSchema },
  'history.overview': { input: z.object({ filter: incidentFilterSchema }), output: historyOverviewSchema },
  /** What repeats among the newest `maxRepeatIncidents`, the most frequent first. */
  'history.repeats': {
    input: z.object({ filter: incidentFilterSchema }),
    output: z.object({ repeats: z.array(repeatSchema).max(20) }),
  },
  'history.incident': { input: z.object({ id: z.string().min(1).max(200) }), output: incidentAnswerSchema },
  /** Spares the project or the exact command of an incident from now on, below the hard cap. */
  'history.exempt': {
    input: z.object({ id: z.string().min(1).max(200), scope: z.enum(['project', 'command']) }),
    output: z.object({ createdAt: z.string() }),
  },
  'history.export': {
    input: z.object({ filter: incidentFilterSchema, format: z.enum(['csv', 'json']) }),
    output: exportedSchema,
  },
  /** Deletes incidents older than `olderThan`, or all. */
  'history.wipe': {
    input: z.object({ olderThan: momentSchema.nullable() }),
    output: z.object({ deleted: countSchema }),
  },
} as const;
