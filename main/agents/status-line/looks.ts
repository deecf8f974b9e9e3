import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where status lines note what they saw by a look of their own, while no supervisor watches: the
 * file `line` (see `StatusLineFile`), and one file for the minute of the last look.
 */
export const looksFolder = (statusLine: string): string => `${statusLine}-looks`;

/** The file with what the last look of a status line saw. */
export const lineSeen = (statusLine: string): string => join(looksFolder(statusLine), 'line');

/** As the script makes it, see curfew-statusline.sh. */
const minuteAt = (nowMs: number): string => `minute-${Math.trunc(nowMs / 60_000)}`;

/** Makes the folder, without which the script in an agent's settings starts no look. */
export const makeLooksFolder = (statusLine: string): void => {
  mkdirSync(looksFolder(statusLine), { recursive: true, mode: 0o700 });
};

/**
 * Returns true for the one caller that looks in this minute: only one can make its file. False,
 * too, where none can be made: then no look is started again and again.
 */
export const takeMinute = (statusLine: string, nowMs: number): boolean => {
  try {
    makeLooksFolder(statusLine);
    closeSync(openSync(join(looksFolder(statusLine), minuteAt(nowMs)), 'wx', 0o600));
    return true;
  } catch {
    return false;
  }
};

/** Removes the files of other minutes. Throws the file system's error. */
export const dropMinutes = (statusLine: string, nowMs: number): void => {
  const folder = looksFolder(statusLine);
  for (const name of readdirSync(folder))
    if (/^minute-\d+$/u.test(name) && name !== minuteAt(nowMs)) rmSync(join(folder, name), { force: true });
};
