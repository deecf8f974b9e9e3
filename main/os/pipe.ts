import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { temporaryFolder } from './files/owned-place.ts';
import { join } from 'node:path';
import { openLibc } from './linux/control/libc.ts';
import { makePipe } from './windows/start/pipe.ts';
import { noWindow } from './programs/child-window.ts';
import { passedOn } from './programs/passed-on.ts';

export interface PipeEnds {
  readonly read: number;
  readonly write: number;
}

/** O_CLOEXEC of pipe2. */
const closeOnExec = 0o2000000;

/** Without koffi a named pipe serves, whose name is removed at once. */
const namedPipe = (): PipeEnds => {
  const folder = mkdtempSync(join(temporaryFolder(), 'curfew-pipe-'));
  try {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '600', path], { env: passedOn(['PATH']), ...noWindow });
    // A blocking open would wait for our own writer.
    const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { read, write: openSync(path, constants.O_WRONLY) };
    } catch (error) {
      closeSync(read);
      throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const windowsPipe = (): PipeEnds => {
  const made = makePipe();
  if ('reason' in made) throw new Error(`a pipe could not be made (${made.reason})`);
  return made;
};

/**
 * Returns a pipe of which a started command can be given one end. Node only makes pipes for its own
 * children.
 * @throws the system's error
 */
export const openPipe = (): PipeEnds => {
  if (process.platform === 'win32') return windowsPipe();
  const libc = openLibc();
  if ('reason' in libc) return namedPipe();
  const ends = new Int32Array(2);
  if (libc.pipe(ends, closeOnExec) !== 0) throw new Error(`a pipe could not be made (error number ${libc.errno()})`);
  return { read: ends[0] ?? -1, write: ends[1] ?? -1 };
};
