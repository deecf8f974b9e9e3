import type { BootId } from '../../process/identity.ts';
import { type JobId, asJobId } from '../../model/job.ts';
import type { ProcessRef } from './ledger.ts';

/** The form of a job id, for the borders that read one. */
export const jobIdPattern = /^[0-9a-f]{8}$/;

/** FNV-1a over 32 bits: short enough to type. http://www.isthe.com/chongo/tech/comp/fnv/ */
const fnv1a = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
};

/**
 * The id of the job that this process was the root of when it was first seen. Of 300 jobs two would
 * share an id once in 95,000 looks; `taken` holds the ids given at this look, and the later job
 * gets another.
 */
export const jobIdOf = (bootId: BootId, root: ProcessRef, taken: ReadonlySet<JobId>): JobId => {
  const text = `${bootId}:${root.pid}:${root.startTicks}`;
  let id = asJobId(fnv1a(text));
  for (let attempt = 1; taken.has(id); attempt++) id = asJobId(fnv1a(`${text}#${attempt}`));
  return id;
};
