import { z } from 'zod';
import type { Reach } from '../../model/reach.ts';
import { reachActions } from '../../reach/units.ts';
import { idleSchema } from './session-costs.ts';
import { agentSchema, countSchema, momentSchema, safeTextSchema, processViewSchema } from './view.ts';

/** Whether a user can reach an agent; see docs/deciding.md. */
const reachStates = Object.keys(reachActions) as readonly Reach['state'][];

/** An agent that runs, in the published form. */
export const agentViewSchema = z.object({
  agent: agentSchema,
  pid: countSchema,
  startedAt: momentSchema,
  state: z.enum(reachStates),
  /** The state in a word or two, and why, for users. */
  word: safeTextSchema,
  text: safeTextSchema,
  session: z.string().nullable(),
  project: safeTextSchema.nullable(),
  /** The user may end it by signals; `job` is then the id to ask with. */
  canEnd: z.boolean(),
  job: z.string().nullable(),
  /** Why Curfew does not signal it; null: it may be ended so. */
  refusal: safeTextSchema.nullable(),
  /** The agent's own command to end this service, where there is one. */
  endWith: safeTextSchema.nullable(),
  /** An addition: the id for `agent.end`, by which the user may have `endWith` run. */
  ownEnd: z.string().nullable().default(null),
  /** Since when it waits for its user, as far as it tells. */
  idleSince: momentSchema.nullable(),
  /** When its transcript was written last. */
  lastWriteAt: momentSchema.nullable(),
  /** An addition: whether it is idle, since when, and by what that is known. */
  idle: idleSchema.nullable().default(null),
  /** An addition: the command that lets its session go on; null: none is known. */
  resume: z.string().nullable().default(null),
  /** Share of one core since the look before, of the agent alone; null at the first look. */
  cpuPercent: z.number().nonnegative().nullable(),
  /** Resident memory of its tree. Shared pages count for each process. */
  rssBytes: countSchema,
  /** What is ended with it, and what then is left over: its own processes first. */
  tree: z.array(
    processViewSchema.extend({
      /** It is a part of the agent, and gets the signals. */
      own: z.boolean(),
    }),
  ),
});

export type AgentView = z.infer<typeof agentViewSchema>;
