import type { ChannelRound } from '../../app/process/channels.ts';
import type { InputChannel } from '../../app/sessions-view/costs.ts';
import { inputChannels as channelsOnLinux } from './linux/probe/input-channels.ts';
import type { ProcessSource } from './processes/source.ts';

/** Returns the standard inputs that are private channels, as a source presumes them (Windows). */
const presumedInputs = (
  round: ChannelRound,
  pids: Iterable<number>,
  agents: ReadonlySet<number>,
): ReadonlyMap<number, InputChannel> => {
  const found = new Map<number, InputChannel>();
  const ends = [...agents].map((pid) => [pid, round.ends(pid)] as const);
  for (const pid of pids) {
    const input = round.of(pid)?.held.find(({ fd }) => fd === 0);
    const far = input?.otherEnd ?? null;
    if (input === undefined || far === null) continue;
    const holders = new Set(ends.flatMap(([agent, held]) => (held?.has(far) === true ? [agent] : [])));
    found.set(pid, { id: input.end, holders });
  }
  return found;
};

/**
 * Returns the standard inputs that are private channels; nothing on macOS.
 * @throws ProcessTableUnreadable
 */
export const inputChannels = (
  source: Pick<ProcessSource, 'channels'>,
  pids: Iterable<number>,
  agents: ReadonlySet<number>,
): ReadonlyMap<number, InputChannel> => {
  const round = source.channels?.();
  if (round?.farEnds === 'untold') return presumedInputs(round, pids, agents);
  return process.platform === 'linux' ? channelsOnLinux(pids, agents) : new Map();
};
