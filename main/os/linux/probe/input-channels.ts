import type { InputChannel } from '../../../../app/sessions-view/costs.ts';
import { openFilesOf, readLink } from '../proc/open-files.ts';
import { ProcReader } from '../proc/proc-reader.ts';
import { askingKernel, endsOf, farSideOf, type FarSideTools } from '../sockets/far-side.ts';

/** Returns which of these processes hold which ends of pipes and sockets. */
const holdersOf = (tools: FarSideTools, pids: Iterable<number>): ReadonlyMap<string, Set<number>> => {
  const holders = new Map<string, Set<number>>();
  for (const pid of pids) {
    // Standard streams of an agent are its client's, not its servers'.
    const files = (openFilesOf(pid) ?? []).filter(({ fd }) => fd > 2);
    for (const end of files.flatMap((file) => endsOf(tools, pid, file))) {
      const known = holders.get(end);
      if (known === undefined) holders.set(end, new Set([pid]));
      else known.add(pid);
    }
  }
  return holders;
};

/**
 * Returns the standard inputs of processes that are private channels, with the agents that hold the
 * other end. Where the kernel doesn't tell the other end, the holders are unknown. Reads only.
 * @throws ProcessTableUnreadable
 */
export const inputChannels = (
  pids: Iterable<number>,
  agents: ReadonlySet<number>,
): ReadonlyMap<number, InputChannel> => {
  const reader = new ProcReader();
  const tools = askingKernel(reader);
  const holders = holdersOf(tools, agents);
  const found = new Map<number, InputChannel>();
  for (const pid of pids) {
    const link = readLink(`/proc/${pid}/fd/0`);
    const side = link === null ? null : farSideOf(tools, pid, { fd: 0, ...link });
    if (link === null || side === null) continue;
    if (side.kind === 'unknown') found.set(pid, { id: link.target, holders: null });
    // What listens or was accepted on a path is no private channel.
    if (side.kind !== 'channel') continue;
    const { otherEnd } = side.channel;
    found.set(pid, { id: link.target, holders: (otherEnd === null ? undefined : holders.get(otherEnd)) ?? new Set() });
  }
  return found;
};
