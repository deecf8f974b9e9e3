import { codeOf } from '../../app/format/error-message.ts';
import { say, saidOf, SaidError } from '../../app/text/say.ts';
import type { Said } from '../../app/format/said.ts';
import { closeSync, fchmodSync, lstatSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { leadsToAnotherUser, renameOver } from '../store/files/whole-file.ts';

/** The textfile can't be written; the message says why, and what to do. */
export class TextfileFailure extends SaidError {
  override readonly name = 'TextfileFailure';
}

/** What the user can do about a failure of the file system. */
const adviceFor = (error: unknown, folder: string): Said => {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return say(
        'there is no folder {folder}; make it, and name it to node_exporter with --collector.textfile.directory',
        {
          folder,
        },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return say(
        'this user may not write into {folder}; let it, for example with `setfacl -m u:$USER:rwx`, or name another folder',
        { folder },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return say('there is no space left for {folder}; make some', { folder });
    default:
      return saidOf(error);
  }
};

const notWritten = (path: string, why: Said): TextfileFailure =>
  new TextfileFailure(say('{path} was not written: {why}', { path, why }));

/**
 * Anything but a regular file is left as it is: what is renamed over `/dev/null` replaces it for
 * the whole machine. Nor is the folder reached through a link of another user.
 */
const refuseOthers = (path: string): void => {
  const there = lstatSync(path, { throwIfNoEntry: false });
  const target = there?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : there;
  if (target?.isDirectory() === true)
    throw notWritten(path, say('it is a folder; name a file in it, for example curfew.prom'));
  if (target !== undefined && !target.isFile())
    throw notWritten(
      path,
      say(
        'it is a device, a pipe or a socket; without --textfile, or with --textfile -, the numbers go to standard output',
      ),
    );
  const folder = dirname(path);
  if (leadsToAnotherUser(folder))
    throw notWritten(
      path,
      say('{folder} is a link of another user, or to a folder of one; name the folder itself', { folder }),
    );
};

/**
 * Writes a file for node_exporter: beside it, under a name that node_exporter doesn't read, then
 * renamed, so that no part of it is ever seen. Readable for everyone (0644), whatever the umask,
 * because node_exporter runs as another user. Makes no folder; a link at the path is replaced,
 * unless it leads to something else than a file.
 * @throws TextfileFailure; then the file is as it was
 */
export const writeTextfile = (path: string, text: string): void => {
  const beside = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  let file: number | null = null;
  try {
    refuseOthers(path);
    file = openSync(beside, 'wx', 0o644);
    fchmodSync(file, 0o644);
    writeFileSync(file, text, { flush: true });
    renameOver(beside, path);
  } catch (error) {
    if (file !== null) rmSync(beside, { force: true });
    if (error instanceof TextfileFailure) throw error;
    throw notWritten(path, adviceFor(error, dirname(path)));
  } finally {
    if (file !== null) closeSync(file);
  }
};
