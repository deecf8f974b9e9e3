import { writeSync } from 'node:fs';
import manifest from '../../../package.json' with { type: 'json' };
import { type FirstAnswer, firstAnswer } from '../../../app/mcp/first-answer.ts';
import { clientGone } from './client-gone.ts';

const lineFeed = 0x0a;

/** What came first on standard input, at least a line; null: it ended before. */
const firstBytes = (gone: Promise<void>): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const { stdin } = process;
    let bytes: Buffer = Buffer.alloc(0);
    const take = (part: Buffer): void => {
      bytes = Buffer.concat([bytes, part]);
      if (!part.includes(lineFeed)) return;
      stdin.off('data', take);
      stdin.pause();
      resolve(bytes);
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
  const gone = clientGone();
  const bytes = await firstBytes(gone);
  if (bytes === null) return;
  const line = bytes.toString('utf8', 0, bytes.indexOf(lineFeed));
  const answer = written(firstAnswer(line, manifest.version));
  await prepare();
  const { serveTools } = await import('./sdk-server.ts');
  await serveTools({ bytes, answered: answer?.id ?? null }, gone);
};
