import { pathOfNamespace } from '../proc/boot.ts';
import { livingThreadOf } from '../proc/living-thread.ts';
import type { TcpSocket, tcpStates } from '../sock-diag/inet.ts';
import { openSockDiag, type SockDiag } from '../sock-diag/kernel.ts';

/** Returns the name of a process's network namespace. One that can't be seen is its own. */
export const namespaceOf = (pid: number): string => pathOfNamespace(pid, 'net') ?? pathOfThread(pid) ?? `of ${pid}`;

/** A first thread that has ended is in no namespace any more. */
const pathOfThread = (pid: number): string | null => {
  const thread = livingThreadOf(pid);
  return thread === null ? null : pathOfNamespace(thread.replace('/proc/', ''), 'net');
};

/**
 * Returns the TCP sockets that a process can hold, from the kernel's own table. Null where that
 * tells nothing: in another network namespace than this process's, or without koffi; then the text
 * in /proc is to be read.
 */
export const tcpOf = (
  pid: number,
  states: keyof typeof tcpStates,
  openDiag: () => SockDiag | null = openSockDiag,
): readonly TcpSocket[] | null => {
  const own = pathOfNamespace('self', 'net');
  return own !== null && own === namespaceOf(pid) ? (openDiag()?.tcp(states) ?? null) : null;
};
