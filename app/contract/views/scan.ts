import { z } from 'zod';
import { agentViewSchema } from './agent-view.ts';
import { leftOpenViewSchema } from './left-open-view.ts';
import { jobViewSchema } from './job-view.ts';
import { agentSchema, countSchema, momentSchema, ownerStates, safeTextSchema } from './view.ts';

/** The servers of a session, as far as they are counted. */
const sessionServersSchema = z.object({
  count: countSchema,
  /** Resident memory of them and of what they started. Shared pages count for each process. */
  rssBytes: countSchema,
  /** The most of them that run one command; 0 for no server. */
  mostCopies: countSchema,
});

export type SessionServers = z.infer<typeof sessionServersSchema>;

/**
 * A session in the published form. Additions: `source` says how it is known; `servers` is null
 * where they are not counted (another machine, `curfew watch`).
 */
export const sessionViewSchema = z.object({
  agent: agentSchema,
  id: z.string().nullable(),
  pid: countSchema.nullable(),
  state: z.enum(ownerStates),
  project: safeTextSchema.nullable(),
  source: z.string(),
  servers: sessionServersSchema.nullable().default(null),
});

export type SessionView = z.infer<typeof sessionViewSchema>;

/** Automatic behaviour: `enforce` ends jobs, `observe` reports: the default until chosen. */
export const modeSchema = z.enum(['enforce', 'observe']);

export type ModeView = z.infer<typeof modeSchema>;

/** Document of `curfew scan --json`, schema 1: fields are added (`modeChosen`), never changed. */
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
  /** An addition: what tool calls opened and what goes on without them. */
  leftOpen: z.array(leftOpenViewSchema).default([]),
});

/** Stands for the scan of a named machine that could not be scanned (schema 1). An addition. */
export const unscannedDocumentSchema = z.object({
  schema: z.literal(1),
  host: z.string(),
  problem: z.object({ code: z.string(), text: safeTextSchema }),
});

export type UnscannedDocument = z.infer<typeof unscannedDocumentSchema>;

export type ScanDocument = z.infer<typeof scanDocumentSchema>;
