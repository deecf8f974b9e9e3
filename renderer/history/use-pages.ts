import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../app/contract/answer.ts';
import type { IncidentSummary } from '../../app/contract/views/incident-view.ts';
import { useBridge } from '../state/bridge-context.ts';
import type { FilterInput } from './filter.ts';

/** Rows per request. */
const pageSize = 100;

/** Maximum of cached pages; far more than a window shows, far less than a history. */
const maxPages = 30;

/** A list of which only visible parts are fetched. */
export interface Pages {
  /** null until the first answer. */
  readonly total: number | null;
  readonly failure: Failure | null;
  /** null: still loading. */
  readonly row: (index: number) => IncidentSummary | null;
  /** Requests these rows if they are missing. */
  readonly want: (from: number, to: number) => void;
  readonly again: () => void;
}

/** Provides incidents by position. Another filter starts over; older answers are dropped. */
export const usePages = (filter: FilterInput): Pages => {
  const bridge = useBridge();
  const key = JSON.stringify(filter);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ readonly total: number | null; readonly failure: Failure | null }>({
    total: null,
    failure: null,
  });
  const [, redraw] = useState(0);
  const pages = useRef(new Map<number, readonly IncidentSummary[] | null>());
  const current = useRef('');
  /** Shown until the first answer to a changed question, so that a refresh does not flicker. */
  const older = useRef(new Map<number, readonly IncidentSummary[] | null>());

  const fetchPage = useCallback(
    async (page: number, asked: string): Promise<void> => {
      if (pages.current.has(page)) return;
      pages.current.set(page, null);
      const input = { filter: JSON.parse(key) as FilterInput, offset: page * pageSize, limit: pageSize };
      const answer = await bridge.ask('history.page', input);
      if (current.current !== asked) return;
      if (answer.ok) {
        older.current = new Map();
        pages.current.set(page, answer.value.incidents);
        // The oldest entry of a map comes first.
        for (const old of pages.current.keys()) {
          if (pages.current.size <= maxPages) break;
          pages.current.delete(old);
        }
        setState({ total: answer.value.total, failure: null });
      } else {
        pages.current.delete(page);
        setState((before) => ({ ...before, failure: answer.failure }));
      }
      redraw((count) => count + 1);
    },
    [bridge, key],
  );

  useEffect(() => {
    const asked = `${round} ${key}`;
    current.current = asked;
    // Where the filter changed again before an answer, those before that stay.
    if ([...pages.current.values()].some((page) => page !== null)) older.current = pages.current;
    pages.current = new Map();
    void fetchPage(0, asked);
  }, [fetchPage, key, round]);

  return {
    ...state,
    row: (index) => {
      const page = Math.floor(index / pageSize);
      return (pages.current.get(page) ?? older.current.get(page))?.[index % pageSize] ?? null;
    },
    want: (from, to) => {
      for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page += 1)
        void fetchPage(page, current.current);
    },
    again: () => setRound((before) => before + 1),
  };
};
