import * as fc from 'fast-check';
import { ProcessTableUnreadable } from '../../main/os/processes/source.ts';
import { agentPlans } from '../played/agent-plans.ts';
import { MacStage } from './mac-stage.ts';
import { macAgents, macInnocents, macJobs, MacWorld, type MacPlan } from './mac-world.ts';
import type { SimulatedKernel } from './simulated-kernel.ts';

/** Looks of a world, and how long a job may last at most. */
const farLimits = { looks: 66, hardCapSeconds: 200 };
/** Seconds between two looks. */
const everySeconds = 5;
/** From its end on, the jobs of an agent are ended within this many seconds. */
const endedWithinSeconds = 120;

/** A reaping in which the kernel refused is tried again after so long; twice that, next time. */
const retrySeconds = 60;

/** A job changes at so many looks after its start at most. */
const followedLooks = 3;

/** Worlds of one to three agents, with what each leaves and what only looks so. */
export const macPlan: fc.Arbitrary<MacPlan> = fc.record({
  agents: agentPlans({ agents: macAgents, jobs: macJobs, innocents: macInnocents }),
  disturbances: fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 40 }),
      kind: fc.constantFrom('restart', 'refuse', 'reuse', 'veil'),
      which: fc.nat(20),
    }),
    { maxLength: 4 },
  ),
});

/** What came of a world. */
export interface PlayedMac {
  /** Innocents that heard a signal, and what worked and heard one before its time. */
  readonly hit: readonly string[];
  /** What was due and lives. */
  readonly left: readonly string[];
  readonly due: number;
  readonly innocents: number;
  readonly signals: number;
  readonly problems: readonly unknown[];
}

const refusable = [
  'table',
  'info 17',
  'info 20',
  'arguments',
  'info 1',
  'info 9',
  'signature',
  'usage',
  'row',
  'session',
  'path',
  'file 2',
  'file 3',
  'file 6',
  'info 4',
  'windows',
];

/** What Curfew can't look at the machine without: refused for ever, it would see nothing at all. */
const unveiled: ReadonlySet<string> = new Set(['table', 'row', 'info 17']);

/**
 * Plays a world from its first look to its last.
 * @param damaged changes each answer of the kernel, as a reader would find it that reads wrongly
 */
export const playMac = (
  { agents, disturbances }: MacPlan,
  damaged: SimulatedKernel['alter'] = (_name, answer) => answer,
  { looks, hardCapSeconds }: typeof farLimits = farLimits,
): PlayedMac => {
  const stage = new MacStage();
  const { kernel } = stage;
  stage.settings = {
    ...stage.settings,
    orphanGraceSeconds: 30,
    noticeSeconds: 10,
    backgroundKillGraceSeconds: 5,
    backgroundMaxElapsedSeconds: hardCapSeconds / 2,
    backgroundMaxElapsedSecondsHardCap: hardCapSeconds,
  };
  const world = new MacWorld(kernel);
  for (const plan of agents) world.raise(plan);
  const endOf = new Map<number, number>();
  const hitEarly: string[] = [];
  const refusal = { bytes: Buffer.alloc(0), errno: 1 };
  /** Calls that are refused about processes from these unique ids on. */
  const veiled = new Map<string, number>();
  for (let look = 0; look < looks; look += 1) {
    const refusedNow = new Set<string>();
    kernel.alter = (asked, answer, pid) => {
      const from = veiled.get(asked) ?? Infinity;
      const isVeiled = (kernel.processes.get(pid)?.uniqueId ?? -Infinity) >= from;
      return refusedNow.has(asked) || isVeiled ? refusal : damaged(asked, answer, pid);
    };
    for (const { at, kind, which } of disturbances) {
      const name = refusable[which % refusable.length] ?? '';
      if (kind === 'veil' && at === look && !unveiled.has(name) && !veiled.has(name))
        veiled.set(name, kernel.nextUniqueId);
    }
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
      if (kind === 'refuse') refusedNow.add(refusable[which % refusable.length] ?? '');
    }
    stage.pass(everySeconds);
    const before = kernel.signals.length;
    try {
      stage.look();
    } catch (error) {
      if (!(error instanceof ProcessTableUnreadable)) throw error;
    }
    const signalled = new Set(kernel.signals.slice(before).map(({ uniqueId }) => uniqueId));
    for (const { process, what, agent, begun } of world.busy)
      if (
        signalled.has(process.uniqueId) &&
        !endOf.has(agent.uniqueId) &&
        (look - begun) * everySeconds < hardCapSeconds
      )
        hitEarly.push(what);
  }
  const lastSeconds = (looks - 1) * everySeconds;
  const isLate = (since: number, withinSeconds: number): boolean => lastSeconds - since * everySeconds >= withinSeconds;
  const refused = disturbances.flatMap(({ at, kind }) => (kind === 'refuse' ? [at] : []));
  // A part of which something is never told protects its whole job.
  const due = veiled.size > 0 ? [] : world.due;
  const left = due.filter(({ process, agent, at, begun }) => {
    if (kernel.processes.get(process.pid) !== process) return false;
    // Its agent ended before any look saw the two together. A shell that hides its environment may
    // then as well be a queue of the user's, which handed the marks on to what it started.
    if (endOf.get(agent.uniqueId) === begun && process.env.length > 0) return false;
    // What no look could follow from its start may be left for ever.
    if (refused.some((look) => look >= begun && look <= at + followedLooks)) return false;
    const ended = endOf.get(agent.uniqueId);
    const pauses = retrySeconds * (2 ** refused.filter((look) => look >= begun).length - 1);
    return (
      isLate(at, hardCapSeconds + 60 + pauses) || (ended !== undefined && isLate(ended, endedWithinSeconds + pauses))
    );
  });
  const living = new Set([...kernel.processes.values()].map(({ uniqueId }) => uniqueId));
  const signalled = new Set(kernel.signals.map(({ uniqueId }) => uniqueId));
  return {
    hit: [...[...world.innocent].filter(([id]) => signalled.has(id)).map(([, what]) => what), ...hitEarly],
    left: left.map(({ what }) => what),
    due: world.due.length,
    innocents: [...world.innocent.keys()].filter((id) => living.has(id)).length,
    signals: kernel.signals.length,
    problems: stage.problems.filter((one) => !(refused.length > 0 && one instanceof ProcessTableUnreadable)),
  };
};
