import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { renameOver } from '../../store/files/whole-file.ts';

/** Characters before other work gets a turn: an export must not block the watch. */
const turnCharacters = 1_000_000;

const writeAll = (file: number, text: string): void => {
  const bytes = Buffer.from(text);
  let written = 0;
  // A disk that fills up may accept a part first.
  while (written < bytes.length) written += writeSync(file, bytes, written);
};

/**
 * Writes a text, piece by piece, to a file that the user chose: atomically, and readable for the
 * user only, since it holds command lines.
 * @throws the file system's error; then the file is as it was
 */
export const savePieces = async (path: string, pieces: Iterable<string>): Promise<void> => {
  const beside = `${path}.${randomUUID()}.tmp`;
  const file = openSync(beside, 'wx', 0o600);
  try {
    try {
      let sinceTurn = 0;
      for (const piece of pieces) {
        writeAll(file, piece);
        sinceTurn += piece.length;
        if (sinceTurn < turnCharacters) continue;
        sinceTurn = 0;
        await nextTurn();
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameOver(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
};
