import * as fc from 'fast-check';
import { ProcessTableUnreadable } from '../../main/os/processes/source.ts';
import { agentPlans } from '../played/agent-plans.ts';
import type { Simulated, SimulatedWindows } from './simulated-windows.ts';
import { WindowsStage } from './windows-stage.ts';
import { windowsAgents, windowsInnocents, windowsJobs, WindowsWorld, type WindowsPlan } from './windows-world.ts';

/** Looks of a world, and how long a job may last at most. */
const farLimits = { looks: 96, hardCapSeconds: 200 };
/** Seconds between two looks. */
const everySeconds = 5;
/** From its end on, the jobs of an agent are ended within this many seconds. */
const endedWithinSeconds = 120;

/** A job changes at so many looks after its start at most. */
const followedLooks = 3;

/** Worlds of one to three agents, with what each leaves and what only looks so. */
export const windowsPlan: fc.Arbitrary<WindowsPlan> = fc.record({
  agents: agentPlans({ agents: windowsAgents, jobs: windowsJobs, innocents: windowsInnocents }),
  disturbances: fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 40 }),
      kind: fc.constantFrom('restart', 'refuse', 'reuse', 'explorer-again'),
      which: fc.nat(20),
    }),
    { maxLength: 4 },
  ),
});

/** What came of a world. */
export interface PlayedWindows {
  /** Innocents that were asked or ended, by what they are. */
  readonly hit: readonly string[];
  /** What was due and lives. */
  readonly left: readonly string[];
  readonly due: number;
  readonly innocents: number;
  readonly sent: number;
  readonly problems: readonly unknown[];
}

const refusable = [
  'system',
  'open',
  'memory',
  'token',
  'windows',
  'ports',
  'process 0',
  'process 4',
  'process 7',
  'process 29',
  'process 43',
];

/**
 * Plays a world from its first look to its last.
 * @param damaged changes each struct that the kernel tells, as a wrong reader would find it
 */
export const playWindows = (
  { agents, disturbances }: WindowsPlan,
  damaged: SimulatedWindows['alter'] = (_struct, bytes) => bytes,
  { looks, hardCapSeconds }: typeof farLimits = farLimits,
): PlayedWindows => {
  const stage = new WindowsStage();
  const { kernel } = stage;
  stage.settings = {
    ...stage.settings,
    orphanGraceSeconds: 30,
    noticeSeconds: 10,
    backgroundKillGraceSeconds: 5,
    backgroundMaxElapsedSeconds: hardCapSeconds / 2,
    backgroundMaxElapsedSecondsHardCap: hardCapSeconds,
  };
  const world = new WindowsWorld(kernel);
  for (const plan of agents) world.raise(plan);
  kernel.alter = damaged;
  const endOf = new Map<Simulated, number>();
  for (let look = 0; look < looks; look += 1) {
    kernel.refused = new Set();
    // What started and lost its parent between two looks can't be told from a leftover: at the hard
    // cap its marks are enough. So Explorer begins anew before anything else of this look.
    const isSeen = !disturbances.some(({ at, kind }) => at === look - 1 && kind === 'refuse');
    if (isSeen && disturbances.some(({ at, kind }) => at === look && kind === 'explorer-again')) {
      world.end(kernel.explorer);
      world.spare('explorer', kernel.start(null, { pid: 12, image: 'explorer.exe', commandLine: 'explorer.exe' }));
    }
    world.reach(look);
    for (const { agent } of world.due) if (!world.isAlive(agent) && !endOf.has(agent)) endOf.set(agent, look);
    // A kernel that refuses is no kernel to begin with: then ps-list would be used.
    if (disturbances.some(({ at, kind }) => at === look && kind === 'restart')) stage.restart();
    for (const { at, kind, which } of disturbances) {
      if (at !== look) continue;
      const pid = world.ended[which % world.ended.length];
      if (kind === 'reuse' && pid !== undefined && !kernel.processes.has(pid)) {
        const parent = which % 2 === 0 ? kernel.explorer : null;
        const given = { pid, image: 'mine.exe', commandLine: 'mine.exe', console: false };
        const mine = world.spare('a process with a recycled pid', kernel.start(parent, given));
        const child = { image: 'mine.exe', commandLine: 'mine.exe below' };
        world.spare('below one with a recycled pid', kernel.start(mine, child));
        world.after(2, () => world.end(mine));
      }
      const name = refusable[which % refusable.length];
      if (kind === 'refuse' && name !== undefined) kernel.refused = new Set([name]);
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
    if (!world.isAlive(process)) return false;
    // What no look could follow from its start may be left for ever.
    if (endOf.get(agent) === begun) return false;
    if (refused.some((look) => look >= begun && look <= at + followedLooks)) return false;
    const ended = endOf.get(agent);
    // Whose a process is, is asked once: a Curfew that was refused it at its start asks no more.
    if (disturbances.some((one) => one.kind === 'restart' && refused.includes(one.at))) return false;
    // A reaping in which something could not be read is put off: for 1 minute, then for 2, 4 and 8.
    const putOff = refused.filter((look) => look >= (ended ?? at));
    const latest = putOff.length === 0 ? null : Math.max(...putOff);
    if (latest !== null && !isLate(latest, endedWithinSeconds + 60 * 2 ** (putOff.length - 1))) return false;
    return isLate(at, hardCapSeconds + 60) || (ended !== undefined && isLate(ended, endedWithinSeconds));
  });
  return {
    hit: [
      ...new Set(
        kernel.sent.flatMap(({ to, what }) => (world.innocent.has(to) ? [`${what}: ${world.innocent.get(to)}`] : [])),
      ),
    ],
    left: left.map(({ what }) => what),
    due: world.due.length,
    innocents: [...world.innocent.keys()].filter((one) => world.isAlive(one)).length,
    sent: kernel.sent.length,
    problems: stage.problems,
  };
};
