import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../app/format/once.ts';
import { readerParts, type ReaderCheck } from '../../app/process/reader-check.ts';
import { readJsonFile } from './files/json-file.ts';
import { writeWholeFile } from './files/whole-file.ts';
import type { Places } from './places.ts';

const storedSchema = once(() =>
  z.object({
    key: z.string(),
    check: z.object({
      reader: z.string(),
      parts: z.array(z.object({ part: z.enum(readerParts), ok: z.boolean(), found: z.string() })),
    }),
  }),
);

/**
 * The self-check of this machine's reader that passed last, in a file of the home. Without the file
 * it is made again, so what can't be kept is no error.
 */
export const keptChecks = (
  places: Pick<Places, 'state'>,
): {
  readonly get: (key: string) => ReaderCheck | null;
  readonly keep: (key: string, check: ReaderCheck) => void;
} => {
  const path = join(places.state, 'reader-check.json');
  return {
    get: (key) => {
      const file = readJsonFile(path);
      const stored = file.kind === 'value' ? storedSchema().safeParse(file.value).data : undefined;
      return stored?.key === key ? stored.check : null;
    },
    keep: (key, check) => {
      try {
        writeWholeFile(path, `${JSON.stringify({ key, check })}\n`);
      } catch {
        // It costs another check at the next start.
      }
    },
  };
};
