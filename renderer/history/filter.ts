import type { QuestionInput } from '../../app/contract/contract.ts';
import type { IncidentFilter } from '../../app/contract/history-questions.ts';
import { outcomes } from '../../app/history/incident.ts';

/** Filter in the form of the contract. */
export type FilterInput = QuestionInput<'history.overview'>['filter'];

/** Selectable periods, milliseconds; null: all. */
export const spans = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  all: null,
} as const;

/** Name of such a period. */
export type Span = keyof typeof spans;

/** The user's choice. */
export interface Chosen {
  readonly span: Span;
  readonly agent: string | null;
  readonly project: string | null;
  readonly outcome: IncidentFilter['outcome'];
  readonly host: string | null;
  readonly text: string;
}

/** No filter: everything. */
export const everything: Chosen = { span: 'all', agent: null, project: null, outcome: null, host: null, text: '' };

/** What the address says of the filter; what makes no sense in it filters nothing. */
export const chosenIn = (asked: URLSearchParams): Chosen => ({
  span: (Object.keys(spans) as Span[]).find((span) => span === asked.get('span')) ?? 'all',
  agent: asked.get('agent'),
  project: asked.get('project'),
  outcome: outcomes.find((outcome) => outcome === asked.get('outcome')) ?? null,
  host: asked.get('host'),
  text: asked.get('text') ?? '',
});

/** The same for the address, without what filters nothing. */
export const askedFor = ({ span, ...others }: Chosen): URLSearchParams => {
  const named = Object.entries({ ...others, span: span === 'all' ? null : span });
  return new URLSearchParams(named.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value]])));
};

/** True if something is filtered out. */
export const isNarrowed = (chosen: Chosen): boolean =>
  chosen.span !== 'all' ||
  chosen.text.trim() !== '' ||
  [chosen.agent, chosen.project, chosen.outcome, chosen.host].some((value) => value !== null);

/**
 * Returns the filter of a request. It ends at `untilMs`, the moment when the list was opened, so
 * that rows keep their places while new incidents arrive.
 */
export const filterOf = (chosen: Chosen, untilMs: number): FilterInput => {
  const { span, agent, project, outcome, host, text } = chosen;
  const length = spans[span];
  return {
    since: length === null ? null : new Date(untilMs - length).toISOString(),
    until: new Date(untilMs).toISOString(),
    agent,
    project,
    outcome,
    host,
    text: text.trim().slice(0, 500),
  };
};
