import * as fc from 'fast-check';
import { playPeer, type PeerPlayed } from './peer.ts';
import { world } from './random-world.ts';

/** What another program did in many worlds, added up. */
export interface PeerReport {
  readonly worlds: number;
  /** Why worlds could not be played. */
  readonly notSet: readonly string[];
  readonly processesThatMustLive: number;
  readonly gotASignal: number;
  readonly processesDue: number;
  readonly left: number;
  /** What it hit, and how many of each. */
  readonly hit: Readonly<Record<string, number>>;
}

/** Plays the worlds of a seed with another program instead of Curfew, some at a time. */
export const playPeers = async (
  command: string,
  { worlds, seed, lanes }: { readonly worlds: number; readonly seed: number; readonly lanes: number },
): Promise<PeerReport> => {
  const played: PeerPlayed[] = [];
  const notSet: string[] = [];
  const lane = async (number: number): Promise<void> => {
    for (const plan of fc.sample(world, { numRuns: Math.ceil(worlds / lanes), seed: seed + number })) {
      try {
        played.push(await playPeer(plan, command));
      } catch (error) {
        notSet.push(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  const sum = (of: (one: PeerPlayed) => number): number => played.reduce((total, one) => total + of(one), 0);
  const hit = Map.groupBy(
    played.flatMap((one) => one.hit),
    (what) => what.replaceAll(/\d{2,}/gu, 'N').slice(0, 80),
  );
  return {
    worlds: played.length,
    notSet,
    processesThatMustLive: sum(({ spared }) => spared),
    gotASignal: sum((one) => one.hit.length),
    processesDue: sum(({ due }) => due),
    left: sum(({ left }) => left),
    hit: Object.fromEntries([...hit].map(([what, all]) => [what, all.length])),
  };
};
