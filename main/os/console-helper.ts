import { blockFor } from './processes/block-for.ts';
import { loadKoffi } from './native/koffi.ts';
import { readTimes } from './windows/kernel/identity.ts';
import { accessRight, ntStatus, type WindowsKernel } from './windows/kernel/kernel.ts';
import { openKoffiKernel } from './windows/kernel/koffi-kernel.ts';
import type { AskedMember } from './console/asker.ts';

/** The calls about consoles, by which this process leaves its own. */
export interface ConsoleCalls {
  /** Leaves its own console and enters that of another; false where that has none. */
  readonly enter: (pid: number) => boolean;
  /** All processes of the console; null where they can't be told. */
  readonly members: () => readonly number[] | null;
  /** Becomes deaf to the event, and sends it to all. */
  readonly send: () => boolean;
}

/** How the helper ends, as exit status. */
export const helperStatus = { sent: 0, misused: 2, noConsole: 3, others: 4, failed: 5 } as const;

/** Returns the members in the helper's arguments; null for anything else. */
export const membersIn = (words: readonly string[]): readonly AskedMember[] | null => {
  const members = words.map((word) => {
    const [, pid, startTicks] = /^(\d{1,10}):(\d{1,16})$/u.exec(word) ?? [];
    return pid === undefined ? null : { pid: Number(pid) as AskedMember['pid'], startTicks: Number(startTicks) };
  });
  const whole = members.filter((one) => one !== null);
  return whole.length === members.length && whole.length > 0 ? whole : null;
};

/**
 * Sends the event of the first member's console, if every process in that console is one of the
 * members or this process. Each is held while that is decided, so no number changes its meaning.
 */
export const sendConsoleEvent = (
  members: readonly AskedMember[],
  kernel: Pick<WindowsKernel, 'open' | 'close' | 'process' | 'wait'>,
  calls: ConsoleCalls,
  ownPid: number = process.pid,
): (typeof helperStatus)[keyof typeof helperStatus] => {
  const held = new Map<number, number>();
  try {
    for (const { pid, startTicks } of members) {
      const { status, handle } = kernel.open(pid, accessRight.limited | accessRight.wait);
      if (status !== ntStatus.success) continue;
      const times = readTimes(kernel, handle);
      if (times !== null && !times.ended && times.startTicks === startTicks) held.set(pid, handle);
      else kernel.close(handle);
    }
    const [first] = members;
    if (first === undefined || !held.has(first.pid) || !calls.enter(first.pid)) return helperStatus.noConsole;
    const sharing = calls.members();
    if (sharing === null || !sharing.includes(first.pid)) return helperStatus.failed;
    if (!sharing.every((pid) => pid === ownPid || held.has(pid))) return helperStatus.others;
    return calls.send() ? helperStatus.sent : helperStatus.failed;
  } finally {
    for (const handle of held.values()) kernel.close(handle);
  }
};

/** A console has fewer processes; with more it is not asked. */
const maxSharing = 1_024;
/** The event is on its way for some milliseconds, and ends with its sender. */
const sendingMs = 100;

const bindCalls = (): ConsoleCalls | null => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return null;
  const library = koffi.load('kernel32.dll');
  const bind = (name: string, ...parameters: readonly string[]): ((...args: readonly unknown[]) => number) =>
    library.func('__stdcall', name, 'int', [...parameters]) as never;
  const leave = bind('FreeConsole');
  const attach = bind('AttachConsole', 'uint32');
  const list = bind('GetConsoleProcessList', 'void *', 'uint32');
  const handler = bind('SetConsoleCtrlHandler', 'void *', 'int');
  const generate = bind('GenerateConsoleCtrlEvent', 'uint32', 'uint32');
  return {
    enter: (pid) => {
      leave();
      return attach(pid) !== 0;
    },
    members: () => {
      const found = new Uint32Array(maxSharing);
      const count = list(found, maxSharing);
      return count <= 0 || count > maxSharing ? null : [...found.subarray(0, count)];
    },
    send: () => {
      if (handler(null, 1) === 0 || generate(0, 0) === 0) return false;
      blockFor(sendingMs);
      return true;
    },
  };
};

/** Is the helper: sends one event, and returns the exit status. */
export const runConsoleHelper = (words: readonly string[]): number => {
  const members = membersIn(words);
  if (members === null) return helperStatus.misused;
  const kernel = openKoffiKernel();
  const calls = 'reason' in kernel ? null : bindCalls();
  return 'reason' in kernel || calls === null ? helperStatus.failed : sendConsoleEvent(members, kernel, calls);
};
