import { z } from 'zod';
import { agentSchema, countSchema, momentSchema, ownerStates, secondsSchema, statementSchema } from './view.ts';

/** A process of a job. `args` is redacted; `ageSeconds` and `rssBytes` are additions to the published form. */
export const memberViewSchema = z.object({
  pid: countSchema,
  ppid: countSchema,
  pgid: countSchema,
  sid: countSchema,
  state: z.string(),
  args: z.string(),
  by: z.array(z.enum(['group', 'tree', 'env', 'ledger', 'output'])),
  ageSeconds: secondsSchema,
  rssBytes: countSchema,
});

/** What the members hold together. `outputBytes` is an addition; null where there is no output file or it could not be read. */
const holdsViewSchema = z.object({
  rssBytes: countSchema,
  cpuPercent: z.number().nonnegative(),
  fds: countSchema,
  ports: z.array(countSchema),
  locks: z.array(z.string()),
  sockets: countSchema,
  outputBytes: countSchema.nullable(),
});

/** The judge's answer in the published form. */
const verdictViewSchema = z.object({
  state: z.enum(['within', 'overdue', 'orphaned', 'past-cap', 'kept', 'protected']),
  action: z.enum(['none', 'notify', 'reap']),
  at: momentSchema.nullable(),
  reasons: z.array(statementSchema),
});

/** Why a process may not be signalled; `pid` says which one it is about. */
export const vetoViewSchema = statementSchema.extend({ pid: countSchema });

/**
 * A job as `curfew scan --json` prints it and as windows show it (schema 1; fields may be added, never changed). Additions to
 * the published form: `name`, `run`, `startedAt`, `keptUntil`, `noticedAt`, `ownerEvidence`, `evidence`, `diagnosed`.
 */
export const jobViewSchema = z.object({
  id: z.string().regex(/^[0-9a-f]+$/u),
  agent: agentSchema,
  rule: z.string(),
  command: z.string(),
  /** What the person or the agent calls it; absent where nobody gave it a name. */
  name: z.string().optional(),
  /** Set for what was started with `curfew run`: its own limits, in place of those of the settings. `maxElapsedSeconds` null: none but the hard cap. */
  run: z
    .object({
      id: z.string(),
      background: z.boolean(),
      maxElapsedSeconds: secondsSchema.nullable(),
      hardCapSeconds: secondsSchema,
    })
    .optional(),
  project: z.string().nullable(),
  session: z.string().nullable(),
  task: z.string().nullable(),
  output: z.string().nullable(),
  root: z.object({
    pid: countSchema,
    startedAt: momentSchema,
    ppid: countSchema,
    pgid: countSchema,
    sid: countSchema,
    args: z.string(),
  }),
  members: z.array(memberViewSchema),
  owner: z.enum(ownerStates),
  /** How the owner's state is known, in words. */
  ownerEvidence: z.string(),
  ageSeconds: secondsSchema,
  silentSeconds: secondsSchema,
  kind: z.enum(['task', 'service']),
  diagnoses: z.array(z.string()),
  /** The diagnoses again, with their figures and sentences. */
  diagnosed: z.array(statementSchema),
  holds: holdsViewSchema,
  verdict: verdictViewSchema,
  vetoes: z.array(vetoViewSchema),
  /** When the tool call was made. */
  startedAt: momentSchema,
  /** Put off by the person until then. */
  keptUntil: momentSchema.nullable(),
  /** When the person was first told that the job overstays. */
  noticedAt: momentSchema.nullable(),
  /** What proves that an agent started it, in words. */
  evidence: z.array(statementSchema),
});

/** See `jobViewSchema`. */
export type JobView = z.infer<typeof jobViewSchema>;

/** See `memberViewSchema`. */
export type MemberView = z.infer<typeof memberViewSchema>;

/** See `vetoViewSchema`. */
export type VetoView = z.infer<typeof vetoViewSchema>;
