import { type SaidWithAdvice, sayHeap, sayLeftFiles } from '../../app/text/sweep.ts';
import { staleKinds } from '../../app/sweep/stale-file.ts';
import { totalOf } from './by-folder.ts';
import type { SweepPlan } from './sweep.ts';

/**
 * Sizes from which on files are told of, bytes. What lies on a tmpfs is memory, so it is told of
 * earlier.
 */
const largeBytes = 250_000_000;
const largeBytesInMemory = 50_000_000;

/** Returns what piles up in files, in sentences with advice. */
export const leftFiles = (plan: SweepPlan): readonly SaidWithAdvice[] => [
  ...staleKinds.flatMap((kind) => {
    const files = plan.found.filter(({ decision }) => decision.candidate.kind === kind);
    const total = totalOf(files);
    if (total.bytes < largeBytes && total.bytesInMemory < largeBytesInMemory) return [];
    const removable = totalOf(files.filter(({ decision }) => decision.action === 'delete')).bytes;
    return [sayLeftFiles({ kind, files: files.length, ...total, removable })];
  }),
  ...plan.heaps
    .filter(({ bytes, may }) => bytes >= largeBytes && may === 'report')
    .map(({ agent, kind, path, bytes }) => sayHeap({ agent, kind, path, bytes })),
];
