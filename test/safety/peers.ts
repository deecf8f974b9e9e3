import * as fc from 'fast-check';
import { playPeer, type PeerPlayed } from './peer.ts';
import type { WorldPlan } from './world.ts';

/** What another program did in many worlds, added up. */
export interface PeerReport {
  readonly worlds: number;
  /** Why worlds could not be played. */
  readonly notSet: readonly string[];
  readonly processesThatMustLive: number;
  readonly gotASignal: number;
  readonly processesInDoubt: number;
  readonly endedInDoubt: number;
  readonly processesDue: number;
  readonly left: number;
  /** What it hit, and how many of each. */
  readonly hit: Readonly<Record<string, number>>;
  readonly hitInDoubt: Readonly<Record<string, number>>;
}

/** Plays the worlds of a seed with another program instead of Curfew, some at a time. */
export const playPeers = async (
  command: string,
  {
    worlds,
    seed,
    lanes,
    kindOfWorld,
  }: {
    readonly worlds: number;
    readonly seed: number;
    readonly lanes: number;
    readonly kindOfWorld: fc.Arbitrary<WorldPlan>;
  },
): Promise<PeerReport> => {
  const played: PeerPlayed[] = [];
  const notSet: string[] = [];
  const lane = async (number: number): Promise<void> => {
    for (const plan of fc.sample(kindOfWorld, { numRuns: Math.ceil(worlds / lanes), seed: seed + number })) {
      try {
        played.push(await playPeer(plan, command));
      } catch (error) {
        notSet.push(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  const sum = (of: (one: PeerPlayed) => number): number => played.reduce((total, one) => total + of(one), 0);
  const counted = (all: readonly string[]): Readonly<Record<string, number>> =>
    Object.fromEntries(
      [...Map.groupBy(all, (what) => what.replaceAll(/\d{2,}/gu, 'N').slice(0, 80))].map(([what, same]) => [
        what,
        same.length,
      ]),
    );
  return {
    worlds: played.length,
    notSet,
    processesThatMustLive: sum(({ spared }) => spared),
    gotASignal: sum((one) => one.hit.length),
    processesInDoubt: sum(({ doubtful }) => doubtful),
    endedInDoubt: sum((one) => one.doubtfulHit.length),
    processesDue: sum(({ due }) => due),
    left: sum(({ left }) => left),
    hit: counted(played.flatMap((one) => one.hit)),
    hitInDoubt: counted(played.flatMap((one) => one.doubtfulHit)),
  };
};
