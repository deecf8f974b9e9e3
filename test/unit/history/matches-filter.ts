import { type HistoryFilter, projectMatches, searchText, searchWords } from '../../../app/history/filter.ts';
import type { Incident } from '../../../app/history/incident.ts';

const wanted = (value: string, asked: string | null | undefined): boolean =>
  asked === undefined || asked === null || value === asked;

/** True if an incident matches, in plain words: what the history's SQL must answer. */
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
