import { setTimeout as sleep } from 'node:timers/promises';
import type { Curfew, Said } from './curfew.ts';
import type { Process } from './machine.ts';
import type { PlayedWorld } from './plan.ts';
import type { Placed, World } from './world.ts';

/**
 * What must become of a process, said without any of Curfew's code. `either`: another session of
 * that program lives, which may have taken it over; or it lost its agent before a look, and only
 * marks tell of that agent, or the same are on programs of the user, which may have started it.
 */
export type Role = 'due' | 'spared' | 'either';

/** opencode names its own process in the marks; of the others a living one may be any session. */
const isNamed = (kind: string): boolean => kind === 'opencode';

/** Its calls write to files in folders of their sessions, which prove what no look saw below it. */
const hasOutputs = (kind: string): boolean => kind === 'claude-code';

/** Returns what must become of a process at this moment. */
export const roleOf = (world: World, { agent, process }: Placed): Role => {
  if (agent === null || world.isAlive(agent.process)) return 'spared';
  const isUnsure = world.marked.has(agent) || !hasOutputs(agent.kind);
  if (isUnsure && !world.followed.has(process)) return 'either';
  const living = world.placed.some(
    ({ agent: other }) => other !== null && other.kind === agent.kind && world.isAlive(other.process),
  );
  return living && !isNamed(agent.kind) ? 'either' : 'due';
};

/** Long enough for every stand-in to count up, on a busy machine. */
const countMs = 500;
const maxCounts = 40;

/** Those that don't count up any more. */
const silentOf = async ({ machine }: World, placed: readonly Placed[]): Promise<readonly Placed[]> => {
  const before = new Map(placed.map((one) => [one, machine.count(one.process)]));
  let silent = placed;
  for (let tries = 0; silent.length > 0 && tries < maxCounts; tries += 1) {
    await sleep(countMs);
    silent = silent.filter((one) => {
      const now = machine.count(one.process);
      return now === null || now === before.get(one);
    });
  }
  return silent;
};

interface History {
  readonly incidents: readonly {
    readonly outcome: string;
    readonly freed: { readonly processes: number };
    readonly events: readonly { readonly kind: string }[];
  }[];
}

type Judged = Pick<PlayedWorld, 'wrong' | 'due' | 'mustLive' | 'terminations'>;

/** Programs of Wine that must go on, whatever is ended. */
const lasting = new Set(['services.exe', 'svchost.exe', 'explorer.exe']);

/**
 * Says what is wrong in a world.
 * @param curfew its history is compared with what has ended; null: not again
 * @param before what ran before the world began
 */
export const judge = async (
  world: World,
  curfew: Curfew | null,
  said: readonly Said[],
  before: readonly (Process & { readonly name: string })[],
): Promise<Judged> => {
  const wrong: string[] = [];
  const byThemselves = new Set(world.ended);
  const others = world.placed.filter(({ process }) => !byThemselves.has(process));
  const gone = others.filter(({ process }) => !world.isAlive(process));
  const due = others.filter((one) => roleOf(world, one) === 'due');
  const spared = others.filter((one) => roleOf(world, one) === 'spared');
  for (const one of gone) if (spared.includes(one)) wrong.push(`an innocent was ended: ${one.what}`);
  for (const one of due) if (!gone.includes(one)) wrong.push(`left: ${one.what}`);
  for (const one of before)
    if (lasting.has(one.name.toLowerCase()) && !world.isAlive(one)) wrong.push(`a part of Wine was ended: ${one.name}`);
  const living = spared.filter((one) => one.counts && !gone.includes(one));
  for (const { what } of await silentOf(world, living)) wrong.push(`an innocent does not answer: ${what}`);
  if (curfew !== null) {
    const history = await curfew.run('history', '--json');
    const { incidents } = JSON.parse(history.out) as History;
    const freed = incidents.reduce((sum, one) => sum + one.freed.processes, 0);
    if (freed < gone.length || freed > gone.length + world.endedBeside)
      wrong.push(`${gone.length} were ended, and the history says ${freed}`);
    const isExplained = ({ events }: History['incidents'][number]): boolean =>
      events.some(({ kind }) => kind === 'veto');
    const survived = incidents.filter((one) => one.outcome === 'survived' && !isExplained(one)).length;
    if (survived > 0) wrong.push(`${survived} incidents with survivors, and nothing that spared them`);
    if (wrong.length > 0) wrong.push(...[...said, history].map((one) => JSON.stringify(one)));
  }
  return { wrong, due: due.length, mustLive: spared.length, terminations: gone.length };
};
