import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { StatFields } from './stat.ts';

/**
 * Where the running program of a process lies in its memory. Addresses are drawn anew at each exec, so equal ones mean: same program image,
 * and a child that was forked and has not exec'ed has its parent's. All 0 where the kernel doesn't tell us.
 */
export interface Image {
  readonly stackStart: number;
  readonly argStart: number;
  readonly envStart: number;
  readonly envEnd: number;
}

/** What is kept of a process from look to look. */
export interface CachedProcess {
  /** The same object as long as nothing in it and not the image changed. */
  readonly row: ProcessRow;
  readonly image: Image;
  /** The command line as read, to see whether it changed. */
  readonly commandLine: string;
  /** Allow-listed environment of this image; undefined until it was asked for. */
  environment: MarkerEnvironment | null | undefined;
  /** Number of the scan that listed the process last, and of the scan that read it last. */
  listedAt: number;
  readAt: number;
}

/** True when the process still runs the program image of an earlier look. */
export const sameImage = (image: Image, fields: StatFields): boolean =>
  image.stackStart === fields.stackStart &&
  image.argStart === fields.argStart &&
  image.envStart === fields.envStart &&
  image.envEnd === fields.envEnd;

/** Takes the image out of a stat line. */
export const imageOf = (fields: StatFields): Image => ({
  stackStart: fields.stackStart,
  argStart: fields.argStart,
  envStart: fields.envStart,
  envEnd: fields.envEnd,
});

/** Names the program image of a stat line; null where the kernel doesn't tell it, as for processes that can't be traced. */
export const imageName = ({ stackStart, argStart, envStart, envEnd }: StatFields): string | null =>
  envEnd === 0 ? null : [stackStart, argStart, envStart, envEnd].map((at) => at.toString(36)).join('.');
