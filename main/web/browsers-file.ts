import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';
import type { KnownBrowsers, StoredSession } from './sessions.ts';
import { whyUntrusted } from './token-file.ts';

const hashForm = z.string().regex(/^[\da-f]{64}$/u);

const fileSchema = z.object({
  browsers: z.array(z.object({ cookie: hashForm, key: hashForm, seenAtMs: z.number().nonnegative() })).max(64),
});

const pathIn = (state: string): string => join(state, 'web-browsers.json');

const isTrusted = (path: string): boolean => {
  try {
    return whyUntrusted(lstatSync(path)) === null;
  } catch {
    // There is none, or it can't be looked at: no browser is known.
    return false;
  }
};

/**
 * The signed-in browsers of a home, so that a restart of `curfew web` signs none out. Hashes only:
 * what is in the file signs no browser in. A file that another user could change counts as none.
 */
export const browsersFile = (state: string, report: (error: unknown, doing: string) => void): KnownBrowsers => {
  const path = pathIn(state);
  return {
    read: (): readonly StoredSession[] => {
      const file = isTrusted(path) ? readJsonFile(path) : null;
      const parsed = fileSchema.safeParse(file?.kind === 'value' ? file.value : null);
      return parsed.success ? parsed.data.browsers : [];
    },
    isThere: () => existsSync(path),
    write: (browsers) => {
      try {
        writeWholeFile(path, `${JSON.stringify({ browsers })}\n`);
        return true;
      } catch (error) {
        report(error, 'remembering the signed-in browsers');
        return false;
      }
    },
  };
};

/**
 * Signs every browser out, also those of a `curfew web` that runs.
 * @throws the file system's error
 */
export const forgetBrowsers = (state: string): void => rmSync(pathIn(state), { force: true });
