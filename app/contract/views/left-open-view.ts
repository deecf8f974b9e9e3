import { z } from 'zod';
import { leftOpenRefusals } from '../../left-open/left-open.ts';
import { agentSchema, countSchema, momentSchema, ownerStates, safeTextSchema, processViewSchema } from './view.ts';

/** By what it is kept; see docs/using.md. */
const keepers = ['tmux', 'screen', 'podman', 'docker'] as const;

/** What a tool call left open (a multiplexer's session, a container), in the published form. */
export const leftOpenViewSchema = z.object({
  /** Names it for `leftOpen.end` and `curfew reap --left-open`. */
  id: z.string(),
  keeper: z.enum(keepers),
  /** An addition: a tool call, or a server of a session that was attached to it. */
  openedBy: z.enum(['call', 'server']).default('call'),
  name: safeTextSchema,
  /** Of a container. */
  image: safeTextSchema.nullable(),
  /** What it is, in a few words. */
  text: safeTextSchema,
  agent: agentSchema,
  session: z.string().nullable(),
  project: safeTextSchema.nullable(),
  owner: z.enum(ownerStates),
  /** How it is known that a tool call opened it. */
  evidence: safeTextSchema,
  startedAt: momentSchema,
  canEnd: z.boolean(),
  /** Why Curfew does not end it, as a code and for users; null: it may be ended. */
  refusalCode: z.enum(leftOpenRefusals).nullable(),
  refusal: safeTextSchema.nullable(),
  /** The command of its keeper that ends it, as a user would write it; null: none is known. */
  endWith: safeTextSchema.nullable(),
  /** Resident memory of what runs in it. */
  rssBytes: countSchema,
  /** What runs in it. */
  processes: z.array(processViewSchema),
});

export type LeftOpenView = z.infer<typeof leftOpenViewSchema>;
