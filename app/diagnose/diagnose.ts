import type { Diagnosis } from '../jobs/model/job.ts';
import { advanceConnections, findConnection } from './connection.ts';
import { advanceLeak, findDescriptors } from './descriptors.ts';
import { advanceFlood, findFlooding } from './flooding.ts';
import { findLock } from './lock.ts';
import { findMemory } from './memory.ts';
import { findPipe } from './pipe.ts';
import { advancePoll, findPolling } from './polling.ts';
import { advanceSpin, findSpinning } from './spinning.ts';
import { findStaleProxy } from './stale-proxy.ts';
import { findStandardInput } from './standard-input.ts';
import { findDeletedFolder, findDiskWait, findStopped, findZombies, advanceZombies } from './states.ts';
import type { Finder, Subject } from './subject.ts';
import { advanceWaits } from './waits.ts';
import { nothingWatched, type Watch } from './watch.ts';

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
