import { readdirSync, readlinkSync } from 'node:fs';
import { type ProcessRow, hasEnded } from '../../../../app/process/row.ts';
import { ProcReader, refusalOf, type Refusal } from '../proc/proc-reader.ts';
import { strangersMaps } from '../proc/owner.ts';

/** Upper bound of one list of mappings in bytes: more than 100,000 of them. */
const mapsBytes = 16_777_216;

/**
 * Agents of keys and passwords, and the helper of systemd's logins, forbid even their own user to
 * look into them (prctl(2), PR_SET_DUMPABLE). They open none of the files in question.
 */
export const opaque: ReadonlySet<string> = new Set([
  'ssh-agent',
  'gpg-agent',
  'scdaemon',
  '(sd-pam)',
  'gnome-keyring-d',
  'kwalletd5',
  'kwalletd6',
  'fusermount3',
]);

const addParts = (parts: Set<string>, path: string): void => {
  if (!path.startsWith('/')) return;
  for (const part of path.split('/')) if (part !== '') parts.add(part.replace(/ \(deleted\)$/u, ''));
};

const linked = (parts: Set<string>, path: string): Refusal | null => {
  try {
    addParts(parts, readlinkSync(path));
    return null;
  } catch (error) {
    return refusalOf(error, path);
  }
};

const addOpen = (parts: Set<string>, pid: number): Refusal | null => {
  const folder = `/proc/${pid}/fd`;
  let numbers: readonly string[];
  try {
    numbers = readdirSync(folder);
  } catch (error) {
    return refusalOf(error, folder);
  }
  // A descriptor that was closed meanwhile is no refusal.
  for (const number of numbers) if (linked(parts, `${folder}/${number}`) === 'denied') return 'denied';
  return linked(parts, `/proc/${pid}/cwd`);
};

/** Adds the files of /proc/PID/maps: address, permissions, offset, device, inode, path. */
const addMapped = (parts: Set<string>, reader: ProcReader, pid: number): Refusal | null => {
  const text = strangersMaps(pid) ?? reader.readText(`/proc/${pid}/maps`, mapsBytes);
  if (text === null) return reader.refusal;
  for (const [, path = ''] of text.matchAll(/^\S+ \S+ \S+ \S+ \d+ +(\/.*)$/gmu)) addParts(parts, path);
  return text.length >= mapsBytes ? 'denied' : null;
};

/**
 * Returns every part of every path that one of these processes has open, mapped or as its working
 * folder, as that process sees the path, and every word of its command line. Null if a process of
 * the user can't be looked into; processes of others that can't are left out. Opens none of the
 * files.
 * @throws ProcessTableUnreadable
 */
export const partsInUse = (rows: Iterable<ProcessRow>, uid: number): ReadonlySet<string> | null => {
  const reader = new ProcReader();
  const parts = new Set<string>();
  for (const row of rows) {
    if (row.kernelThread || hasEnded(row) || row.pid === process.pid) continue;
    for (const argument of row.argv) for (const word of argument.split(/[^\w.-]+/u)) parts.add(word);
    const refusal = addOpen(parts, row.pid) ?? addMapped(parts, reader, row.pid);
    if (refusal === 'denied' && row.uid === uid && !opaque.has(row.comm)) return null;
  }
  return parts;
};
