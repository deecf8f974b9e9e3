import { spoken } from './words.ts';
import { createInterface } from 'node:readline/promises';

/** Asks on the terminal; anything but yes is a no. */
export const agrees = async (question: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await Promise.race([
      lines.question(question),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ]);
    const said = answer.trim();
    return /^y(?:es)?$/iu.test(said) || spoken()?.yes.test(said) === true;
  } finally {
    lines.close();
  }
};
