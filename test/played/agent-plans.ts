import * as fc from 'fast-check';

/** One agent of a world, and the looks before which things happen. */
export interface AgentPlan<Agent, Job, Innocent> {
  readonly agent: Agent;
  /** It ends before this look; null: it lives. */
  readonly endsAt: number | null;
  readonly jobs: readonly { readonly kind: Job; readonly at: number }[];
  readonly innocents: readonly { readonly kind: Innocent; readonly at: number }[];
}

/** What a stage can show. */
export interface Kinds<Agent, Job, Innocent> {
  readonly agents: readonly Agent[];
  readonly jobs: readonly Job[];
  readonly innocents: readonly Innocent[];
}

const early = fc.integer({ min: 0, max: 10 });

/**
 * Worlds of one to three agents, with what each leaves and what only looks so: for the simulated
 * kernels, and for real processes of Wine.
 */
export const agentPlans = <Agent, Job, Innocent>({
  agents,
  jobs,
  innocents,
}: Kinds<Agent, Job, Innocent>): fc.Arbitrary<readonly AgentPlan<Agent, Job, Innocent>[]> =>
  fc.array(
    fc.record({
      agent: fc.constantFrom(...agents),
      endsAt: fc.option(fc.integer({ min: 2, max: 20 }), { freq: 4 }),
      jobs: fc.array(fc.record({ kind: fc.constantFrom(...jobs), at: early }), { minLength: 1, maxLength: 3 }),
      innocents: fc.array(fc.record({ kind: fc.constantFrom(...innocents), at: early }), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
