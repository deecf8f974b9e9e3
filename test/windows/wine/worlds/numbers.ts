import type { Machine, Process, Start } from './machine.ts';

/*
 * Wine gives numbers of processes and threads out of one queue: what ends goes to its end, and as
 * soon as 256 wait in it, the one at its head is the next (server/process.c, alloc_ptid). So the
 * number of an ended process comes back exactly when all before it have been used, and threads use
 * them a hundred times as fast as processes do.
 */

/** Threads are so many at most until a number is given up: another process has it by then. */
const maxThreads = 4_000;
const maxTries = 5;

/** A thread that ends at once; returns its number, which waits at the end of the queue then. */
const turn = ({ calls }: Machine, nothing: number): number => {
  const id = [0];
  const thread = calls.thread(null, 65_536, nothing, 0, 0, id);
  if (thread === 0) throw new Error(`no thread was started: error ${calls.lastError()}`);
  calls.wait(thread, 10_000);
  calls.close(thread);
  return id[0] ?? 0;
};

/**
 * Starts a process that gets the number of one that has ended; null where another was faster each
 * time, or something still holds the number.
 */
export const startWithNumberOf = (
  machine: Machine,
  number: number,
  parent: Process | null,
  start: Start,
): Process | null => {
  const nothing = machine.calls.procedure(machine.calls.module('kernel32.dll'), 'Sleep');
  for (let tries = 0; tries < maxTries; tries += 1) {
    // Which one comes before it is known once the queue has been gone through.
    let before = 0;
    let found = 0;
    for (let threads = 0; threads < maxThreads && found !== number; threads += 1) {
      before = found;
      found = turn(machine, nothing);
    }
    if (found !== number) return null;
    for (let threads = 0; threads < maxThreads && found !== before; threads += 1) found = turn(machine, nothing);
    const one = machine.startBelow(parent, start);
    if (one.pid === number) return one;
    machine.end(one);
  }
  return null;
};
