import { connect, createServer } from 'node:net';
import type { RunId } from '../../../app/process/run-id.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import type { EndSignals } from './end-signals.ts';

/** The request that a run ends, as TERM asks for it elsewhere. */
const request = 'TERM\n';

/** Longer texts are no request. */
const maxBytes = 64;

/** A run that lives answers within this time, milliseconds. */
const answerMs = 2_000;

/**
 * Returns the named pipe of a run. Windows gives the right to write to it to its user, to
 * administrators and to the system only.
 * https://learn.microsoft.com/windows/win32/ipc/named-pipe-security-and-access-rights
 */
const pipeOf = (id: RunId): string => String.raw`\\.\pipe\curfew-run-${id}`;

/**
 * Makes a run hear requests to end where no signal can ask for that: on Windows TERM ends a process
 * at once. Resolves when it can be asked; elsewhere at once. Never throws.
 */
export const listenForEnd = async (
  id: RunId,
  signals: Pick<EndSignals, 'take'>,
  warn: (text: string) => void,
  path: string | null = process.platform === 'win32' ? pipeOf(id) : null,
): Promise<void> => {
  if (path === null) return;
  const server = createServer((socket) => {
    let said = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text: string) => {
      said += text;
      if (said === request) {
        socket.end(request);
        signals.take('TERM');
      } else if (said.length > maxBytes) socket.destroy();
    });
    // A client that goes without a word holds nothing up.
    socket.unref();
  });
  // A run that nothing holds any more ends, whether it can be asked or not.
  server.unref();
  await new Promise<void>((resolve) => {
    server.on('error', (error) => {
      warn(`curfew: this run can't be asked to end (${messageOf(error)}): \`curfew terminate\` will not reach it`);
      resolve();
    });
    server.listen(path, resolve);
  });
};

/**
 * Asks a run to end. `gone`: no run of this id listens any more, or yet.
 */
export const askRunToEnd = async (id: RunId, path: string = pipeOf(id)): Promise<'sent' | 'gone'> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const done = (result: 'sent' | 'gone'): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(answerMs, () => done('gone'));
    socket.on('error', () => done('gone'));
    socket.on('connect', () => socket.write(request));
    socket.on('data', () => done('sent'));
    socket.on('close', () => done('gone'));
  });
