import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { TextLimit } from './command-texts.ts';
import type { StatFields } from './stat.ts';

/**
 * The addresses of a process's program in memory. They are randomised at each exec, so equal ones
 * mean the same program image; a forked child that has not exec'ed has its parent's. All 0 if the
 * kernel hides them.
 */
export interface Image {
  readonly stackStart: number;
  readonly argStart: number;
  readonly envStart: number;
  readonly envEnd: number;
}

export interface CachedProcess {
  /** The same object as long as neither the row nor the image changes. */
  readonly row: ProcessRow;
  readonly image: Image;
  /** The command line as read, to detect changes, and how far it was read. */
  readonly commandLine: string;
  readonly limit: TextLimit;
  /** Allow-listed environment of this image; undefined until requested. */
  environment: MarkerEnvironment | null | undefined;
  /** Number of the last scan that listed the process, and of the last scan that read it. */
  listedAt: number;
  readAt: number;
}

/** Returns whether the process still runs the program image of an earlier scan. */
export const sameImage = (image: Image, fields: StatFields): boolean =>
  image.stackStart === fields.stackStart &&
  image.argStart === fields.argStart &&
  image.envStart === fields.envStart &&
  image.envEnd === fields.envEnd;

export const imageOf = (fields: StatFields): Image => ({
  stackStart: fields.stackStart,
  argStart: fields.argStart,
  envStart: fields.envStart,
  envEnd: fields.envEnd,
});

/**
 * Returns a name for the program image of a stat line; null if the kernel hides it, as for
 * processes that can't be traced.
 */
export const imageName = ({ stackStart, argStart, envStart, envEnd }: StatFields): string | null =>
  envEnd === 0 ? null : [stackStart, argStart, envStart, envEnd].map((at) => at.toString(36)).join('.');
