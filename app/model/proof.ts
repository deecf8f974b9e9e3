import type { AgentId } from '../agents/common/agent-id.ts';

/**
 * What can witness that an agent started a process.
 *
 * - `look`: a look saw it below its agent, or `curfew run` started it.
 * - `kernel`: a control group that is given to tool calls alone, or that Curfew made for the agent
 *   and its calls, with the mark of a call; a job object; the kernel's own numbers of parents.
 * - `tool-shell`: its tool shell was seen alive: the wrapper's grammar, leading a process group and
 *   kernel session of its own.
 * - `output`: it holds the agent's output file open for writing, by device and inode, in a folder
 *   of a session.
 * - `agent-word`: a hook or registry entry of the agent names it by pid and start.
 */
export const witnessKinds = ['look', 'kernel', 'tool-shell', 'output', 'agent-word'] as const;

export type WitnessKind = (typeof witnessKinds)[number];

/** Every value of `Proof['kind']`, for schemas and documents. */
export const proofKinds = [...witnessKinds, 'claimed'] as const;

/** A process as it was seen, within the boot of the ledger entry that holds it. */
export interface SeenProcess {
  readonly pid: number;
  readonly startTicks: number;
}

/** Descent from an agent that was witnessed, with what was seen. */
export interface Witnessed {
  readonly kind: WitnessKind;
  readonly agent: AgentId;
  /**
   * The process that was seen: the agent's (`look`, `kernel`), the tool shell, the one that held
   * the output file, the one that the agent named. null where no single process was seen: a
   * control group, or the job of an earlier release whose agent was not noted.
   */
  readonly process: SeenProcess | null;
  /** When it was first seen, wall clock in milliseconds. For texts: nothing is decided by it. */
  readonly atMs: number;
}

/**
 * How it is known that an agent started a job. `claimed`: by marks alone (environment variables,
 * file names, command lines), which reach other processes too. Nothing claimed is ever ended
 * automatically.
 */
export type Proof = Witnessed | { readonly kind: 'claimed' };

/** Descent, and the agent's process that something was below. */
export interface BelowAgent {
  readonly proof: Witnessed;
  readonly below: SeenProcess;
  /** Its agent marks nothing, and a tool call of it was seen above it. */
  readonly ofPlainCall?: true;
}

/** Marks alone. */
export const claimed: Proof = { kind: 'claimed' };

/**
 * What earlier looks, the kernel or a hook saw of the descent of one process: an agent, or
 * something that is no agent and descends from none, which makes it the user's for ever.
 */
export type Descent =
  | ({ readonly from: 'agent' } & Pick<BelowAgent, 'proof'> & Partial<BelowAgent>)
  | { readonly from: 'user' };

/** True for descent that was witnessed. */
export const isWitnessed = (proof: Proof): proof is Witnessed => proof.kind !== 'claimed';
