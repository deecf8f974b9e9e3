import { createInterface } from 'node:readline/promises';

/** Asks on the terminal; anything but yes is a no. */
export const agrees = async (question: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await Promise.race([
      lines.question(question),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ]);
    return /^y(?:es)?$/iu.test(answer.trim());
  } finally {
    lines.close();
  }
};
