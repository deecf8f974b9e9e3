import type { MemberFacts } from '../../process/facts.ts';
import type { Holdings, Member } from '../model/job.ts';

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

/**
 * What the members hold together. Ports and locks are counted once, however many members share
 * them.
 */
export const holdingsOf = (
  members: readonly Member[],
  facts: ReadonlyMap<number, MemberFacts>,
  cpuPercent: number,
  outputBytes: number | null,
): Holdings => {
  const known = members.map(({ row }) => facts.get(row.pid)).filter((one) => one !== undefined);
  return {
    rssBytes: members.reduce((sum, { row }) => sum + row.rssBytes, 0),
    cpuPercent,
    fds: known.reduce((sum, one) => sum + (one.openFiles?.length ?? 0), 0),
    ports: distinct(known.flatMap((one) => one.ports)).toSorted((left, right) => left - right),
    locks: distinct(known.flatMap((one) => one.locks)).toSorted(),
    sockets: known.reduce((sum, one) => sum + one.sockets, 0),
    outputBytes,
  };
};
