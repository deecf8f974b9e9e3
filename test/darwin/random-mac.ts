import * as fc from 'fast-check';
import { ProcessTableUnreadable } from '../../main/os/processes/source.ts';
import { MacStage } from './mac-stage.ts';
import { macAgents, macInnocents, macJobs, MacWorld, type MacPlan } from './mac-world.ts';

/** Looks of a world, and the seconds between them. */
const looks = 66;
const everySeconds = 5;
const hardCapSeconds = 200;
/** From its end on, the jobs of an agent are ended within this many seconds. */
const endedWithinSeconds = 120;

/** A job changes at so many looks after its start at most. */
const followedLooks = 3;

const early = fc.integer({ min: 0, max: 10 });

/** Worlds of one to three agents, with what each leaves and what only looks so. */
export const macPlan: fc.Arbitrary<MacPlan> = fc.record({
  agents: fc.array(
    fc.record({
      agent: fc.constantFrom(...macAgents),
      endsAt: fc.option(fc.integer({ min: 2, max: 20 }), { freq: 4 }),
      jobs: fc.array(fc.record({ kind: fc.constantFrom(...macJobs), at: early }), { minLength: 1, maxLength: 3 }),
      innocents: fc.array(fc.record({ kind: fc.constantFrom(...macInnocents), at: early }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  disturbances: fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 40 }),
      kind: fc.constantFrom('restart', 'refuse', 'reuse'),
      which: fc.nat(20),
    }),
    { maxLength: 4 },
  ),
});

/** What came of a world. */
export interface PlayedMac {
  /** Innocents that heard a signal or are gone, by what they are. */
  readonly hit: readonly string[];
  /** What was due and lives. */
  readonly left: readonly string[];
  readonly due: number;
  readonly innocents: number;
  readonly signals: number;
  readonly problems: readonly unknown[];
}

const refusable = ['table', 'info 17', 'info 20', 'arguments', 'info 1', 'info 9', 'signature', 'usage'];

/** Plays a world from its first look to its last. */
export const playMac = ({ agents, disturbances }: MacPlan): PlayedMac => {
  const stage = new MacStage();
  const { kernel } = stage;
  stage.settings = {
    ...stage.settings,
    orphanGraceSeconds: 30,
    noticeSeconds: 10,
    backgroundKillGraceSeconds: 5,
    backgroundMaxElapsedSeconds: 100,
    backgroundMaxElapsedSecondsHardCap: hardCapSeconds,
  };
  const world = new MacWorld(kernel);
  for (const plan of agents) world.raise(plan);
  const endOf = new Map<number, number>();
  for (let look = 0; look < looks; look += 1) {
    kernel.alter = (_name, answer) => answer;
    world.reach(look);
    for (const { agent } of world.due)
      if (kernel.processes.get(agent.pid) !== agent && !endOf.has(agent.uniqueId)) endOf.set(agent.uniqueId, look);
    // A kernel that refuses is no kernel to begin with: then ps would be used.
    if (disturbances.some(({ at, kind }) => at === look && kind === 'restart')) stage.restart();
    for (const { at, kind, which } of disturbances) {
      if (at !== look) continue;
      const pid = world.ended[which % world.ended.length];
      if (kind === 'reuse' && pid !== undefined) {
        kernel.reuse(pid);
        const stranger = kernel.launch({ argv: ['/bin/zsh', '-lc', 'mine'] });
        world.innocent.set(stranger.uniqueId, 'a process with a recycled pid');
        kernel.reuse(20_000 + look * 100);
      }
      const name = refusable[which % refusable.length];
      if (kind === 'refuse')
        kernel.alter = (asked, answer) => (asked === name ? { bytes: Buffer.alloc(0), errno: 1 } : answer);
    }
    stage.pass(everySeconds);
    try {
      stage.look();
    } catch (error) {
      if (!(error instanceof ProcessTableUnreadable)) throw error;
    }
  }
  const lastSeconds = (looks - 1) * everySeconds;
  const isLate = (since: number, withinSeconds: number): boolean => lastSeconds - since * everySeconds >= withinSeconds;
  const refused = disturbances.flatMap(({ at, kind }) => (kind === 'refuse' ? [at] : []));
  const left = world.due.filter(({ process, agent, at, begun }) => {
    if (kernel.processes.get(process.pid) !== process) return false;
    // Its agent ended before any look saw the two together. A shell that hides its environment may
    // then as well be a queue of the user's, which handed the marks on to what it started.
    if (endOf.get(agent.uniqueId) === begun && process.env.length > 0) return false;
    // What no look could follow from its start may be left for ever.
    if (refused.some((look) => look >= begun && look <= at + followedLooks)) return false;
    const ended = endOf.get(agent.uniqueId);
    return isLate(at, hardCapSeconds + 60) || (ended !== undefined && isLate(ended, endedWithinSeconds));
  });
  const living = new Set([...kernel.processes.values()].map(({ uniqueId }) => uniqueId));
  const signalled = new Set(kernel.signals.map(({ uniqueId }) => uniqueId));
  return {
    hit: [...world.innocent].filter(([id]) => signalled.has(id)).map(([, what]) => what),
    left: left.map(({ what }) => what),
    due: world.due.length,
    innocents: [...world.innocent.keys()].filter((id) => living.has(id)).length,
    signals: kernel.signals.length,
    problems: stage.problems,
  };
};
