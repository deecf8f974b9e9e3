import { safeName } from '../format/secrets/safe-view.ts';
import { hidden } from '../format/secrets/secret-shapes.ts';
import type { Outcome } from './incident.ts';

/** Selects incidents. Missing or null fields exclude nothing; all given ones must hold. */
export interface HistoryFilter {
  /** Epoch milliseconds: incidents that began at this time or later. */
  readonly sinceMs?: number | null;
  /** Epoch milliseconds: incidents that began before. */
  readonly untilMs?: number | null;
  readonly agent?: string | null;
  readonly project?: string | null;
  /** `unfinished`: no outcome is recorded. */
  readonly outcome?: Outcome | 'unfinished' | null;
  readonly host?: string | null;
  /** Words that must all occur in the command or the project, in any order and case. */
  readonly text?: string | null;
}

/** Searching only the head of heredoc scripts keeps a scan of 100,000 incidents within 20 ms. */
const searchedCommandLength = 400;
const searchedProjectLength = 200;

/** SQLite refuses patterns over 50,000 bytes (sqlite.org/limits.html); typed words are shorter. */
const maxWordLength = 200;
const maxWords = 8;

/** Folds case, and replaces characters that would end or split a text in a database. */
const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .toLowerCase()
    // eslint-disable-next-line no-control-regex -- the control characters are what is replaced
    .replaceAll(/[\u0000-\u001F\u007F]+/gu, ' ');

/** Returns the text of an incident that word search covers. */
export const searchText = (intent: { readonly command: string; readonly project: string | null }): string =>
  fold(`${intent.command.slice(0, searchedCommandLength)}\n${(intent.project ?? '').slice(0, searchedProjectLength)}`);

/** Returns the words of a search in the form of `searchText`. */
export const searchWords = (text: string): readonly string[] =>
  fold(text)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength).toWellFormed());

const withoutTrailingSlash = (path: string): string =>
  path.length > 1 ? path.replace(/(?<!\/)\/+$/u, '') || '/' : path;

/**
 * True if a project is the requested one: the folder itself, one below it, or one with these last
 * path segments (`shop` for `/home/me/shop`).
 */
export const projectMatches = (project: string | null, asked: string): boolean => {
  if (project === null) return false;
  const folder = withoutTrailingSlash(asked.toWellFormed());
  // Shown without its secret, and in a record of before as it was.
  const path = folder.includes(hidden) ? safeName(project) : project.toWellFormed();
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`) || path.endsWith(`/${folder}`);
};
