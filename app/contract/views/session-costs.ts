import { z } from 'zod';
import { saidSchema } from './said.ts';
import { agentSchema, countSchema, momentSchema, secondsSchema, safeTextSchema } from './view.ts';

/** Whether a session still runs. `unreachable`: its process lives beyond any user's reach. */
export const shownSessionStates = ['live', 'gone', 'unknown', 'unreachable'] as const;

export type ShownSessionState = (typeof shownSessionStates)[number];

/** Memory of some processes. */
const memorySchema = z.object({
  /**
   * What they take of the machine: proportional shares (PSS) where they can be read, else resident
   * size (RSS), which counts shared pages once for each process.
   */
  bytes: countSchema,
  measured: z.enum(['pss', 'rss', 'mixed']),
  /** What ending them frees: private pages; null where no process could be read. */
  privateBytes: countSchema.nullable(),
  /** Of them in swap, on top of `bytes`; null where no process could be read. */
  swapBytes: countSchema.nullable(),
  rssBytes: countSchema,
});

/** Whether an agent is idle, since when as far as anything tells, and why in words. */
export const idleSchema = z.object({
  state: z.enum(['idle', 'suspended', 'spinning', 'in-use', 'unknown']),
  since: momentSchema.nullable(),
  text: safeTextSchema,
});

export type IdleView = z.infer<typeof idleSchema>;

export const sessionCostSchema = z.object({
  agent: agentSchema,
  agentName: z.string(),
  id: z.string().nullable(),
  pid: countSchema.nullable(),
  state: z.enum(shownSessionStates),
  /** Why no user can reach it; null where that is not said. */
  unreachable: safeTextSchema.nullable(),
  project: safeTextSchema.nullable(),
  startedAt: momentSchema.nullable(),
  /** Since its process started; of one that is gone, since its oldest job did. */
  ageSeconds: secondsSchema.nullable(),
  processes: countSchema,
  memory: memorySchema,
  /** Processor time of its living processes and of the children that they waited for. */
  cpuSeconds: secondsSchema,
  /** Share of one core since it started, 0 … 100 × cores. */
  cpuPercent: z.number().nonnegative(),
  jobs: countSchema,
  servers: countSchema,
  /** Memory of its servers, with what they started. */
  serverMemory: memorySchema,
  /** The most servers of it that run one command; 0 for no server. */
  mostCopies: countSchema,
  /** How many of its servers and jobs run a command that another one runs, too. */
  duplicates: countSchema,
  source: z.string(),
  /** An addition: whether its agent is idle and since when; null where its process is not seen. */
  idle: idleSchema.nullable().default(null),
  /** An addition: the id by which the user may end its idle agent; null: it is not offered. */
  end: z.string().nullable().default(null),
  /** An addition: the same of one that its agent's own command ends; see `agent.end`. */
  ownEnd: z.string().nullable().default(null),
  /** An addition: the command that lets the session go on; null: none is known. */
  resume: z.string().nullable().default(null),
});

export type SessionCost = z.infer<typeof sessionCostSchema>;

/** A command that several servers or jobs run at once. */
const copiesSchema = z.object({
  /** Without the folder of its interpreter, secrets redacted. */
  command: safeTextSchema,
  copies: countSchema,
  sessions: countSchema,
  memoryBytes: countSchema,
});

export type Copies = z.infer<typeof copiesSchema>;

/** Servers that one living host keeps several times. */
const olderSetsSchema = z.object({
  agent: agentSchema,
  /** Its process. */
  host: countSchema,
  command: safeTextSchema,
  /** Sets that the user may end: a younger one is complete, and they moved no byte for 6 h. */
  sets: countSchema,
  /** Those that may be in use, or were not watched for 6 h. */
  waiting: countSchema,
  memoryBytes: countSchema,
  freesBytes: countSchema.nullable(),
  /** An addition: the ids by which the user may end those sets. */
  jobs: z.array(z.string()).default([]),
});

export type OlderSetsView = z.infer<typeof olderSetsSchema>;

/** Document of `curfew sessions --json` (schema 1; fields may be added, never changed). */
export const sessionCostsSchema = z.object({
  schema: z.literal(1),
  host: z.string(),
  at: momentSchema,
  /** Those that cost the most memory first. */
  sessions: z.array(sessionCostSchema),
  /** The most copies first. */
  duplicates: z.array(copiesSchema),
  /** An addition. */
  olderSets: z.array(olderSetsSchema).default([]),
  totals: z.object({
    sessions: z.object({ live: countSchema, gone: countSchema, unknown: countSchema, unreachable: countSchema }),
    processes: countSchema,
    memory: memorySchema,
    cpuSeconds: secondsSchema,
    jobs: countSchema,
    servers: countSchema,
    duplicates: countSchema,
  }),
});

export type SessionCosts = z.infer<typeof sessionCostsSchema>;

/** The same for a window, which says in its language why no user can reach an agent. */
export const sessionListSchema = sessionCostsSchema.extend({
  sessions: z.array(
    sessionCostSchema.extend({ unreachableSaid: saidSchema.nullable(), idleSaid: saidSchema.nullable() }),
  ),
});

export type SessionList = z.infer<typeof sessionListSchema>;
