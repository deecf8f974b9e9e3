import type { AgentId, AgentSessionId } from '../agents/common/agent-id.ts';
import type { Owner } from '../model/job.ts';
import type { Veto } from '../judge/verdict.ts';
import type { ProcessRow } from '../process/row.ts';

/** By what a thing is kept that goes on beside its tool call. */
export type Keeper = 'tmux' | 'screen' | 'podman' | 'docker';

export const leftOpenRefusals = ['may-belong', 'attached', 'was-attached', 'unanswered', 'protected'] as const;

/** Why what is left open is not ended, whatever the user asks. */
export type LeftOpenRefusal =
  /** It is not proved that a tool call opened it. */
  | { readonly code: 'may-belong' }
  /** A client is attached: a user looks at it. */
  | { readonly code: 'attached' }
  /** A client was attached since it was opened: a user works in it. */
  | { readonly code: 'was-attached' }
  /** Its keeper gave no answer, or one that contradicts the process table. */
  | { readonly code: 'unanswered'; readonly why: string }
  /** Something in it is not to be ended. */
  | { readonly code: 'protected'; readonly veto: Veto };

/**
 * What a tool call opened and what goes on without it: a session of a multiplexer, a container.
 * Curfew signals none of it. The user may end it, by the keeper's own command.
 */
export interface LeftOpen {
  /** What opened it: a tool call, or the server of a session that was attached to it. */
  readonly openedBy: 'call' | 'server';
  /** Names it for the user's order; steady as long as it lives. Lower case hexadecimal. */
  readonly id: string;
  readonly keeper: Keeper;
  /** Foreign text. */
  readonly name: string;
  /** Of a container; else null. Foreign text. */
  readonly image: string | null;
  readonly agent: AgentId;
  readonly session: AgentSessionId | null;
  readonly project: string | null;
  /** Its session, as far as it is known. */
  readonly owner: Owner['state'];
  /** How it is known that a tool call opened it; a sentence without a full stop. */
  readonly evidence: string;
  readonly startedAtMs: number;
  /** The process that keeps it: the server, the monitor of a container. */
  readonly kept: ProcessRow;
  /** What runs in it. */
  readonly inside: readonly ProcessRow[];
  /** Null: the user may end it. */
  readonly refusal: LeftOpenRefusal | null;
  /** The command that ends it, as a user would write it. */
  readonly endWith: readonly string[];
}
