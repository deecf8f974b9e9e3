import { z } from 'zod';
import { outcomes } from '../../history/incident.ts';
import { signalNames } from '../../process/signal.ts';
import { vetoViewSchema } from './job-view.ts';
import { saidSchema } from './said.ts';
import {
  agentSchema,
  countSchema,
  momentSchema,
  ownerStates,
  secondsSchema,
  processViewSchema,
  statementSchema,
  safeTextSchema,
} from './view.ts';

const deciders = ['rule', 'person', 'hook', 'command', 'agent'] as const;

/** One signal with its result. `note` (an addition) says why it was refused or vetoed. */
const signalViewSchema = z.object({
  at: momentSchema,
  signal: z.enum(signalNames),
  target: z.string(),
  pids: z.array(countSchema),
  result: z.enum(['sent', 'gone', 'refused', 'vetoed']),
  note: safeTextSchema.nullable(),
  /** The note for windows in other languages; left out where it has no key. */
  said: saidSchema.exactOptional(),
});

/** What was freed; counts only processes confirmed dead. */
export const freedViewSchema = z.object({
  /** The most that lived at one look. */
  processes: countSchema,
  /** The most that they held at one look. */
  rssBytes: countSchema,
  /** Further ones that lived at other looks; a Curfew of before doesn't say. */
  cameAndWent: countSchema.default(0),
  ports: z.array(countSchema),
  locks: z.array(safeTextSchema),
});

/** One line of an incident's timeline, in order. */
const incidentEventViewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signal'), at: momentSchema, signal: signalViewSchema }),
  z.object({ kind: z.literal('veto'), at: momentSchema, vetoes: z.array(vetoViewSchema) }),
  z.object({ kind: z.literal('died'), at: momentSchema, pids: z.array(countSchema) }),
  z.object({ kind: z.literal('note'), at: momentSchema, text: safeTextSchema, said: saidSchema.exactOptional() }),
  z.object({ kind: z.literal('ended'), at: momentSchema, outcome: z.enum(outcomes) }),
]);

/**
 * An incident as printed by `curfew reap --json` and `curfew history --json` (schema 1; fields may
 * be added, never changed). `outcome` is null while the reaping is in progress, and in a dry run.
 */
export const incidentViewSchema = z.object({
  id: z.string().min(1),
  job: z.string(),
  agent: agentSchema,
  command: safeTextSchema,
  decidedBy: z.enum(deciders),
  reasons: z.array(statementSchema),
  signals: z.array(signalViewSchema),
  outcome: z.enum(outcomes).nullable(),
  survivors: z.array(processViewSchema),
  freed: freedViewSchema,
  tookMs: z.number().nonnegative().nullable(),
  at: momentSchema,
  host: z.string(),
  rule: z.string(),
  project: safeTextSchema.nullable(),
  session: z.string().nullable(),
  task: safeTextSchema.nullable(),
  output: safeTextSchema.nullable(),
  ageSeconds: secondsSchema,
  owner: z.enum(ownerStates),
  ownerEvidence: safeTextSchema,
  ownerSaid: saidSchema.exactOptional(),
  /** State from the judge: `orphaned`, `past-cap` … */
  verdict: z.string(),
  evidence: z.array(safeTextSchema),
  processes: z.array(processViewSchema),
  firstSignal: z.string(),
  graceSeconds: secondsSchema,
  events: z.array(incidentEventViewSchema),
  /** Last lines of the job's output, redacted. May hold control characters. */
  outputTail: safeTextSchema.nullable(),
});

export type IncidentView = z.infer<typeof incidentViewSchema>;

/** The fields of an incident that a list needs, so that 100,000 rows stay light. */
const summaryFields = {
  id: true,
  at: true,
  host: true,
  job: true,
  agent: true,
  project: true,
  command: true,
  decidedBy: true,
  verdict: true,
  outcome: true,
  freed: true,
  tookMs: true,
  ageSeconds: true,
} as const;

export const incidentSummarySchema = incidentViewSchema.pick(summaryFields);

export type IncidentSummary = z.infer<typeof incidentSummarySchema>;

const summaryNames = Object.keys(summaryFields) as readonly (keyof IncidentSummary)[];

/** Returns the list row of an incident. */
export const incidentSummary = (incident: IncidentView): IncidentSummary =>
  Object.fromEntries(summaryNames.map((name) => [name, incident[name]])) as IncidentSummary;

/** Document of `curfew reap --json`. */
export const reapDocumentSchema = z.object({
  schema: z.literal(1),
  host: z.string(),
  dryRun: z.boolean(),
  incidents: z.array(incidentViewSchema),
});
