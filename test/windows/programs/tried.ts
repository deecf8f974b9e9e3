// What the programs of this folder share: they try Curfew on the Windows that they run on.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

let right = 0;
let wrong = 0;

/** Says whether something is as expected. What is not makes the program end with status 1. */
export const expect = (what: string, expected: unknown, found: unknown): void => {
  const isRight = JSON.stringify(expected) === JSON.stringify(found);
  if (isRight) right += 1;
  else {
    wrong += 1;
    process.exitCode = 1;
  }
  console.log(`${isRight ? 'ok   ' : 'WRONG'} ${what}${isRight ? '' : `: ${JSON.stringify(found)}`}`);
};

/** Says how much was as expected. */
export const sum = (): void => console.log(`${right} right, ${wrong} wrong`);

/** True on a Windows that Wine makes. */
export const isWine = existsSync(String.raw`C:\windows\system32\winecfg.exe`);

/**
 * Opens a window where there is none: where no window at all is listed, as under Wine, each process
 * may show one, and none is ended.
 */
export const openWindow = (): ChildProcess | null =>
  isWine ? spawn(join(process.env['SystemRoot'] ?? '', 'notepad'), [], { stdio: 'ignore' }) : null;

/** Removes a folder of the program. */
export const tidy = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  } catch (error) {
    // Wine keeps the file of a program for a while after its end.
    console.log(`${folder} stays: ${String(error)}`);
  }
};
