import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HookEvent } from '../../../../app/jobs/sessions/hook-event.ts';
import { lockFile } from '../../../store/database/file-lock.ts';
import { isAbsence, SmallFiles } from '../../../os/files/small-file.ts';
import { type EventFile, parseEventFile } from './event-file.ts';
import type { HookFolders } from '../form/folders.ts';

/** Events that are taken at once; the rest waits for the next time. */
const maxAtOnce = 4096;
/** What a writer that was killed in the middle left, milliseconds. */
const abandonedAfterMs = 3600_000;
/** A probe is for the process that wrote it, milliseconds. */
const probeLivesMs = 60_000;

/** A probe with such a mark is for the supervisor, which answers by taking it out. */
export const supervisorProbe = 'supervisor-';
const isForSupervisor = (mark: string): boolean => mark.startsWith(supervisorProbe);

interface Letter {
  readonly path: string;
  readonly name: string;
  readonly atMs: number;
  readonly content: EventFile;
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
};

const changedMs = (path: string): number | null => {
  try {
    return lstatSync(path).mtimeMs;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
};

const letters = (folder: string, uid: number): readonly Letter[] => {
  const found: Letter[] = [];
  for (const name of namesIn(folder)
    .filter((one) => /^\d+-\d+\.event$/u.test(one))
    .slice(0, maxAtOnce)) {
    const path = join(folder, name);
    const atMs = changedMs(path);
    if (atMs === null) continue;
    // What can't be read (a link, another user's) is nothing, and cleared away like everything
    // else.
    const files = new SmallFiles<string>(uid, (text) => text);
    const file = files.read(path, Date.now());
    if (file.state === 'absent') continue;
    const content: EventFile = file.state === 'read' ? parseEventFile(file.value, atMs) : { kind: 'nothing' };
    found.push({ path, name, atMs, content });
  }
  return found.toSorted((left, right) => left.atMs - right.atMs || left.name.localeCompare(right.name));
};

const eventsOf = (all: readonly Letter[]): readonly HookEvent[] =>
  all.flatMap(({ content }) => (content.kind === 'event' ? [content.event] : []));

const clearAbandoned = (folder: string): void => {
  for (const name of namesIn(folder)) {
    if (!name.startsWith('.')) continue;
    const atMs = changedMs(join(folder, name));
    if (atMs !== null && Date.now() - atMs > abandonedAfterMs)
      rmSync(join(folder, name), { force: true, recursive: true });
  }
};

/** The waiting events, oldest first, left in place. Throws when the folder can't be listed. */
export const peekInbox = (folders: HookFolders, uid: number): readonly HookEvent[] =>
  eventsOf(letters(folders.inbox, uid));

/** Whether a begin or end of a session waits, too urgent for the next look. Throws fs errors. */
export const hasNews = (folders: HookFolders, uid: number): boolean =>
  letters(folders.inbox, uid).some(
    ({ content }) =>
      (content.kind === 'event' && (content.event.kind === 'session-start' || content.event.kind === 'session-end')) ||
      (content.kind === 'probe' && isForSupervisor(content.mark)),
  );

/** Whether a probe with this mark waits. Throws the file system's error. */
export const hasProbe = (folders: HookFolders, uid: number, mark: string): boolean =>
  letters(folders.inbox, uid).some(({ content }) => content.kind === 'probe' && content.mark === mark);

/** Whether a probe with this mark has arrived; takes it out. Throws the file system's error. */
export const takeProbe = (folders: HookFolders, uid: number, mark: string): boolean => {
  const found = letters(folders.inbox, uid).find(({ content }) => content.kind === 'probe' && content.mark === mark);
  if (found !== undefined) rmSync(found.path, { force: true });
  return found !== undefined;
};

/**
 * Takes all events that wait, oldest first: `take` gets them, and only when it has returned they
 * are deleted, so that a crash in between loses none; it may then get them again. One process takes
 * at a time; where another is at it, nothing happens. What is no event is deleted. Costs one
 * listing of a folder when nothing waits.
 * @returns how many were taken
 * @throws what `take` throws, and the file system's error; then nothing was deleted
 */
export const drainInbox = (folders: HookFolders, uid: number, take: (events: readonly HookEvent[]) => void): number => {
  if (namesIn(folders.inbox).length === 0) return 0;
  const lock = lockFile(folders.inboxLock, 'exclusive', 0);
  if (lock === null) return 0;
  try {
    const all = letters(folders.inbox, uid);
    const events = eventsOf(all);
    if (events.length > 0) take(events);
    for (const { path, content, atMs } of all)
      if (content.kind !== 'probe' || isForSupervisor(content.mark) || Math.abs(Date.now() - atMs) > probeLivesMs)
        rmSync(path, { force: true, recursive: true });
    clearAbandoned(folders.inbox);
    return events.length;
  } finally {
    lock.release();
  }
};
