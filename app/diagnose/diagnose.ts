import { forwardedBy } from '../agents/signatures.ts';
import type { Diagnosis } from '../model/job.ts';
import { advanceGrowth, findGrowth } from './growth.ts';
import { findLock } from './lock.ts';
import { advancePoll, findPolling } from './polling.ts';
import type { Connection, OutputFile } from './probe.ts';
import { advanceSpin, findSpinning } from './spinning.ts';
import { awaitedInput, findStandardInput } from './standard-input.ts';
import { awaitedPipe, deadlocked, holdersOf, writersOf } from './standstill.ts';
import { advanceZombies, findDeletedFolder, findDiskWait, findStopped, findZombies } from './states.ts';
import { type Finder, type Subject, probeOf, secondsSince } from './subject.ts';
import { advanceWaits, standsStill, waitedSeconds } from './waits.ts';
import { type FloodWatch, type LeakWatch, type Watch, maxFollowed, nothingWatched } from './watch.ts';

interface Held {
  readonly pid: number;
  readonly connection: Connection;
}

/** Connections to a process outside the job; between two members, both ends are among them. */
const outward = ({ members, probe }: Subject): readonly Held[] => {
  const held = members.flatMap(({ row }) =>
    (probe?.processes.get(row.pid)?.connections ?? []).map((connection) => ({ pid: Number(row.pid), connection })),
  );
  const own = new Set(held.map(({ connection }) => connection.local));
  return held.filter(({ connection }) => !own.has(connection.remote));
};

/** What is remembered of the connections after this look. */
const advanceConnections = (subject: Subject, before: Watch['connections']): Watch['connections'] => {
  const inodes = outward(subject).map(({ connection }) => connection.inode);
  return Object.fromEntries(
    inodes.slice(0, maxFollowed).map((inode) => [inode, before[inode] ?? subject.table.nowTicks]),
  );
};

/**
 * A connection that has been open for long while nothing came or went. Where the kernel doesn't ask
 * the other side whether it lives, the end of that side would never be noticed, and half of the
 * limit is long; where it does, twice the limit. The kernel does not tell how old the connection
 * is; it is at least as old as the time it was watched.
 */
const findConnection: Finder = (subject, watch) => {
  const found = outward(subject)
    .map((held) => ({
      ...held,
      seconds: secondsSince(subject, watch.connections[held.connection.inode] ?? subject.table.nowTicks),
    }))
    .filter(({ connection, seconds }) => {
      const long = subject.limitSeconds * (connection.keptAlive ? 2 : 0.5);
      return seconds >= long && subject.silentSeconds >= long;
    })
    .toSorted((left, right) => right.seconds - left.seconds)[0];
  if (found === undefined) return null;
  const { pid, seconds, connection } = found;
  const traffic = subject.probe?.traffic.get(connection.inode);
  return {
    code: 'long-connection',
    figures: {
      pid,
      address: connection.remote,
      seconds,
      keptAlive: connection.keptAlive ? 1 : 0,
      ...(traffic === undefined ? {} : { sentBytes: traffic.sentBytes, receivedBytes: traffic.receivedBytes }),
      ...(connection.unacknowledgedBytes > 0 ? { unacknowledgedBytes: connection.unacknowledgedBytes } : {}),
      ...(connection.unreadBytes > 0 ? { unreadBytes: connection.unreadBytes } : {}),
    },
  };
};

/** Looks this share of the patience apart are compared, however often the machine is looked at. */
const stepsInPatience = 8;
/** Steps in a row that must show more than the one before. */
const minRises = 4;
const minGrowth = 16;
/** Share of the limit from which on it counts as reached. */
const full = 0.95;
/** From this growth on a leak is reported also where the limit is far away. */
const many = 1000;

const fullest = (subject: Subject): { readonly process: string; readonly count: number } | null => {
  let best: { process: string; count: number } | null = null;
  for (const { row } of subject.members) {
    const count = subject.probe?.processes.get(row.pid)?.descriptors ?? null;
    if (count !== null && (best === null || count > best.count))
      best = { process: `${row.pid}:${row.startTicks}`, count };
  }
  return best;
};

/**
 * What is remembered after this look of the process with the most descriptors. The first that is
 * closed without another breaks the stretch.
 */
const advanceLeak = (subject: Subject, before: LeakWatch | null): LeakWatch | null => {
  const now = fullest(subject);
  if (now === null) return null;
  const { nowTicks, ticksPerSecond } = subject.table;
  const { process, count } = now;
  if (before === null || before.process !== process || count < before.last)
    return {
      process,
      sinceTicks: nowTicks,
      first: count,
      last: count,
      stepTicks: nowTicks,
      stepCount: count,
      rises: 0,
    };
  const stepOver = nowTicks - before.stepTicks >= (subject.patienceSeconds / stepsInPatience) * ticksPerSecond;
  if (!stepOver) return { ...before, last: count };
  const rises = count > before.stepCount ? before.rises + 1 : 0;
  return { ...before, last: count, stepTicks: nowTicks, stepCount: count, rises };
};

/**
 * Descriptors that have reached their limit, or only ever become more where so many are open that
 * the limit is near, or will be before the hard cap. A server with many visitors closes some in
 * between; a watcher that opens everything at its start stays where it is.
 */
const findDescriptors: Finder = (subject, { leak }) => {
  if (leak === null) return null;
  const pid = Number(leak.process.split(':')[0]);
  const limit = subject.probe?.processes.get(pid)?.descriptorLimit ?? null;
  // One that has come to its limit can't open more, however much it wants to.
  if (limit !== null && leak.last >= limit * full)
    return { code: 'leaking-descriptors', figures: { pid, fds: leak.last, limit } };
  if (leak.rises < minRises || leak.last - leak.first < minGrowth) return null;
  const seconds = Math.max(1, secondsSince(subject, leak.sinceTicks));
  const perSecond = (leak.last - leak.first) / seconds;
  const near = limit !== null && (leak.last >= limit / 2 || (limit - leak.last) / perSecond <= subject.hardCapSeconds);
  if (!near && leak.last < many) return null;
  return {
    code: 'leaking-descriptors',
    figures: { pid, fds: leak.last, more: leak.last - leak.first, seconds, ...(limit === null ? {} : { limit }) },
  };
};

/** Below this an output is only long; bytes. */
const minBytes = 64_000_000;
/** Too fast for any reader; bytes a second. */
const flood = 1_000_000;
/** Slower growth counts where the disk would be full within this time, seconds. */
const soonFullSeconds = 3600;

const largest = ({ probe }: Subject): OutputFile | null =>
  (probe?.outputs ?? []).reduce<OutputFile | null>(
    (best, file) => (best === null || file.bytes > best.bytes ? file : best),
    null,
  );

/** What a look leaves: rates span one to two times the patience, so an early burst is forgotten. */
const advanceFlood = (subject: Subject, before: FloodWatch | null): FloodWatch | null => {
  const file = largest(subject);
  if (file === null) return null;
  const { nowTicks, ticksPerSecond } = subject.table;
  const now = { stepTicks: nowTicks, stepBytes: file.bytes, lastBytes: file.bytes };
  if (before === null || before.path !== file.path || file.bytes < before.lastBytes)
    return { path: file.path, fromTicks: nowTicks, fromBytes: file.bytes, ...now };
  if (nowTicks - before.stepTicks < subject.patienceSeconds * ticksPerSecond)
    return { ...before, lastBytes: file.bytes };
  return { path: file.path, fromTicks: before.stepTicks, fromBytes: before.stepBytes, ...now };
};

/** Reports output that grows faster than any reader follows, or fills the disk within the hour. */
const findFlooding: Finder = (subject, { flood: watch }) => {
  const file = largest(subject);
  if (file === null || watch === null || watch.path !== file.path || file.bytes < minBytes) return null;
  const seconds = (subject.table.nowTicks - watch.fromTicks) / subject.table.ticksPerSecond;
  if (seconds < subject.patienceSeconds) return null;
  const bytesPerSecond = Math.round((file.bytes - watch.fromBytes) / seconds);
  const fullInSeconds =
    file.freeBytes === null || bytesPerSecond <= 0 ? null : Math.round(file.freeBytes / bytesPerSecond);
  if (bytesPerSecond < flood && (fullInSeconds === null || fullInSeconds > soonFullSeconds)) return null;
  return {
    code: 'flooding-output',
    figures: {
      file: file.path,
      bytes: file.bytes,
      bytesPerSecond,
      ...(file.freeBytes === null ? {} : { freeBytes: file.freeBytes }),
      ...(fullInSeconds === null ? {} : { fullInSeconds }),
    },
  };
};

/**
 * Share of the last minute in which something waited for memory, percent: Linux calls 10 % a delay
 * that users notice (https://docs.kernel.org/accounting/psi.html explains the measure; oomd's own
 * default for a group to be ended is 50 to 60 %).
 */
const scarce = 10;
/** From this share of all memory on a job is a reason for it. */
const large = 0.2;
/** Or from this much in swap, bytes. */
const muchSwap = 1_000_000_000;

/** Memory is scarce, and the job has much of it. */
const findMemory: Finder = ({ members, probe }) => {
  const memory = probe?.memory ?? null;
  if (probe === null || memory === null || memory.pressurePercent < scarce) return null;
  const rssBytes = members.reduce((sum, { row }) => sum + row.rssBytes, 0);
  const swapBytes = [...probe.processes.values()].reduce((sum, one) => sum + (one.swapBytes ?? 0), 0);
  const share = memory.totalBytes === null || memory.totalBytes <= 0 ? 0 : (rssBytes + swapBytes) / memory.totalBytes;
  if (share < large && swapBytes < muchSwap) return null;
  return {
    code: 'memory-pressure',
    figures: {
      pressurePercent: Math.round(memory.pressurePercent),
      of: memory.of,
      rssBytes,
      swapBytes,
      sharePercent: Math.round(share * 100),
    },
  };
};

/**
 * Reports a member that reads a pipe which no process can write any more: its other end is held
 * only by the reader itself, or by members that wait in turn for the reader. Reports too a member
 * that opens a named pipe whose other end no process opens. A reader whose writer is at work, or is
 * outside the job, waits its turn.
 */
const findPipe: Finder = (subject, watch) => {
  const stuck = deadlocked(subject, watch);
  for (const { row } of subject.members) {
    const seconds = waitedSeconds(subject, watch, row) ?? 0;
    if (probeOf(subject, row.pid)?.wait?.kind === 'open' && standsStill(subject, watch, row))
      return { code: 'waiting-on-pipe', figures: { pid: row.pid, seconds, writer: 'unopened' } };
    const pipe = awaitedPipe(subject, row);
    if (pipe === null || !stuck.has(row.pid) || awaitedInput(subject, row) !== null) continue;
    const others = (writersOf(subject, pipe) ?? []).filter((pid) => pid !== Number(row.pid));
    const sure = holdersOf(subject, pipe)?.complete === true;
    return {
      code: 'waiting-on-pipe',
      figures: {
        pid: row.pid,
        file: pipe,
        seconds,
        writer: others.length === 0 ? 'itself' : 'job',
        ...(others.length === 0 ? {} : { writers: others.slice(0, 5).join(', ') }),
        ...(sure ? {} : { doubt: 1 }),
      },
    };
  }
  return null;
};

/** A sandbox's proxy whose port has no listener any more. A job only when its session has ended. */
const findStaleProxy: Finder = ({ members, facts }) => {
  for (const { row } of members) {
    const proxy = forwardedBy(row.argv);
    if (proxy !== null && facts.get(row.pid)?.forwards === 'unanswered')
      return { code: 'stale-sandbox-proxy', figures: { pid: row.pid, port: proxy.port, file: proxy.socket } };
  }
  return null;
};

/** Every diagnosis, the most telling first. */
const finders: readonly Finder[] = [
  findStandardInput,
  findPipe,
  findLock,
  findPolling,
  findSpinning,
  findDescriptors,
  findFlooding,
  findConnection,
  findMemory,
  findGrowth,
  findStopped,
  findDiskWait,
  findDeletedFolder,
  findZombies,
  findStaleProxy,
];

/** Those that rows and facts can tell by themselves, in the same order. */
const withoutProbe: readonly Finder[] = [
  findStandardInput,
  findGrowth,
  findStopped,
  findDiskWait,
  findDeletedFolder,
  findStaleProxy,
];

/** Told by every look's rows and facts; the others come from probing, and hold until the next. */
const seenAtEveryLook: ReadonlySet<Diagnosis['code']> = new Set([
  'waiting-on-stdin',
  'stopped',
  'deleted-folder',
  'stale-sandbox-proxy',
  'fast-growth',
]);

const advance = (subject: Subject, before: Watch): Omit<Watch, 'growth'> => ({
  waits: advanceWaits(subject, before.waits),
  spin: advanceSpin(subject, before.spin),
  poll: advancePoll(subject, before.poll),
  leak: advanceLeak(subject, before.leak),
  flood: advanceFlood(subject, before.flood),
  zombies: advanceZombies(subject, before.zombies),
  connections: advanceConnections(subject, before.connections),
});

/**
 * Why a job is stuck, as far as it shows from outside, and what to remember of it for the next
 * look. Pure and total. A job that was not looked into this time (`probe` null) shows what its rows
 * and facts tell by themselves and what was found in it last (`latest`), and what was remembered of
 * it stays. No diagnosis makes a job end sooner: it is only reported.
 */
export const diagnose = (
  subject: Subject,
  before: Watch | null,
  latest: readonly Diagnosis[] = [],
): { readonly diagnoses: readonly Diagnosis[]; readonly watch: Watch } => {
  const growth = advanceGrowth(subject, before?.growth ?? {});
  const seen = subject.probe === null ? null : { ...advance(subject, before ?? nothingWatched), growth };
  const watched = seen ?? { ...nothingWatched, growth };
  const found = (seen === null ? withoutProbe : finders).flatMap((find) => find(subject, watched) ?? []);
  const kept = seen === null ? latest.filter(({ code }) => !seenAtEveryLook.has(code)) : [];
  // Polling for a lock file is a way of waiting for a lock; one sentence about it is enough.
  const codes = new Set<Diagnosis['code']>();
  return {
    diagnoses: [...found, ...kept].filter(({ code }) => !codes.has(code) && codes.add(code)),
    watch: seen ?? { ...(before ?? nothingWatched), growth },
  };
};
