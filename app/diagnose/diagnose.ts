import { forwardedBy } from '../agents/signatures.ts';
import type { Diagnosis } from '../model/job.ts';
import { advanceConnections, findConnection } from './connection.ts';
import { advanceLeak, findDescriptors } from './descriptors.ts';
import { advanceFlood, findFlooding } from './flooding.ts';
import { findLock } from './lock.ts';
import { advancePoll, findPolling } from './polling.ts';
import { advanceSpin, findSpinning } from './spinning.ts';
import { awaitedInput, findStandardInput } from './standard-input.ts';
import { awaitedPipe, deadlocked, holdersOf, writersOf } from './standstill.ts';
import { advanceZombies, findDeletedFolder, findDiskWait, findStopped, findZombies } from './states.ts';
import { type Finder, type Subject, probeOf } from './subject.ts';
import { advanceWaits, standsStill, waitedSeconds } from './waits.ts';
import { type Watch, nothingWatched } from './watch.ts';

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

/**
 * The proxy of a sandbox on whose port no process listens any more. It becomes a job only when its
 * session has ended.
 */
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
  findStopped,
  findDiskWait,
  findDeletedFolder,
  findZombies,
  findStaleProxy,
];

/**
 * What rows and facts of every look tell; the others were found by looking into the job, and hold
 * until the next time.
 */
const seenAtEveryLook: ReadonlySet<Diagnosis['code']> = new Set([
  'waiting-on-stdin',
  'stopped',
  'deleted-folder',
  'stale-sandbox-proxy',
]);

const advance = (subject: Subject, before: Watch): Watch => ({
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
): { readonly diagnoses: readonly Diagnosis[]; readonly watch: Watch | null } => {
  const seen = subject.probe === null ? null : advance(subject, before ?? nothingWatched);
  const found = finders.flatMap((find) => find(subject, seen ?? nothingWatched) ?? []);
  const kept = seen === null ? latest.filter(({ code }) => !seenAtEveryLook.has(code)) : [];
  // Polling for a lock file is a way of waiting for a lock; one sentence about it is enough.
  const codes = new Set<Diagnosis['code']>();
  return {
    diagnoses: [...found, ...kept].filter(({ code }) => !codes.has(code) && codes.add(code)),
    watch: seen ?? before,
  };
};
