import { writeSync } from 'node:fs';
import manifest from '../../../package.json' with { type: 'json' };
import { type FirstAnswer, firstAnswer } from '../../../app/mcp/first-answer.ts';
import { maxMessageBytes, oversizedAnswer } from '../../../app/mcp/oversized.ts';
import { refuseForeign } from '../refuse-foreign.ts';
import { BoundedLines } from './bounded-lines.ts';

/**
 * How often the parent is asked for, milliseconds: where another process holds the client's end
 * open, only this tells that the client has ended.
 */
const parentEveryMs = 5_000;

/**
 * Resolves once the client is gone: its end of standard input has closed, or the process that
 * started this one has ended. So no server is left
 * behind, which Curfew itself would have to end.
 */
const clientGone = (): Promise<void> =>
  new Promise((resolve) => {
    const parent = process.ppid;
    const { stdin } = process;
    const timer = setInterval(() => {
      if (process.ppid !== parent) gone();
    }, parentEveryMs);
    const gone = (): void => {
      clearInterval(timer);
      resolve();
    };
    for (const event of ['end', 'close', 'error']) stdin.once(event, gone);
  });

/** The first lines on standard input; null: it ended before. */
const firstLines = (lines: BoundedLines, gone: Promise<void>): Promise<readonly Buffer[] | null> =>
  new Promise((resolve) => {
    const { stdin } = process;
    const take = (part: Buffer): void => {
      const whole = lines.take(part);
      if (whole.length === 0) return;
      stdin.off('data', take);
      stdin.pause();
      resolve(whole);
    };
    stdin.on('data', take);
    void gone.then(() => resolve(null));
  });

/** Writes an answer without Node's stream, which takes some time to be loaded. */
const written = (answer: FirstAnswer | null): FirstAnswer | null => {
  if (answer === null) return null;
  const bytes = Buffer.from(answer.text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      // It does not block (EAGAIN): nothing was written, so the SDK answers. Less than all of a
      // short answer is not taken by a pipe that had none before.
      if (at === 0) return null;
      throw error;
    }
  }
  return answer;
};

/**
 * Serves on standard input and output until the client's end closes, or the process that started
 * the server ends. The first answer is given before the SDK is loaded, which gets the same request
 * then: loading it takes longer than all else.
 * @param prepare done after the first answer, before the SDK is loaded
 */
export const serve = async (prepare: () => Promise<void>): Promise<void> => {
  refuseForeign();
  const gone = clientGone();
  const lines = new BoundedLines(maxMessageBytes, ({ start, end }) =>
    process.stdout.write(oversizedAnswer(start, end)),
  );
  const first = await firstLines(lines, gone);
  if (first === null) return;
  const answer = written(firstAnswer(first[0]?.toString('utf8').trimEnd() ?? '', manifest.version));
  await prepare();
  const { serveTools } = await import('./sdk-server.ts');
  await serveTools({ first, lines, answered: answer?.id ?? null }, gone);
};
