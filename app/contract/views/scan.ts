import { z } from 'zod';
import type { AgentSession } from '../../jobs/model/session.ts';
import { agentViewSchema, type AgentView } from './agent-view.ts';
import { jobViewSchema, type JobView } from './job-view.ts';
import { agentSchema, countSchema, moment, momentSchema, ownerStates } from './view.ts';

/** A session in the published form. `source` (an addition) says how it is known. */
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

/**
 * Automatic behaviour: `enforce` ends jobs, `observe` only reports. Until the user chooses, it is
 * `observe`.
 */
export const modeSchema = z.enum(['enforce', 'observe']);

/** See `modeSchema`. */
export type ModeView = z.infer<typeof modeSchema>;

/**
 * Document of `curfew scan --json` (schema 1; fields may be added, never changed). `modeChosen` is
 * an addition.
 */
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
  /** An addition: every agent of the user, with whether a user can reach it. */
  agents: z.array(agentViewSchema).default([]),
});

/** See `scanDocumentSchema`. */
export type ScanDocument = z.infer<typeof scanDocumentSchema>;

/** A session as published. */
const sessionView = (session: AgentSession): SessionView => ({
  agent: session.agent,
  id: session.id,
  pid: session.pid,
  state: session.state,
  project: session.project,
  source: session.source,
});

/** Input of `scanDocument` from one scan. */
export interface Look {
  readonly host: string;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /** null until the user chooses. */
  readonly mode: ModeView | null;
  /** Rows in the process table. */
  readonly processes: number;
  readonly tookMs: number;
  readonly sessions: readonly AgentSession[];
  /** Worst first. */
  readonly jobs: readonly JobView[];
  readonly agents: readonly AgentView[];
}

/** Returns the document of `curfew scan --json`. */
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
  agents: [...look.agents],
});
