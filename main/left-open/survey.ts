import type { Look } from '../observing/look.ts';
import { containersLeft, type KeptContainer, keptContainers } from './containers.ts';
import type { LeftOpenItem, LeftOpenTools } from './found.ts';
import { type KeptMultiplexer, keptMultiplexers, multiplexerSessions } from './multiplexers.ts';

/** What may be left open, by the process table alone. */
interface Candidates {
  readonly multiplexers: readonly KeptMultiplexer[];
  readonly containers: readonly KeptContainer[];
}

const candidatesIn = (look: Look): Candidates => ({
  multiplexers: keptMultiplexers(look),
  containers: keptContainers(look),
});

/** True where a look shows something that may be left open: only then a keeper is asked. */
export const mayBeLeftOpen = (look: Look): boolean => {
  const { multiplexers, containers } = candidatesIn(look);
  return multiplexers.length > 0 || containers.length > 0;
};

/**
 * Returns what tool calls left open, the oldest first. Starts the clients of multiplexers and
 * container engines, and only where the look shows a process of one.
 */
export const leftOpenOf = async (tools: LeftOpenTools, look: Look): Promise<readonly LeftOpenItem[]> => {
  const { multiplexers, containers } = candidatesIn(look);
  const [sessions, left] = await Promise.all([
    multiplexerSessions(tools, look, multiplexers),
    containersLeft(tools, look, containers),
  ]);
  return [...sessions, ...left].toSorted((one, other) => one.leftOpen.startedAtMs - other.leftOpen.startedAtMs);
};
