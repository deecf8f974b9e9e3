import { z } from 'zod';
import { jobKinds } from '../../model/job.ts';
import { proofKinds } from '../../model/proof.ts';
import { verdictStates } from '../../judge/verdict.ts';
import {
  agentSchema,
  countSchema,
  momentSchema,
  ownerStates,
  secondsSchema,
  statementSchema,
  safeTextSchema,
} from './view.ts';

/** A process of a job. `args` is redacted. Additions to schema 1: `ageSeconds`, `rssBytes`. */
export const memberViewSchema = z.object({
  pid: countSchema,
  ppid: countSchema,
  pgid: countSchema,
  sid: countSchema,
  state: z.string(),
  args: safeTextSchema,
  by: z.array(z.enum(['group', 'tree', 'env', 'ledger', 'output'])),
  ageSeconds: secondsSchema,
  rssBytes: countSchema,
});

/** Totals of the members. `outputBytes` is an addition; null: no output file, or unreadable. */
const holdsViewSchema = z.object({
  rssBytes: countSchema,
  cpuPercent: z.number().nonnegative(),
  fds: countSchema,
  ports: z.array(countSchema),
  locks: z.array(safeTextSchema),
  sockets: countSchema,
  outputBytes: countSchema.nullable(),
});

/** Verdict of the judge in the published form. */
const verdictViewSchema = z.object({
  state: z.enum(verdictStates),
  action: z.enum(['none', 'notify', 'reap']),
  at: momentSchema.nullable(),
  /** When it is ended automatically, if enforced and nothing changes; null: never. An addition. */
  endsAt: momentSchema.nullable(),
  reasons: z.array(statementSchema),
});

/** Why a process may not be signalled; `pid` is that process. */
export const vetoViewSchema = statementSchema.extend({ pid: countSchema });

/**
 * A job as printed by `curfew scan --json` and shown in windows (schema 1; fields may be added,
 * never changed). Additions to the published form: `name`, `run`, `container`, `startedAt`,
 * `keptUntil`, `noticedAt`, `ownerEvidence`, `evidence`, `diagnosed`.
 */
export const jobViewSchema = z.object({
  id: z.string().regex(/^[0-9a-f]+$/u),
  agent: agentSchema,
  rule: z.string(),
  command: safeTextSchema,
  /** Name that the user or the agent gave it; absent without one. */
  name: safeTextSchema.optional(),
  /**
   * Set for a job started with `curfew run`: its own limits, which replace those of the settings.
   * `maxElapsedSeconds` null: only the hard cap.
   */
  run: z
    .object({
      id: z.string(),
      background: z.boolean(),
      maxElapsedSeconds: secondsSchema.nullable(),
      hardCapSeconds: secondsSchema,
    })
    .optional(),
  /** The container to which a process of it is attached, as `podman run -i` is; else absent. */
  container: z.object({ id: z.string(), name: safeTextSchema, image: safeTextSchema.nullable() }).optional(),
  project: safeTextSchema.nullable(),
  session: z.string().nullable(),
  task: safeTextSchema.nullable(),
  output: safeTextSchema.nullable(),
  root: z.object({
    pid: countSchema,
    startedAt: momentSchema,
    ppid: countSchema,
    pgid: countSchema,
    sid: countSchema,
    args: safeTextSchema,
  }),
  members: z.array(memberViewSchema),
  owner: z.enum(ownerStates),
  /** How the owner's state is known, in words. */
  ownerEvidence: safeTextSchema,
  /** Who or what witnessed that an agent started it; `claimed`: marks alone say so. */
  proof: z.enum(proofKinds),
  ageSeconds: secondsSchema,
  silentSeconds: secondsSchema,
  kind: z.enum(jobKinds),
  diagnoses: z.array(safeTextSchema),
  diagnosed: z.array(statementSchema),
  holds: holdsViewSchema,
  verdict: verdictViewSchema,
  vetoes: z.array(vetoViewSchema),
  /** Time of the tool call. */
  startedAt: momentSchema,
  /** The user keeps it until then. */
  keptUntil: momentSchema.nullable(),
  /** When the user was first told that the job is overdue. */
  noticedAt: momentSchema.nullable(),
  /** What was witnessed of that (code `proof-…`), then the marks that it has, in words. */
  evidence: z.array(statementSchema),
});

export type JobView = z.infer<typeof jobViewSchema>;

export type MemberView = z.infer<typeof memberViewSchema>;

export type VetoView = z.infer<typeof vetoViewSchema>;
