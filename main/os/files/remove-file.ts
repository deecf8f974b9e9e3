import { messageOf, codeOf } from '../../../app/format/error-message.ts';
import type { Said } from '../../../app/format/said.ts';
import { say } from '../../../app/text/say.ts';
import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { holdFolder } from './held-folder.ts';
import { type SeenFile, seeFile } from './found-file.ts';

/** The result of deleting a file. */
export type Removal =
  | { readonly kind: 'deleted' }
  /** Another file is there, or none: left as it is. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly why: Said };

const asidePrefix = '.curfew-sweep-';

/** Returns whether a name is of a file that is being removed, or was when its removal was ended. */
export const isAside = (name: string): boolean => name.startsWith(asidePrefix);

const isSame = (one: SeenFile | null, other: SeenFile): boolean =>
  one !== null && one.stamp === other.stamp && one.names === other.names && one.type === other.type;

/** Moves a file back; false if its name was taken. A folder has no second name: it is renamed. */
const putBack = (aside: string, place: string, type: SeenFile['type']): boolean => {
  try {
    if (type === 'folder') renameSync(aside, place);
    else {
      linkSync(aside, place);
      unlinkSync(aside);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return false;
  }
};

/**
 * Deletes exactly that file. Its folder is held without following links; the file is moved aside to
 * an unused name, checked there, where it can't be swapped any more, and only then unlinked: a file
 * that replaced it at the last moment is moved back. Never throws for what the disk contains or
 * refuses.
 */
export const removeFile = (file: SeenFile, uid: number): Removal => {
  const held = holdFolder(dirname(file.path), uid);
  if (!held.ok) return { kind: 'failed', why: held.why };
  try {
    const place = held.folder.at(file.name);
    if (!isSame(seeFile(place, file.path, uid), file)) return { kind: 'changed' };
    const asideName = `${asidePrefix}${randomUUID()}`;
    const aside = held.folder.at(asideName);
    renameSync(place, aside);
    const taken = seeFile(aside, file.path, uid);
    if (taken === null) return { kind: 'changed' };
    if (isSame(taken, file)) {
      try {
        unlinkSync(aside);
      } catch (error) {
        putBack(aside, place, taken.type);
        throw error;
      }
      return { kind: 'deleted' };
    }
    return putBack(aside, place, taken.type)
      ? { kind: 'changed' }
      : {
          kind: 'failed',
          why: say('two others came into its place at once; one is kept as {path}', {
            path: join(dirname(file.path), asideName),
          }),
        };
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return codeOf(error) === 'ENOENT' ? { kind: 'changed' } : { kind: 'failed', why: messageOf(error) };
  } finally {
    held.folder.close();
  }
};

/**
 * Removes a folder and at most `levels - 1` above it, as far as each is empty. The kernel refuses
 * to remove one that is not, and follows no link for it (rmdir(2)).
 */
export const removeEmptied = (folder: string, levels: number, uid: number): void => {
  if (levels === 0) return;
  const held = holdFolder(dirname(folder), uid);
  if (!held.ok) return;
  try {
    rmdirSync(held.folder.at(basename(folder)));
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return;
  } finally {
    held.folder.close();
  }
  removeEmptied(dirname(folder), levels - 1, uid);
};
