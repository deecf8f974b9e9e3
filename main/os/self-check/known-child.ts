import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepName } from '../../../app/guard/script/keep-assignment.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { asPid, type Pid } from '../../../app/process/identity.ts';
import { findProgram } from '../programs/find-program.ts';

/** A program of which everything is known, started to be read. */
export interface KnownChild {
  readonly pid: Pid;
  readonly argv: readonly string[];
  readonly folder: string;
  /** The file that its standard output is. */
  readonly output: string;
  /** Wall clock of its start, milliseconds: not before, and not after. */
  readonly started: readonly [fromMs: number, toMs: number];
  /** Closes this side of its standard input, the only other one. */
  readonly closeInput: () => void;
  /** Ends it, if it lives, and removes its folder. */
  readonly remove: () => void;
}

/** Seconds that the child lives at most, whatever happens to this process. */
const seconds = 30;

/**
 * Starts `sleep` with known arguments, `CURFEW_KEEP=1` in its environment, a known folder, a known
 * file as its output, and a private channel to this process as its input. Returns why it can't.
 */
export const startKnownChild = (): KnownChild | { readonly problem: string } => {
  // NixOS has it in neither of the two.
  const found = findProgram('sleep', `/bin:/usr/bin:${process.env['PATH'] ?? ''}`);
  if ('errno' in found) return { problem: `sleep: ${found.errno}` };
  let folder: string;
  try {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-check-')));
  } catch (error) {
    return { problem: messageOf(error) };
  }
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  const output = join(folder, 'output');
  try {
    const fd = openSync(output, 'wx', 0o600);
    const fromMs = Date.now();
    const child = spawn(found.file, [String(seconds)], {
      argv0: 'sleep',
      cwd: folder,
      env: { [keepName]: '1' },
      stdio: ['pipe', fd, 'ignore'],
    });
    const toMs = Date.now();
    closeSync(fd);
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.unref();
    const { pid } = child;
    if (pid === undefined) {
      removeFolder();
      return { problem: `${found.file} did not start` };
    }
    return {
      pid: asPid(pid),
      argv: ['sleep', String(seconds)],
      folder,
      output,
      started: [fromMs, toMs],
      closeInput: () => void child.stdin?.destroy(),
      remove: () => {
        child.stdin?.destroy();
        // Node keeps the pid of a child until it has noticed its end: no other process has it.
        child.kill('SIGKILL');
        removeFolder();
      },
    };
  } catch (error) {
    removeFolder();
    return { problem: messageOf(error) };
  }
};
