import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where status lines note what they saw by a look of their own, while no supervisor watches: the
 * file `line` (see `StatusLineFile`), and one file for the minute of the last look.
 */
export const looksFolder = (statusLine: string): string => `${statusLine}-looks`;

/** The file with what the last look of a status line saw. */
export const lineSeen = (statusLine: string): string => join(looksFolder(statusLine), 'line');

/** As the script counts them, see curfew-statusline.sh. */
const minuteAt = (nowMs: number): number => Math.trunc(nowMs / 60_000);

/** Makes the folder, without which the script in an agent's settings starts no look. */
export const makeLooksFolder = (statusLine: string): void => {
  mkdirSync(looksFolder(statusLine), { recursive: true, mode: 0o700 });
};

/**
 * Removes the files of minutes that are over. The last one's stays: a slow caller may be in it yet.
 * Throws the file system's error.
 */
export const dropMinutes = (statusLine: string, nowMs: number): void => {
  const folder = looksFolder(statusLine);
  for (const name of readdirSync(folder)) {
    const minute = /^minute-(?<minute>\d+)$/u.exec(name)?.groups?.['minute'];
    if (minute !== undefined && Number(minute) < minuteAt(nowMs) - 1) rmSync(join(folder, name), { force: true });
  }
};

/**
 * Returns true for the one caller that looks in this minute: only one can make its file. False,
 * too, where none can be made, or in a folder of another user (`sudo -E`): then no look is started
 * again and again. Drops the files of minutes that are over, which a look that fails leaves.
 */
export const takeMinute = (statusLine: string, nowMs: number): boolean => {
  try {
    makeLooksFolder(statusLine);
    const folder = looksFolder(statusLine);
    const self = process.geteuid?.();
    if (self !== undefined && statSync(folder).uid !== self) return false;
    closeSync(openSync(join(folder, `minute-${minuteAt(nowMs)}`), 'wx', 0o600));
    dropMinutes(statusLine, nowMs);
    return true;
  } catch {
    return false;
  }
};
