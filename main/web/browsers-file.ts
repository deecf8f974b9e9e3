import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isAbsence } from '../os/files/small-file.ts';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';
import type { KnownBrowsers, StoredSession } from './sessions.ts';
import { whyUntrusted } from './token-file.ts';
import { system } from '../os/this-system.ts';

const hashForm = z.string().regex(/^[\da-f]{64}$/u);

const fileSchema = z.object({
  port: z.int().positive(),
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

/** Folders beside those of users, on Windows. */
const ofNoUser = /^(?:public|default(?: user)?|all users|desktop\.ini)$/iu;

const homes = { darwin: '/Users', win32: dirname(homedir()) } as Readonly<Partial<Record<NodeJS.Platform, string>>>;

/** Whether a folder of homes, or of such folders (`/home/students`), has one of another user. */
const hasOtherHome = (folder: string, uid: number | undefined, deep: boolean): boolean =>
  readdirSync(folder).some((name) => {
    if (uid === undefined) return name !== basename(homedir()) && !ofNoUser.test(name);
    const found = lstatSync(join(folder, name));
    if (found.uid >= 500) return found.uid !== uid;
    return deep && found.isDirectory() && name !== 'lost+found' && hasOtherHome(join(folder, name), uid, false);
  });

/**
 * Whether another user has a home on this machine, or that can't be seen. While no `curfew web`
 * runs, that user can take its port, and a page that is still open would send it both secrets.
 */
export const othersLiveHere = (folder = homes[system] ?? '/home', uid = process.getuid?.()): boolean => {
  try {
    return hasOtherHome(folder, uid, true);
  } catch (error) {
    return !isAbsence(error);
  }
};

/**
 * The signed-in browsers of a home, so that a restart of `curfew web` signs none out. Hashes only:
 * what is in the file signs no browser in. A file that another user could change counts as none,
 * and so does any where others live. That of another port is removed: another program may hold that
 * port now, and is sent both secrets by a page of before.
 */
export const browsersFile = (
  state: string,
  report: (error: unknown, doing: string) => void,
  areOthers = othersLiveHere,
): KnownBrowsers => {
  const path = pathIn(state);
  return {
    read: (port): readonly StoredSession[] => {
      const file = isTrusted(path) && !areOthers() ? readJsonFile(path) : null;
      const parsed = fileSchema.safeParse(file?.kind === 'value' ? file.value : null);
      if (parsed.success && parsed.data.port === port) return parsed.data.browsers;
      try {
        if (file !== null) forgetBrowsers(state);
      } catch (error) {
        report(error, 'forgetting the browsers of another port');
      }
      return [];
    },
    isThere: () => existsSync(path),
    write: (browsers, port) => {
      try {
        writeWholeFile(path, `${JSON.stringify({ port, browsers })}\n`);
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
