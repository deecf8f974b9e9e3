import { z } from 'zod';
import type { AgentSession } from '../../jobs/model/session.ts';
import { jobViewSchema, type JobView } from './job-view.ts';
import { agentSchema, countSchema, moment, momentSchema, ownerStates } from './view.ts';

/** A session in the published form. `source` (an addition) says where it is known from. */
export const sessionViewSchema = z.object({
  agent: agentSchema,
  id: z.string().nullable(),
  pid: countSchema.nullable(),
  state: z.enum(ownerStates),
  project: z.string().nullable(),
  source: z.string(),
});

/** See `sessionViewSchema`. */
export type SessionView = z.infer<typeof sessionViewSchema>;

/** What happens by itself: `enforce` ends jobs, `observe` only reports. While the person has not chosen, it is `observe`. */
export const modeSchema = z.enum(['enforce', 'observe']);

/** See `modeSchema`. */
export type ModeView = z.infer<typeof modeSchema>;

/** What `curfew scan --json` prints (schema 1; fields may be added, never changed). `modeChosen` is an addition. */
export const scanDocumentSchema = z.object({
  schema: z.literal(1),
  host: z.string(),
  at: momentSchema,
  mode: modeSchema,
  modeChosen: z.boolean(),
  processes: countSchema,
  tookMs: z.number().nonnegative(),
  sessions: z.array(sessionViewSchema),
  jobs: z.array(jobViewSchema),
});

/** See `scanDocumentSchema`. */
export type ScanDocument = z.infer<typeof scanDocumentSchema>;

/** A session as it is published. */
const sessionView = (session: AgentSession): SessionView => ({
  agent: session.agent,
  id: session.id,
  pid: session.pid,
  state: session.state,
  project: session.project,
  source: session.source,
});

/** What one look gives to `scanDocument`. */
export interface Look {
  readonly host: string;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /** null while the person has not chosen. */
  readonly mode: ModeView | null;
  /** Rows in the process table. */
  readonly processes: number;
  readonly tookMs: number;
  readonly sessions: readonly AgentSession[];
  /** Worst first. */
  readonly jobs: readonly JobView[];
}

/** The document of `curfew scan --json`. */
export const scanDocument = (look: Look): ScanDocument => ({
  schema: 1,
  host: look.host,
  at: moment(look.atMs),
  mode: look.mode ?? 'observe',
  modeChosen: look.mode !== null,
  processes: look.processes,
  tookMs: look.tookMs,
  sessions: look.sessions.map(sessionView),
  jobs: [...look.jobs],
});
