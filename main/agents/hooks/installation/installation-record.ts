import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../../store/files/json-file.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from '../form/folders.ts';
import { type InsertedPiece, withoutPieces } from '../form/json-insertion.ts';
import { ownHooks, removeOwnHooks } from '../form/json-removal.ts';
import { parseJsonText } from '../form/json-text.ts';

const recordSchema = z.object({
  version: z.literal(1),
  file: z.string(),
  /** False: Curfew made the file. */
  existed: z.boolean(),
  /** Of the text that was written, SHA-256. */
  written: z.string(),
  /** What was put in, in order, with what stood around it. */
  pieces: z.array(z.object({ offset: z.int(), text: z.string(), before: z.string(), after: z.string() })),
  /** Lists and objects that were made for it: `hooks.Stop`. */
  made: z.array(z.string()),
  folders: z.array(z.string()),
});

/** What an installation changed, so that it can be taken back exactly. */
export type InstallationRecord = z.infer<typeof recordSchema>;

const pathOf = (folders: HookFolders, name: string): string => join(folders.records, `${name}.json`);

/** The mark by which a text is recognised as unchanged. */
export const markOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * What was installed into an agent's file; null when nothing is known of it. Never throws.
 * @param name the agent, for its hooks; another name for what else is installed
 */
export const loadRecord = (folders: HookFolders, name: string, file: string): InstallationRecord | null => {
  const found = readJsonFile(pathOf(folders, name));
  const parsed = recordSchema.safeParse(found.kind === 'value' ? found.value : null);
  return parsed.success && parsed.data.file === file ? parsed.data : null;
};

/** Keeps what was installed. Throws the file system's error. */
export const saveRecord = (folders: HookFolders, name: string, record: InstallationRecord): void => {
  mkdirSync(folders.records, { recursive: true, mode: 0o700 });
  writeWholeFile(pathOf(folders, name), `${JSON.stringify(record)}\n`);
};

/** Whether Curfew made a file, and nothing is left in it. */
export const isEmptied = (record: InstallationRecord | null, text: string): boolean =>
  record?.existed === false && /^\s*(?:\{\s*\})?\s*$/u.test(text);

/** Forgets what was installed. */
export const dropRecord = (folders: HookFolders, name: string): void => rmSync(pathOf(folders, name), { force: true });

/** Remembered characters around a piece, to find it in a file that others changed. */
const around = 80;

/** Pieces with what stands around them in the text that they were put into. */
export const piecesIn = (text: string, pieces: readonly InsertedPiece[]): InstallationRecord['pieces'] =>
  pieces.map(({ offset, text: piece }) => ({
    offset,
    text: piece,
    before: text.slice(Math.max(0, offset - around), offset),
    after: text.slice(offset + piece.length, offset + piece.length + around),
  }));

const onlyPlace = (text: string, wanted: string): number | null => {
  const first = text.indexOf(wanted);
  return first !== -1 && text.indexOf(wanted, first + 1) === -1 ? first : null;
};

/** Where a piece is, by the surroundings still there, which a piece that is but a comma needs. */
const placeOf = (text: string, { before, text: piece, after }: InstallationRecord['pieces'][number]): number | null => {
  const whole = onlyPlace(text, before + piece + after);
  if (whole !== null) return whole + before.length;
  if (piece.length < around) return null;
  const behind = onlyPlace(text, before + piece);
  if (behind !== null) return behind + before.length;
  return onlyPlace(text, piece + after) ?? onlyPlace(text, piece);
};

const withoutFound = (text: string, record: InstallationRecord): string | null => {
  const found: InsertedPiece[] = [];
  for (const piece of record.pieces) {
    const offset = placeOf(text, piece);
    if (offset === null) return null;
    found.push({ offset, text: piece.text });
  }
  const sorted = found.toSorted((left, right) => left.offset - right.offset);
  const overlap = sorted.some(({ offset }, index) => {
    const previous = sorted[index - 1];
    return previous !== undefined && previous.offset + previous.text.length > offset;
  });
  return overlap ? null : withoutPieces(text, sorted);
};

const isClean = (text: string): boolean => {
  const parsed = parseJsonText(text);
  return parsed.ok && (parsed.root === null || ownHooks(parsed.root).length === 0);
};

/**
 * The text without the pieces on record: unchanged since, exactly the text before; changed by
 * others, their changes on it. Null where they are not all found again.
 */
export const withoutRecorded = (text: string, record: InstallationRecord): string | null =>
  markOf(text) === record.written ? withoutPieces(text, record.pieces) : withoutFound(text, record);

/**
 * The text without what Curfew put in. Unchanged since: exactly the text before. Changed by others
 * since: exactly their changes on the text before, if what was put in still stands there as it was;
 * else every hook of ours is taken out by what it is.
 * @returns null when the text can't be parsed
 */
export const withoutOurs = (text: string, record: InstallationRecord | null): string | null => {
  if (record !== null) {
    const exact = withoutRecorded(text, record);
    if (exact !== null && isClean(exact)) return exact;
  }
  return removeOwnHooks(text, (path) => record === null || record.made.includes(path));
};
