import { isUnseenDriven } from '../../programs/browser.ts';
import { programOf } from '../../programs/program.ts';
import type { ProcessRow } from '../../process/row.ts';

/**
 * A browser without a window that a program started for itself and drives over a debugging port.
 */
export const isDrivenBrowser = (row: ProcessRow): boolean => isUnseenDriven(programOf(row));

const handlers: ReadonlySet<string> = new Set(['chrome_crashpad', 'chrome_crashpad_handler']);

/**
 * The helper that reports crashes of a browser: in a kernel session of its own, it ends with it.
 */
export const isCrashHandler = (row: ProcessRow): boolean =>
  [...programOf(row).names].some((name) => handlers.has(name) || handlers.has(name.slice(0, 15)));
