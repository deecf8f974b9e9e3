import { realpathSync, statSync, type Stats } from 'node:fs';
import { extname, isAbsolute } from 'node:path';
import { shell } from 'electron';
import type { Answer } from '../../../app/contract/answer.ts';
import { say } from '../../../app/text/say.ts';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import { refused } from '../../interface/answers/failures.ts';
import { leadsToOtherMachine } from '../../os/files/other-machine.ts';

type Opened = Answer<QuestionOutput<'app.openPath'>>;

/** Files that open as text; an agent's output files are among them. */
const textFiles: ReadonlySet<string> = new Set(['.log', '.out', '.output', '.txt']);

const mayRun = 0o111;

/**
 * True where opening starts no program but a file manager or an editor. On macOS a folder with an
 * extension may be an application or a document of one:
 * https://developer.apple.com/library/archive/documentation/CoreFoundation/Conceptual/CFBundles/AboutBundles/AboutBundles.html
 */
const opensAsText = (platform: NodeJS.Platform, path: string, stats: Stats): boolean => {
  if (stats.isDirectory()) return platform !== 'darwin' || extname(path) === '';
  return textFiles.has(extname(path).toLowerCase()) && (platform === 'win32' || (stats.mode & mayRun) === 0);
};

const missing: Opened = refused('not-found', say('This file or folder does not exist any more.'));

const statOf = (path: string): { readonly path: string; readonly stats: Stats } | null => {
  try {
    const real = realpathSync(path);
    return { path: real, stats: statSync(real) };
  } catch {
    // It is gone, or its folder may not be read: there is nothing to open.
    return null;
  }
};

/**
 * Opens a folder in the file manager, or a text file in the user's editor. What opening could start
 * is shown in the file manager instead, and so is what the system does not open.
 */
export const openPath = async (platform: NodeJS.Platform, path: string): Promise<Opened> => {
  if (!isAbsolute(path) || path.startsWith('\\\\') || leadsToOtherMachine(path, platform)) return missing;
  const found = statOf(path);
  if (found === null || !(found.stats.isDirectory() || found.stats.isFile())) return missing;
  if (opensAsText(platform, found.path, found.stats) && (await shell.openPath(found.path)) === '')
    return { ok: true, value: { did: 'opened' } };
  shell.showItemInFolder(found.path);
  return { ok: true, value: { did: 'shown' } };
};
