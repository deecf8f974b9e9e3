// node --import stop-at.ts …, with CURFEW_TEST_STEPS=FOLDER: stands still at the moments of a
// reaping that FOLDER/plan.json names (see `moments` in ../world.ts), each the given time that it
// comes in this process: says so in FOLDER/NUMBER.reached and goes on as soon as there is
// FOLDER/NUMBER.go. While it stands, anything can be done to the processes that it is about to
// signal. Moments count from when there is a plan.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { onHistoryWrite } from '../../os/faults/programs/history-writes.ts';

const folder = process.env['CURFEW_TEST_STEPS'] ?? '';
type Plan = readonly { readonly at: string; readonly time: number }[];
let plan: Plan | null = null;
const planNow = (): Plan => {
  if (plan === null && existsSync(`${folder}/plan.json`))
    plan = JSON.parse(readFileSync(`${folder}/plan.json`, 'utf8')) as Plan;
  return plan ?? [];
};

const pidfdSendSignal = 424;
const pidfdOpen = 434;
const names = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name.slice(3)]));
const still = new Int32Array(new SharedArrayBuffer(4));
const times = new Map<string, number>();

const stopAt = (moment: string, pid: number | null): void => {
  const steps = planNow();
  if (steps.length === 0) return;
  const time = (times.get(moment) ?? 0) + 1;
  times.set(moment, time);
  for (const [number, step] of steps.entries()) {
    const reached = `${folder}/${number}.reached`;
    // Another run of Curfew in the same world may have been there before.
    if (step.at !== moment || step.time !== time || existsSync(reached)) continue;
    writeFileSync(`${reached}.new`, JSON.stringify({ pid }));
    renameSync(`${reached}.new`, reached);
    while (!existsSync(`${folder}/${number}.go`)) Atomics.wait(still, 0, 0, 2);
  }
};

onHistoryWrite((when, what) => {
  for (const one of new Set(what)) stopAt(`${when} ${one}`, null);
});

type Call = (...call: readonly number[]) => number;
interface Library {
  readonly func: (name: string, ...types: readonly unknown[]) => Call;
}
interface Koffi {
  load: (path: null) => Library;
}

/** Every call of the kernel goes through here on its way. */
const watched = (call: Call): Call => {
  const pids = new Map<number, number>();
  return (...words) => {
    const [number, target = 0, signal = 0] = words;
    if (number === pidfdOpen && target !== process.pid) {
      stopAt('open', target);
      const pidfd = call(...words);
      if (pidfd < 0) return pidfd;
      pids.set(pidfd, target);
      stopAt('opened', target);
      return pidfd;
    }
    // Signal 0 only asks.
    if (number !== pidfdSendSignal || signal === 0) return call(...words);
    const pid = pids.get(target) ?? null;
    stopAt(`send ${names.get(signal)}`, pid);
    const result = call(...words);
    if (result >= 0) stopAt(`sent ${names.get(signal)}`, pid);
    return result;
  };
};

// What is not sent through a pidfd passes here, stopped in the same way: a pid that becomes
// another's right now must not be hit.
// eslint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { kill } = process;
process.kill = (pid, signal = 'SIGTERM') => {
  if (signal === 0) return Reflect.apply(kill, process, [pid, signal]);
  const name = typeof signal === 'number' ? (names.get(signal) ?? '') : signal.slice(3);
  stopAt(`send ${name}`, Math.abs(pid));
  Reflect.apply(kill, process, [pid, signal]);
  stopAt(`sent ${name}`, Math.abs(pid));
  return true;
};

// However koffi's binary is searched, this loads it.
// eslint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { dlopen } = process;
process.dlopen = (native: { readonly exports: Partial<Koffi> }, ...how) => {
  Reflect.apply(dlopen, process, [native, ...how]);
  const koffi = native.exports;
  const { load } = koffi;
  if (load === undefined) throw new Error(`${how[0]} is not koffi's binary`);
  koffi.load = (path) => {
    const library = load(path);
    return {
      func: (name, ...types) => {
        const call = library.func(name, ...types);
        return name === 'syscall' ? watched(call) : call;
      },
    };
  };
};
