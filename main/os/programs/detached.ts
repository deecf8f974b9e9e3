import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { noWindow } from './child-window.ts';

/** A detached process ended unreported, or never started. The message holds its output. */
export class DetachedFailed extends Error {
  override readonly name = 'DetachedFailed';
}

/**
 * Starts this program again as a detached process: in its own session, without input, with none of
 * our descriptors. Resolves with the first line that it writes; its later output is discarded.
 * @throws DetachedFailed
 */
export const startDetached = async (args: readonly string[]): Promise<string> => {
  const entry = process.argv[1];
  if (entry === undefined) throw new DetachedFailed('it is not known which file this program was started from');
  const input = openSync(devNull, 'r');
  try {
    const child = spawn(process.execPath, [...process.execArgv, entry, ...args], {
      detached: true,
      stdio: [input, 'pipe', 'pipe'],
      ...noWindow,
    });
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new DetachedFailed('it got no pipes');
    let said = '';
    let complained = '';
    stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
    const line = await new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const end = said.indexOf('\n');
        if (end !== -1) resolve(said.slice(0, end));
      });
      child.on('close', () => reject(new DetachedFailed(complained.trim() || 'it ended and said nothing')));
    });
    stdout.destroy();
    stderr.destroy();
    child.unref();
    return line;
  } finally {
    closeSync(input);
  }
};
