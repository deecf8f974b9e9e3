import type { Incident, Intent, Outcome } from './incident.ts';

/** Which incidents are asked for. What is left out, or null, excludes nothing; what is given must all hold. */
export interface HistoryFilter {
  /** Wall clock, milliseconds: incidents that began then or later. */
  readonly sinceMs?: number | null;
  /** Wall clock, milliseconds: incidents that began before. */
  readonly untilMs?: number | null;
  readonly agent?: string | null;
  /** See `projectMatches`. */
  readonly project?: string | null;
  /** `unfinished`: no ending is recorded. */
  readonly outcome?: Outcome | 'unfinished' | null;
  readonly host?: string | null;
  /** Words that must all occur in the command or the project, in any order, upper or lower case. */
  readonly text?: string | null;
}

/** Agents pass whole scripts as heredocs; the scan of 100,000 incidents stays within its 20 ms because each is searched in its head only. */
const searchedCommandLength = 400;
const searchedProjectLength = 200;

/** SQLite refuses patterns of more than 50,000 bytes (https://www.sqlite.org/limits.html); nobody types more than this. */
const maxWordLength = 200;
const maxWords = 8;

/** Folds case, and whatever would end or split a text on its way through a database. */
const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .toLowerCase()
    // eslint-disable-next-line no-control-regex -- the control characters are what is replaced
    .replaceAll(/[\u0000-\u001F\u007F]+/gu, ' ');

/** The text of an incident in which words are searched. */
export const searchText = (intent: Pick<Intent, 'command' | 'project'>): string =>
  fold(`${intent.command.slice(0, searchedCommandLength)}\n${(intent.project ?? '').slice(0, searchedProjectLength)}`);

/** The words of a search as they are compared with `searchText`. */
export const searchWords = (text: string): readonly string[] =>
  fold(text)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength).toWellFormed());

const withoutTrailingSlash = (path: string): string =>
  path.length > 1 ? path.replace(/(?<!\/)\/+$/u, '') || '/' : path;

/**
 * Whether a project is the one that was asked for: the folder itself, one below it, or one that people call so by its last
 * path segments (`shop` for `/home/me/shop`).
 */
export const projectMatches = (project: string | null, asked: string): boolean => {
  if (project === null) return false;
  const folder = withoutTrailingSlash(asked.toWellFormed());
  const path = project.toWellFormed();
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`) || path.endsWith(`/${folder}`);
};

const wanted = (value: string, asked: string | null | undefined): boolean =>
  asked === undefined || asked === null || value === asked;

/**
 * Whether an incident is among those asked for. The history's database answers the same question with its own means
 * (`main/store`), and a property test holds the two together.
 */
export const matchesFilter = (incident: Incident, filter: HistoryFilter): boolean => {
  if (incident.atMs < (filter.sinceMs ?? Number.NEGATIVE_INFINITY)) return false;
  if (incident.atMs >= (filter.untilMs ?? Number.POSITIVE_INFINITY)) return false;
  if (!wanted(incident.agent, filter.agent) || !wanted(incident.host, filter.host)) return false;
  if (!wanted(incident.outcome ?? 'unfinished', filter.outcome)) return false;
  const { project, text } = filter;
  if (project !== undefined && project !== null && !projectMatches(incident.project, project)) return false;
  if (text === undefined || text === null) return true;
  const searched = searchText(incident);
  return searchWords(text).every((word) => searched.includes(word));
};
