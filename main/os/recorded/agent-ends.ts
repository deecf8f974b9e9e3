import type { ChannelRound } from '../../../app/process/channels.ts';
import type { StandardEnd } from '../../../app/model/reach.ts';
import { agentEndsOf, type EndsInput, sameInputIn } from '../linux/probe/agent-ends.ts';
import type { FarSideTools } from '../linux/sockets/far-side.ts';
import type { EndsProbing } from '../processes/probing.ts';
import type { FarEnds } from './far-ends.ts';
import type { ObservedProcess } from './observed-process.ts';
import { startTicksIn } from './rows.ts';

export interface RemoteEndsInput {
  /** Null for a process that was another one before or after. */
  readonly observed: (pid: number) => ObservedProcess | null;
  readonly ends: Pick<FarEnds, 'terminals'>;
  readonly tools: FarSideTools;
  readonly channels: ChannelRound;
}

const deviceIn = ({ terminals }: Pick<FarEnds, 'terminals'>, pid: number, fd: 0 | 1, link: string): StandardEnd => {
  const terminal = terminals.get(`${pid} ${fd}`);
  if (terminal !== undefined) return { kind: 'terminal', ...terminal };
  const why = link.startsWith('/dev/pts/')
    ? 'whether its terminal is hung up can’t be seen'
    : 'its input or output is a device';
  return { kind: 'unknown', why };
};

const inputOf = ({ observed, ends, tools }: RemoteEndsInput): EndsInput => ({
  tools,
  link: (pid, fd) => observed(pid)?.links.get(`fd/${fd}`)?.target ?? null,
  device: (pid, fd, link) => deviceIn(ends, pid, fd, link),
  text: (pid, file) => observed(pid)?.[file] ?? '',
});

/**
 * Where standard input and output of agents on another machine lead, as its latest answer said.
 * Which process holds a terminal is not told.
 */
export const remoteEndsProbing = (latest: () => RemoteEndsInput | null): EndsProbing => ({
  isCurrent: false,
  read: ({ pid, startTicks }) => {
    const input = latest();
    const process = input?.observed(pid) ?? null;
    if (input === null || process === null || startTicksIn(process.stat ?? '') !== startTicks) return null;
    return agentEndsOf(inputOf(input), pid);
  },
  sameInput: (pid, other) => {
    const input = latest();
    return input !== null && sameInputIn(inputOf(input), pid, other);
  },
  holders: (end, pids) => {
    const input = latest();
    if (input === null || end.kind !== 'channel') return { pids: [], complete: false };
    const wanted = end.side === 'both' ? [end.target] : [`${end.target} ${end.side}`];
    const asked = [...pids].map((pid) => ({ pid, ends: input.channels.ends(pid) }));
    return {
      pids: asked.flatMap(({ pid, ends }) => (wanted.some((one) => one !== null && ends?.has(one)) ? [pid] : [])),
      complete: asked.every(({ ends }) => ends !== null),
    };
  },
});
