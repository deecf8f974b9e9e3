import { z } from 'zod';

/**
 * The JSON contract of the command line as scripts may rely on it, written from its documentation
 * and deliberately not shared with the product: additions pass, missing or mistyped fields fail.
 */
const instant = z.iso.datetime();
const reason = z.looseObject({
  code: z.string().min(1),
  text: z.string().min(1),
  figures: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
const owner = z.enum(['live', 'gone', 'unknown']);

const job = z.looseObject({
  id: z.string().regex(/^[0-9a-f]+$/),
  agent: z.string().min(1),
  rule: z.string().min(1),
  command: z.string(),
  project: z.string().nullable(),
  session: z.string().nullable(),
  task: z.string().nullable(),
  output: z.string().nullable(),
  root: z.looseObject({
    pid: z.int().positive(),
    startedAt: instant,
    ppid: z.int().nonnegative(),
    pgid: z.int().nonnegative(),
    sid: z.int().nonnegative(),
    args: z.string(),
  }),
  members: z.array(
    z.looseObject({
      pid: z.int().positive(),
      ppid: z.int().nonnegative(),
      pgid: z.int().nonnegative(),
      sid: z.int().nonnegative(),
      state: z.string().length(1),
      args: z.string(),
      by: z.array(z.enum(['group', 'tree', 'env', 'ledger', 'output'])),
    }),
  ),
  owner,
  proof: z.enum(['look', 'kernel', 'tool-shell', 'output', 'agent-word', 'claimed']),
  ageSeconds: z.number().nonnegative(),
  silentSeconds: z.number().nonnegative(),
  kind: z.enum(['task', 'service', 'server']),
  diagnoses: z.array(z.string()),
  holds: z.looseObject({
    rssBytes: z.number().nonnegative(),
    cpuPercent: z.number().nonnegative(),
    fds: z.int().nonnegative(),
    ports: z.array(z.int()),
    locks: z.array(z.string()),
    sockets: z.int().nonnegative(),
  }),
  verdict: z.looseObject({
    state: z.enum(['within', 'overdue', 'orphaned', 'probable', 'past-cap', 'kept', 'protected']),
    action: z.enum(['none', 'notify', 'reap']),
    at: instant.nullable(),
    reasons: z.array(reason).min(1),
  }),
  vetoes: z.array(reason),
});

/** `curfew scan --json`. */
export const scanDocument = z.looseObject({
  schema: z.literal(1),
  host: z.literal('local'),
  at: instant,
  mode: z.enum(['enforce', 'observe']),
  processes: z.int().positive(),
  tookMs: z.number().nonnegative(),
  sessions: z.array(
    z.looseObject({
      agent: z.string().min(1),
      id: z.string().nullable(),
      pid: z.int().positive().nullable(),
      state: owner,
      project: z.string().nullable(),
    }),
  ),
  jobs: z.array(job),
});

const incident = z.looseObject({
  /** Empty in a dry run, which records nothing. */
  id: z.string(),
  job: z.string().min(1),
  agent: z.string().min(1),
  command: z.string(),
  decidedBy: z.enum(['rule', 'person', 'hook', 'command', 'agent']),
  reasons: z.array(reason),
  signals: z.array(
    z.looseObject({
      at: instant,
      signal: z.string().regex(/^[A-Z0-9]+$/),
      target: z.string().min(1),
      pids: z.array(z.int()),
      result: z.enum(['sent', 'gone', 'refused', 'vetoed']),
    }),
  ),
  outcome: z.enum(['reaped', 'killed', 'survived', 'spared', 'vanished', 'interrupted']).nullable(),
  survivors: z.array(z.unknown()),
  freed: z.looseObject({
    processes: z.int().nonnegative(),
    rssBytes: z.number().nonnegative(),
    ports: z.array(z.int()),
    locks: z.array(z.string()),
  }),
  tookMs: z.number().nonnegative().nullable(),
});

/** `curfew reap --json`. */
export const reapDocument = z.looseObject({
  schema: z.literal(1),
  host: z.literal('local'),
  dryRun: z.boolean(),
  incidents: z.array(incident),
});

/** An incident: the contract names the same fields as for a reaping. */
export const historyIncident = z.looseObject({
  id: z.string().min(1),
  job: z.string().min(1),
  agent: z.string().min(1),
  command: z.string(),
  decidedBy: z.enum(['rule', 'person', 'hook', 'command', 'agent']),
  /** Null while the reaping is in progress. */
  outcome: z.string().min(1).nullable(),
});

/** A job as `scan` shows it. */
export type ScannedJob = z.infer<typeof job>;
/** One scan. */
export type Scan = z.infer<typeof scanDocument>;
/** One pass of reaping. */
export type Reap = z.infer<typeof reapDocument>;
/** One reaping. */
export type Incident = z.infer<typeof incident>;
