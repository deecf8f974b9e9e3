import { lstatSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../app/format/error-message.ts';
import { isInFolder } from '../../app/paths/path.ts';
import { mountPoints } from '../os/files/mount-points.ts';
import type { Places } from './places.ts';

/** Names that only Curfew gives, and of what it moved aside there. */
const ownName =
  /^(?:history\.db|ledger\.db|supervisor\.lock|status-line|metrics-token|web-(?:browsers|open)\.(?:json|html)|spared\.jsonl|seen-(?:folders|transcripts)\.jsonl|reader-check\.json|session-keeps\.json|compile-cache)(?:[.-][\w.-]+)?$/u;

/** Names that others give as well. */
const usualName =
  /^(?:settings\.json|pause\.json|told\.json|metrics\.json|web\.json|clock\.json|logs|runs|hooks|app|agents|machines|locks)(?:[.-][\w.-]+)?$/u;

/** A folder of Curfew's own, and what of it goes. */
export interface OwnFolder {
  readonly path: string;
  /** What is removed: paths in it. */
  readonly files: readonly string[];
  /** What is not Curfew's, or may not be, and stays. */
  readonly foreign: readonly string[];
}

/** A folder with another name than Curfew's may be the user's. */
const isCurfew = (path: string): boolean => /^curfew$/iu.test(basename(path));

const ownIn = (path: string, isLogs: boolean): OwnFolder => {
  const names = readdirSync(path);
  const isOwn = (name: string): boolean => ownName.test(name) || (isLogs && name.startsWith('curfew'));
  const isNamed = isCurfew(path) || names.some(isOwn);
  const isMixed = !isNamed || names.some((name) => !isOwn(name) && !usualName.test(name));
  const mounts = mountPoints();
  const isMounted = (name: string): boolean =>
    mounts === null || [...mounts].some((at) => isInFolder(at, join(path, name)));
  const own = names.filter((name) => (isOwn(name) || (!isMixed && usualName.test(name))) && !isMounted(name));
  const paths = (some: readonly string[]): readonly string[] => some.map((name) => join(path, name));
  return { path, files: paths(own), foreign: paths(names.filter((name) => !own.includes(name))) };
};

/**
 * Returns the folders in which Curfew keeps its files, with what of them is its own. The folder
 * that `CURFEW_HOME` names may hold anything: beside a name that is not Curfew's, or without one
 * that is, what has a usual name (`logs`) may be the user's, and stays. So does what is mounted.
 */
export const ownFolders = (places: Pick<Places, 'state' | 'settings' | 'logs'>): readonly OwnFolder[] =>
  [...new Set([dirname(places.settings), places.state, places.logs])].flatMap((path): OwnFolder[] => {
    try {
      return lstatSync(path).isDirectory() ? [ownIn(path, path === places.logs)] : [];
    } catch {
      // It is not there, or not ours to read: nothing of it goes.
      return [];
    }
  });

/** Removes what is Curfew's own. Returns what could not be removed, in the system's words. */
export const removeOwn = (folders: readonly OwnFolder[]): readonly string[] => {
  const problems: string[] = [];
  for (const { path, files } of folders) {
    for (const file of files) {
      try {
        rmSync(file, { recursive: true, force: true });
      } catch (error) {
        problems.push(messageOf(error));
      }
    }
    try {
      // One that is not Curfew's stays, though it is empty.
      if (isCurfew(path)) rmdirSync(path);
    } catch {
      // It is not empty: what is in it is named to the user.
    }
  }
  return problems;
};
