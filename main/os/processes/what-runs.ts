import { closeSync, fstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { heldIn } from '../files/held-readers.ts';

/** What a process runs, by what the kernel and the file itself say. */
export interface RunningFile {
  /** Its executable. */
  readonly executable: string;
  /** Its executable is packed by Bun into one file, as agents are shipped, or is unreadable. */
  readonly isBunProgram: boolean;
  readonly cwd: string;
  readonly open: readonly string[];
}

/** https://github.com/oven-sh/bun/blob/main/src/StandaloneModuleGraph.zig */
const bunTrailer = '\n---- Bun! ----\n';
const trailerBytes = 4096;

const known = new Map<string, boolean>();

const isBunProgram = (path: string): boolean => {
  const descriptor = openSync(path, 'r');
  try {
    const { dev, ino, mtimeMs, size } = fstatSync(descriptor);
    const key = `${dev}:${ino}:${mtimeMs}:${size}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const bytes = Buffer.alloc(Math.min(trailerBytes, size));
    readSync(descriptor, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
    const found = bytes.includes(bunTrailer);
    known.set(key, found);
    return found;
  } finally {
    closeSync(descriptor);
  }
};

/** Returns what a process runs and holds open; null: ended, or unreadable. Linux only. */
export const whatRuns = (pid: number): RunningFile | null => {
  const folder = `/proc/${pid}`;
  try {
    const open = readdirSync(`${folder}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`${folder}/fd/${fd}`)];
      } catch {
        // Closed meanwhile.
        return [];
      }
    });
    return {
      executable: readlinkSync(`${folder}/exe`),
      isBunProgram: heldIn(pid) !== null || isBunProgram(`${folder}/exe`),
      cwd: readlinkSync(`${folder}/cwd`),
      open,
    };
  } catch {
    return null;
  }
};
