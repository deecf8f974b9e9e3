import * as fc from 'fast-check';

/**
 * A random machine as data: who is on it, what they left, what happens while Curfew works. fast-check makes it from a seed and,
 * when an invariant breaks, shrinks it to the fewest people and jobs that still break it.
 */

/** Agents that mark their children so that the end of a session can be proved whoever else lives (a pid or session is in the mark). */
export const provableAgents = ['claude-2.1.329', 'claude-2.1.197', 'copilot', 'opencode'] as const;
/** Agents whose sessions can't be told apart: gone only when none of them lives. */
export const sharedAgents = ['claude-2.0.28', 'codex', 'gemini', 'mux'] as const;
/** Never proved gone. */
export const unprovableAgents = ['cursor'] as const;

/** See the three lists. */
export type AgentKind =
  | (typeof provableAgents)[number]
  | (typeof sharedAgents)[number]
  | (typeof unprovableAgents)[number];

/**
 * What a tool call starts. `pipeline` a shell that waits · `leftover` its shell returns · `setsid` leaves group and session ·
 * `forked-twice` its parent is gone at once · `deaf` ignores TERM · `breeds` forks all the time · `changes` execs another argv ·
 * `stopped` stopped itself · `kept` carries CURFEW_KEEP=1.
 */
export const jobKinds = [
  'pipeline',
  'leftover',
  'setsid',
  'forked-twice',
  'deaf',
  'breeds',
  'changes',
  'stopped',
  'kept',
] as const;

/** See `jobKinds`. */
export type JobKind = (typeof jobKinds)[number];

/** One run of an agent. `background`: moved there, its shells adopted by a successor (Claude Code 2.1.329 only; others just live). */
export interface SessionPlan {
  readonly agent: AgentKind;
  readonly fate: 'lives' | 'crashes' | 'background';
  readonly jobs: readonly JobKind[];
}

/** Somebody whom nothing may happen to. */
export const innocentKinds = [
  'person-server',
  'person-nohup',
  'wrapper-in-arguments',
  'editor-with-wrapper',
  'other-user',
  'marked-keep',
  'exported-marker',
  'same-folder',
  'multiplexer',
] as const;

/** See `innocentKinds`. */
export type InnocentKind = (typeof innocentKinds)[number];

/** While Curfew works: a process of a job dies and somebody else gets its pid · a new session of an agent begins. */
export interface Disturbance {
  readonly kind: 'recycled' | 'new-session';
  readonly afterMs: number;
  /** Which process of those that are due, counted round. */
  readonly which: number;
}

/** See above. */
export interface WorldPlan {
  readonly sessions: readonly SessionPlan[];
  readonly innocents: readonly InnocentKind[];
  readonly disturbances: readonly Disturbance[];
  /** One pass by hand, or a supervisor that does it by itself. */
  readonly by: 'reap' | 'watch';
}

const session: fc.Arbitrary<SessionPlan> = fc.record({
  agent: fc.constantFrom<AgentKind>(...provableAgents, ...provableAgents, ...sharedAgents, ...unprovableAgents),
  fate: fc.constantFrom('lives', 'crashes', 'crashes', 'background'),
  jobs: fc.array(fc.constantFrom(...jobKinds), { minLength: 1, maxLength: 3 }),
});

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  kind: fc.constantFrom('recycled', 'recycled', 'new-session'),
  afterMs: fc.integer({ min: 0, max: 2500 }),
  which: fc.nat(50),
});

/** Any world of up to four sessions and five innocents. */
export const world: fc.Arbitrary<WorldPlan> = fc.record({
  sessions: fc.array(session, { minLength: 1, maxLength: 4 }),
  innocents: fc.array(fc.constantFrom(...innocentKinds), { minLength: 1, maxLength: 5 }),
  disturbances: fc.array(disturbance, { maxLength: 3 }),
  by: fc.constantFrom('reap', 'reap', 'watch'),
});

const among = (names: readonly string[], name: string): boolean => names.some((one) => one === name);

/** Whether the agent's process still lives when Curfew looks. */
export const livesOn = ({ agent, fate }: SessionPlan): boolean =>
  fate === 'lives' || (fate === 'background' && agent !== 'claude-2.1.329');

/** What must become of the jobs of a session: the safety contract, said once more without any of Curfew's code. */
export const mustEnd = (plan: SessionPlan, { sessions }: WorldPlan): boolean => {
  if (livesOn(plan) || plan.fate === 'background') return false;
  if (among(provableAgents, plan.agent)) return true;
  if (among(unprovableAgents, plan.agent)) return false;
  const sameProgram = (one: SessionPlan): boolean =>
    one.agent === plan.agent || (one.agent.startsWith('claude') && plan.agent.startsWith('claude'));
  return !sessions.some((one) => one !== plan && sameProgram(one) && (livesOn(one) || one.fate === 'background'));
};
