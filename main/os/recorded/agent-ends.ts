import type { ChannelRound } from '../../../app/process/channels.ts';
import type { AgentEnds, StandardEnd } from '../../../app/model/reach.ts';
import { ioBytesIn } from '../linux/facts/member-facts.ts';
import { terminalIn } from '../linux/probe/agent-ends.ts';
import type { EndsProbing } from '../processes/probing.ts';
import type { FarEnds } from './far-ends.ts';
import type { ObservedProcess } from './observed-process.ts';
import { startTicksIn } from './rows.ts';

export interface RemoteEndsInput {
  /** Null for a process that was another one before or after. */
  readonly observed: (pid: number) => ObservedProcess | null;
  readonly ends: FarEnds;
  readonly channels: ChannelRound;
}

const unknown = (why: string): StandardEnd => ({ kind: 'unknown', why });

const linkOf = (process: ObservedProcess | null, fd: number): string | null =>
  process?.links.get(`fd/${fd}`)?.target ?? null;

const channelEnd = (process: ObservedProcess, fd: 0 | 1, link: string, channels: ChannelRound): StandardEnd => {
  const isSocket = link.startsWith('socket:[');
  if (!isSocket && !link.startsWith('pipe:[')) return unknown('its input or output is neither file nor channel');
  const side = fd === 0 ? 'write' : 'read';
  if (!isSocket && process.access.get(fd) !== (fd === 0 ? 'read' : 'write'))
    return unknown('its pipe is open both ways');
  const channel = channels.of(process.pid)?.held.find((one) => one.fd === fd) ?? null;
  if (channel === null || channel.far === 'unknown')
    return unknown('the other end of its input or output can’t be seen');
  return {
    kind: 'channel',
    far: channel.far,
    target: isSocket ? channel.otherEnd : link,
    side: isSocket ? 'both' : side,
  };
};

const endOf = ({ ends, channels }: RemoteEndsInput, process: ObservedProcess, fd: 0 | 1): StandardEnd => {
  const link = linkOf(process, fd);
  if (link === null) return unknown('its input or output is closed, or can’t be read');
  if (link === '/dev/null') return { kind: 'null' };
  if (!link.startsWith('/')) return channelEnd(process, fd, link, channels);
  if (!link.startsWith('/dev/')) return { kind: 'file' };
  const terminal = ends.terminals.get(`${process.pid} ${fd}`);
  if (terminal !== undefined) return { kind: 'terminal', ...terminal };
  return unknown(
    link.startsWith('/dev/pts/') ? 'whether its terminal is hung up can’t be seen' : 'its input or output is a device',
  );
};

/**
 * Where standard input and output of agents on another machine lead, as its latest answer said.
 * Which process holds a terminal is not told.
 */
export const remoteEndsProbing = (latest: () => RemoteEndsInput | null): EndsProbing => ({
  isCurrent: false,
  read: ({ pid, startTicks }): AgentEnds | null => {
    const input = latest();
    const process = input?.observed(pid) ?? null;
    if (input === null || process === null || startTicksIn(process.stat ?? '') !== startTicks) return null;
    const terminal = terminalIn(process.stat ?? '');
    if (terminal === null) return null;
    const ioBytes = process.io === null ? null : ioBytesIn(process.io);
    return { input: endOf(input, process, 0), output: endOf(input, process, 1), ...terminal, ioBytes };
  },
  sameInput: (pid, other) => {
    const link = linkOf(latest()?.observed(pid) ?? null, 0);
    return link !== null && link === linkOf(latest()?.observed(other) ?? null, 0);
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
