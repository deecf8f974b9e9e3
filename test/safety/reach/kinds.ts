/**
 * How an agent of the user is reached. By nothing any more: `hung-up` its terminal is closed ·
 * `hung-up-deaf` and it ignores TERM · `launcher-gone-then-closed` · `editor-gone` its client was
 * killed. Hardly: `cut-off` in a background group of a terminal that lives · `held` a third process
 * keeps its ends · `detached` in a multiplexer without a client. Or it only looks so: `busy` hung
 * up, and it writes · `to-a-file`, `to-a-pipe` its terminal is closed, its output goes on · `cron`
 * was never in a terminal · `daemon` serves others · `terminal` has a terminal that lives.
 */
export const reachKinds = [
  'hung-up',
  'hung-up-deaf',
  'launcher-gone-then-closed',
  'editor-gone',
  'cut-off',
  'held',
  'detached',
  'busy',
  'to-a-file',
  'to-a-pipe',
  'cron',
  'daemon',
  'terminal',
] as const;

/** See `reachKinds`. */
export type ReachKind = (typeof reachKinds)[number];

/** The names that such an agent goes by. */
export const reachAgents = ['claude', 'codex', 'copilot', 'gemini'] as const;

/** One agent that is there for itself: it has no session on record, and no call of it runs. */
export interface ReachPlan {
  readonly kind: ReachKind;
  readonly agent: (typeof reachAgents)[number];
}

/** Those of which the kernel says that no user can reach them, and which are quiet. */
const unreachable: ReadonlySet<ReachKind> = new Set([
  'hung-up',
  'hung-up-deaf',
  'launcher-gone-then-closed',
  'editor-gone',
]);

/** Whether it is one of those. */
export const isUnreachable = ({ kind }: ReachPlan): boolean => unreachable.has(kind);

/** What decides whether Curfew may end such agents by itself. */
export interface ReachRules {
  readonly by: 'reap' | 'watch' | 'remote' | 'run';
  readonly unreachableAgents: 'show' | 'end';
  /** An earlier Curfew saw them quiet for longer than 15 minutes. */
  readonly watched: boolean;
}

/**
 * Whether an agent must be dead in the end: never where the user did not choose that, and never by
 * a pass that names no agent.
 */
export const dueOfAgent = (plan: ReachPlan, { by, unreachableAgents, watched }: ReachRules): boolean =>
  by === 'watch' && unreachableAgents === 'end' && watched && isUnreachable(plan);
