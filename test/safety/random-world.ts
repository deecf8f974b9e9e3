import * as fc from 'fast-check';
import { missing } from '../os/remote/far-machine.ts';
import { playable, playableKinds } from './playable.ts';
import { reachAgents, reachKinds, type ReachPlan } from './reach/kinds.ts';
import { serverKinds, servingAgents } from './servers/kinds.ts';
import type {
  AgentKind,
  Change,
  Disturbance,
  InnocentKind,
  JobKind,
  Moment,
  RunPlan,
  SessionPlan,
  Step,
  WorldPlan,
} from './world.ts';
import {
  changes,
  clocks,
  moments,
  provableAgents,
  runEnds,
  sharedAgents,
  shelters,
  unprovableAgents,
} from './world.ts';

// fast-check makes a world from a seed and, when an invariant breaks, shrinks it to the fewest
// people and jobs that still break it.

const noServers = fc.constant([]);
const alone = fc.constant('alone' as const);

/** Which clock is another when Curfew works. */
const clock = fc.oneof(
  { arbitrary: fc.constant('steady' as const), weight: 3 },
  { arbitrary: fc.constantFrom(...clocks), weight: 1 },
);

/** What worlds are like that are not about servers and agents out of reach. */
const nothingElse = {
  agents: fc.constant([]),
  settings: fc.constant({ sessionServers: 'end', unreachableAgents: 'show' }),
  looked: fc.constantFrom('once', 'once', 'once', 'no', 'lost'),
  clock,
} as const;

const anySession: fc.Arbitrary<SessionPlan> = fc.record({
  agent: fc.constantFrom<AgentKind>(...provableAgents, ...provableAgents, ...sharedAgents, ...unprovableAgents),
  fate: fc.constantFrom('lives', 'crashes', 'crashes', 'ends', 'background'),
  jobs: fc.array(fc.constantFrom(...playableKinds.jobs), { minLength: 1, maxLength: 3 }),
  place: alone,
  servers: noServers,
});

// A stopped process hears HUP and CONT from the kernel itself when the agent ends in whose kernel
// session its group is.
const session = anySession.map((one): SessionPlan =>
  one.agent === 'cursor' ? { ...one, jobs: one.jobs.map((kind) => (kind === 'stopped' ? 'pipeline' : kind)) } : one,
);

const servers = (max: number): fc.Arbitrary<SessionPlan['servers']> =>
  fc.array(fc.constantFrom(...serverKinds), { minLength: 1, maxLength: max });

/** A session with servers beside it, and now and then a job. */
const serving: fc.Arbitrary<SessionPlan> = fc.record({
  agent: fc.constantFrom(...servingAgents),
  fate: fc.constantFrom('lives', 'crashes', 'crashes', 'crashes', 'ends', 'background'),
  jobs: fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...playableKinds.jobs), { maxLength: 1 })),
  place: fc.constantFrom('alone', 'shell'),
  servers: servers(3),
});

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  kind: fc.constantFrom('recycled', 'recycled', 'new-session'),
  afterMs: fc.integer({ min: 0, max: 2500 }),
  which: fc.nat(50),
});

const stepOf = (
  at: readonly Moment[],
  what: readonly Change[],
  which: readonly number[] = [0, 0, 1, 2, 3, 5, 8],
): fc.Arbitrary<Step> =>
  fc
    .record({
      at: fc.constantFrom(...at),
      time: fc.constantFrom(1, 1, 1, 2, 3),
      what: fc.constantFrom(...what),
      which: fc.constantFrom(...which),
    })
    // Between its last look at a group and the kernel's signal to it there is nothing that Curfew
    // could do: who comes then hears it.
    .map((one): Step => (one.at.startsWith('send ') && one.what === 'keep' ? { ...one, what: 'fork' } : one));

const innocents = (most: number): fc.Arbitrary<WorldPlan['innocents']> =>
  fc.array(
    fc.oneof(fc.constantFrom<InnocentKind>(...playableKinds.processes), fc.constantFrom(...playableKinds.situations)),
    {
      minLength: 1,
      maxLength: most,
    },
  );

const by = fc.constantFrom<WorldPlan['by']>(
  'reap',
  'reap',
  'watch',
  ...(missing === null ? (['remote'] as const) : []),
);
const noRuns = fc.constant([]);

/** Anything beside anything: up to four sessions and five innocents. */
const anything: fc.Arbitrary<WorldPlan> = fc.record({
  sessions: fc.array(session, { minLength: 1, maxLength: 4 }),
  innocents: innocents(5),
  disturbances: fc.array(disturbance, { maxLength: 2 }),
  steps: fc.array(stepOf(moments, changes), { maxLength: 4 }),
  runs: noRuns,
  by,
  ...nothingElse,
});

/**
 * A session that is gone for certain, and perhaps another beside it: small worlds in which certain
 * things meet far more often than by chance.
 */
const around = (
  jobs: readonly JobKind[],
  steps: fc.Arbitrary<readonly Step[]>,
  fate: SessionPlan['fate'] = 'crashes',
): fc.Arbitrary<WorldPlan> =>
  fc.record({
    sessions: fc
      .tuple(
        fc.record({
          agent: fc.constantFrom<AgentKind>(
            ...(fate === 'background' ? (['claude-2.1.329'] as const) : provableAgents),
          ),
          fate: fc.constant(fate),
          jobs: fc.array(fc.constantFrom(...jobs), { minLength: 1, maxLength: 2 }),
          place: alone,
          servers: noServers,
        }),
        fc.array(session, { maxLength: 1 }),
      )
      .map(([first, others]) => [first, ...others]),
    innocents: innocents(2),
    disturbances: fc.constant([]),
    steps,
    runs: noRuns,
    by,
    ...nothingElse,
  });

/**
 * Sessions that are gone for certain beside a job of a living one that only sockets tell to be at
 * work.
 */
const pastMaxElapsed: fc.Arbitrary<WorldPlan> = fc.record({
  sessions: fc.array(
    fc.oneof(
      fc.record({
        agent: fc.constantFrom<AgentKind>('copilot', 'opencode'),
        fate: fc.constant('crashes'),
        jobs: fc.array(fc.constantFrom(...playableKinds.jobs), { minLength: 1, maxLength: 2 }),
        place: alone,
        servers: fc.oneof(noServers, servers(1)),
      } as const),
      // Servers of living sessions have no limit.
      fc.record({
        agent: fc.constantFrom<AgentKind>('copilot', 'opencode'),
        fate: fc.constant('lives'),
        jobs: fc.constant([]),
        place: alone,
        servers: servers(2),
      } as const),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  innocents: fc
    .array(fc.constantFrom<InnocentKind>(...playableKinds.processes), { maxLength: 2 })
    .map((others) => ['gets-events', ...others]),
  disturbances: fc.constant([]),
  steps: fc.constant([]),
  runs: noRuns,
  by,
  ...nothingElse,
});

const run: fc.Arbitrary<RunPlan> = fc.record({
  ends: fc.constantFrom(...runEnds),
  isStrict: fc.constantFrom(false, false, true),
  begunBy: fc.constantFrom('user', 'user', 'agent'),
  jobs: fc.array(fc.constantFrom(...playableKinds.jobs), { minLength: 1, maxLength: 4 }),
  shelters: fc.array(fc.record({ program: fc.constantFrom(...shelters), isLeft: fc.boolean() }), { maxLength: 3 }),
});

const settings = fc.record({
  sessionServers: fc.constantFrom('end', 'end', 'end', 'end', 'show'),
  unreachableAgents: fc.constantFrom('show', 'end'),
} as const);

const agent: fc.Arbitrary<ReachPlan> = fc.record({
  kind: fc.constantFrom(...reachKinds),
  agent: fc.constantFrom(...reachAgents),
});

/** Runs that are ended beside sessions whose leftovers are none of their business. */
const underRun: fc.Arbitrary<WorldPlan> = fc.record({
  sessions: fc.array(fc.oneof(session, serving), { minLength: 0, maxLength: 2 }),
  innocents: innocents(3),
  disturbances: fc.array(disturbance, { maxLength: 1 }),
  steps: fc.array(stepOf(moments, changes), { maxLength: 4 }),
  runs: fc.array(run, { minLength: 1, maxLength: 2 }),
  by: fc.constant('run'),
  agents: fc.oneof(fc.constant([]), fc.array(agent, { maxLength: 2 })),
  settings,
  looked: fc.constantFrom('no', 'once'),
  clock,
} as const);

/** Sessions with servers, of which some have ended, beside agents out of reach. */
const withServers: fc.Arbitrary<WorldPlan> = fc.record({
  sessions: fc.array(serving, { minLength: 1, maxLength: 3 }),
  innocents: fc.oneof(fc.constant([]), innocents(2)),
  agents: fc.array(agent, { maxLength: 1 }),
  settings,
  looked: fc.constantFrom('no', 'once', 'long', 'lost'),
  clock,
  disturbances: fc.oneof(fc.constant([]), fc.array(disturbance, { maxLength: 1 })),
  steps: fc.oneof(fc.constant([]), fc.array(stepOf(moments, changes), { maxLength: 3 })),
  runs: noRuns,
  by,
} as const);

/** Agents that no user reaches and such as only seem so, beside what sessions have left. */
const outOfReach: fc.Arbitrary<WorldPlan> = fc.record({
  sessions: fc.array(fc.oneof(serving, session), { maxLength: 2 }),
  innocents: fc.oneof(fc.constant([]), innocents(1)),
  agents: fc.array(agent, { minLength: 1, maxLength: 4 }),
  settings: fc.record({
    sessionServers: fc.constant('end'),
    unreachableAgents: fc.constantFrom('end', 'end', 'show'),
  } as const),
  looked: fc.constantFrom('no', 'once', 'long', 'long', 'long'),
  clock,
  disturbances: fc.constant([]),
  steps: fc.constant([]),
  runs: noRuns,
  by: fc.oneof({ arbitrary: fc.constant('watch' as const), weight: 2 }, { arbitrary: by, weight: 1 }),
} as const);

const undisturbed = fc.constant([]);
const some = (step: fc.Arbitrary<Step>): fc.Arbitrary<readonly Step[]> =>
  fc.array(step, { minLength: 1, maxLength: 3 });

/** Worlds of servers and of agents out of reach. */
export const worldOfServers: fc.Arbitrary<WorldPlan> = fc.oneof(
  { arbitrary: withServers, weight: 3 },
  { arbitrary: outOfReach, weight: 1 },
);

/** The same, all of them with one deliverer. */
export const worldOfServersBy = (deliverer: WorldPlan['by']): fc.Arbitrary<WorldPlan> =>
  deliverer === 'run' ? underRun : worldOfServers.map((plan) => ({ ...plan, by: deliverer }));

/** Any world. */
export const world: fc.Arbitrary<WorldPlan> = fc.oneof(
  { arbitrary: worldOfServers, weight: 8 },
  { arbitrary: anything, weight: 6 },
  // A pid becomes another's between the last check and the signal: where no other process keeps
  // the number, in a group or as a zombie.
  {
    arbitrary: around(
      ['leftover', 'setsid', 'forked-twice', 'deaf', 'deaf-behind', 'deaf-escaped', 'serves'],
      some(
        stepOf(['open', 'opened', 'send TERM', 'send TERM', 'send KILL', 'send KILL'], ['recycled', 'imitated'], [0]),
      ),
    ),
    weight: 2,
  },
  // What is left when the first have died of TERM, and what comes meanwhile.
  { arbitrary: around(['deaf', 'deaf-behind', 'deaf-escaped', 'heir', 'heir', 'breeds'], undisturbed), weight: 2 },
  {
    arbitrary: around(
      ['leftover', 'setsid', 'deaf', 'deaf-behind', 'heir', 'serves'],
      some(
        stepOf(
          ['after intent', 'send TERM', 'sent TERM', 'before TERM', 'after TERM', 'send KILL'],
          ['fork', 'fork', 'leave', 'setsid'],
        ),
      ),
    ),
    weight: 1,
  },
  // A port that is handed on to a process that stays.
  {
    arbitrary: around(
      ['serves', 'deaf-serves'],
      some(
        stepOf(
          ['before intent', 'after intent', 'sent TERM', 'before TERM', 'after TERM', 'sent KILL'],
          ['keep', 'keep', 'fork'],
        ),
      ),
    ),
    weight: 2,
  },
  // What another user, or another session, has taken over.
  { arbitrary: around(playable(['other-user', 'other-user', 'pipeline', 'setsid']), undisturbed), weight: 1 },
  { arbitrary: around(playableKinds.jobs, undisturbed, 'background'), weight: 1 },
  { arbitrary: pastMaxElapsed, weight: 1 },
  { arbitrary: underRun, weight: 4 },
);
