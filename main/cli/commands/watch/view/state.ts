import { words, statementWords } from '../../../common/words.ts';
import type { Said } from '../../../../../app/format/said.ts';
import { say as sentence } from '../../../../../app/text/say.ts';
import { canKeep } from '../../../../../app/contract/claims/claims.ts';
import { agentRefusal, type Choice, type Row, sortOrders } from './rows.ts';

/** A question that only `y` answers. */
interface Question {
  /** End all of it, or end the grace of what is being ended. */
  readonly kind: 'end' | 'kill';
  readonly key: string;
  /** The processes that were named when it was asked. */
  readonly pids: readonly number[];
}

/** What the view shows beside the snapshot. Replaced, never changed in place. */
export interface ViewState {
  readonly choice: Choice;
  /** The selected row, and its place in the list for when that row has gone. */
  readonly selected: { readonly key: string | null; readonly at: number };
  readonly screen: 'list' | 'details' | 'help';
  /** Lines that are scrolled away above, of details and help. */
  readonly scroll: number;
  readonly typing: boolean;
  readonly question: Question | null;
  /** The answer to the last key; the next one takes it away. */
  readonly message: string | null;
}

export const firstState: ViewState = {
  choice: { sort: 'urgency', reversed: false, search: '', all: false },
  selected: { key: null, at: 0 },
  screen: 'list',
  scroll: 0,
  typing: false,
  question: null,
  message: null,
};

export type Key =
  | {
      readonly name: 'up' | 'down' | 'page-up' | 'page-down' | 'first' | 'last' | 'enter' | 'escape' | 'erase' | 'quit';
    }
  | { readonly name: 'character'; readonly character: string };

/** What a key asks of the supervisor. */
export type Effect =
  | { readonly kind: 'quit' }
  | { readonly kind: 'end'; readonly job: string; readonly host: string }
  | { readonly kind: 'kill'; readonly reaping: string }
  | { readonly kind: 'keep' | 'unkeep'; readonly job: string; readonly host: string };

/** What a key led to. */
export interface Pressed {
  readonly state: ViewState;
  readonly effect: Effect | null;
}

/** Returns the place of the selected row: where it is now, or where it was. -1 in an empty list. */
export const selectedAt = ({ selected }: ViewState, rows: readonly Row[]): number => {
  const found = rows.findIndex(({ key }) => key === selected.key);
  return found === -1 ? Math.min(selected.at, rows.length - 1) : found;
};

/** Returns the processes that ending a row signals. */
export const pidsOf = (row: Row): readonly number[] =>
  row.kind === 'job'
    ? row.job.members.map(({ pid }) => pid)
    : row.kind === 'agent'
      ? row.agent.tree.filter(({ own }) => own).map(({ pid }) => pid)
      : [];

const say = (state: ViewState, said: Said): Pressed => ({ state: { ...state, message: words(said) }, effect: null });

const select = (state: ViewState, rows: readonly Row[], at: number): ViewState => {
  const bounded = Math.max(0, Math.min(at, rows.length - 1));
  return { ...state, selected: { key: rows[bounded]?.key ?? null, at: bounded } };
};

const ask = (state: ViewState, row: Row): Pressed => {
  if (row.kind === 'ended') return say(state, sentence('It has ended.'));
  const { key, reaping } = row;
  if (reaping !== null && reaping.phase !== 'ended') {
    if (reaping.graceEndsAt === null) return say(state, sentence('It is being ended already.'));
    return { state: { ...state, question: { kind: 'kill', key, pids: [] } }, effect: null };
  }
  if (row.kind === 'agent' && !row.agent.canEnd)
    return say(state, row.agent.refusal === null ? sentence('It can’t be ended from here.') : agentRefusal(row.agent));
  const veto = row.kind === 'job' ? row.job.vetoes[0] : undefined;
  if (veto !== undefined)
    return say(
      state,
      sentence('It is protected: {why} (process {pid}).', { why: statementWords('veto', veto), pid: veto.pid }),
    );
  return { state: { ...state, question: { kind: 'end', key, pids: pidsOf(row) } }, effect: null };
};

const keep = (state: ViewState, row: Row): Pressed => {
  if (row.kind === 'agent')
    return say(state, sentence('An agent is not ended for its age, so there is nothing to keep.'));
  if (row.kind === 'ended') return say(state, sentence('It has ended.'));
  const { id: job, host } = row.job;
  if (row.job.keptUntil !== null && row.job.verdict.state === 'kept')
    return { state, effect: { kind: 'unkeep', job, host } };
  if (!canKeep(row.job)) return say(state, sentence('It is past the hard cap, which can’t be put off.'));
  return { state, effect: { kind: 'keep', job, host } };
};

/** An answer hits what was named: if its processes have changed, they are named anew. */
const answerQuestion = (state: ViewState, question: Question, key: Key, row: Row | undefined): Pressed => {
  const closed: ViewState = { ...state, question: null };
  if (row === undefined || row.kind === 'ended') return say(closed, sentence('It has ended.'));
  if (key.name === 'escape' || (key.name === 'character' && 'nNq'.includes(key.character)))
    return { state: closed, effect: null };
  if (key.name !== 'character' || key.character.toLowerCase() !== 'y') return { state, effect: null };
  if (question.kind === 'kill') {
    const { reaping } = row;
    if (reaping === null || reaping.phase === 'ended') return say(closed, sentence('It has ended.'));
    return { state: closed, effect: { kind: 'kill', reaping: reaping.id } };
  }
  const pids = pidsOf(row);
  if (pids.some((pid) => !question.pids.includes(pid)))
    return say(
      { ...state, question: { ...question, pids } },
      sentence('New processes have joined it. Press y again to end all of them.'),
    );
  const job = row.kind === 'job' ? row.job.id : row.agent.job;
  if (job === null) return say(closed, sentence('It can’t be ended from here.'));
  return { state: closed, effect: { kind: 'end', job, host: row.kind === 'job' ? row.job.host : 'local' } };
};

const typeSearch = (state: ViewState, key: Key): ViewState => {
  const { choice } = state;
  switch (key.name) {
    case 'enter':
      return { ...state, typing: false };
    case 'escape':
      return { ...state, typing: false, choice: { ...choice, search: '' } };
    case 'erase':
      return choice.search === ''
        ? { ...state, typing: false }
        : { ...state, choice: { ...choice, search: choice.search.replace(/.$/u, '') } };
    case 'character':
      return { ...state, choice: { ...choice, search: choice.search + key.character } };
    default:
      return state;
  }
};

/** How far a key moves; null for one that does not. */
const stepOf = (key: Key, page: number): number | null => {
  switch (key.name) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'page-up':
      return -page;
    case 'page-down':
      return page;
    case 'first':
      return -Infinity;
    case 'last':
      return Infinity;
    case 'character': {
      const steps: Readonly<Record<string, number>> = { j: 1, k: -1, g: -Infinity, G: Infinity, ' ': page };
      return steps[key.character] ?? null;
    }
    default:
      return null;
  }
};

const move = (state: ViewState, rows: readonly Row[], step: number): ViewState =>
  state.screen === 'list'
    ? select(state, rows, selectedAt(state, rows) + step)
    : { ...state, scroll: Math.max(0, Math.min(state.scroll + step, 10_000)) };

/** The row that a key acts on, which is then selected. Details never turn to another row. */
const currentRow = (state: ViewState, rows: readonly Row[]): Row | undefined =>
  state.screen === 'details' ? rows.find(({ key }) => key === state.selected.key) : rows[selectedAt(state, rows)];

const onRow = (state: ViewState, rows: readonly Row[], act: (state: ViewState, row: Row) => Pressed): Pressed => {
  const row = currentRow(state, rows);
  if (row === undefined)
    return say(state, sentence(state.screen === 'details' ? 'It has ended.' : 'Nothing is selected.'));
  return act({ ...state, selected: { key: row.key, at: rows.indexOf(row) } }, row);
};

const onCharacter = (state: ViewState, rows: readonly Row[], character: string): Pressed => {
  const { choice } = state;
  const inList = (changed: Partial<Choice>): Pressed => ({
    state: { ...state, screen: 'list', choice: { ...choice, ...changed } },
    effect: null,
  });
  switch (character) {
    case 'q':
      return { state, effect: { kind: 'quit' } };
    case '?':
      return { state: { ...state, screen: state.screen === 'help' ? 'list' : 'help', scroll: 0 }, effect: null };
    case '/':
      return { state: { ...state, screen: 'list', typing: true }, effect: null };
    case 's':
      return inList({ sort: sortOrders[(sortOrders.indexOf(choice.sort) + 1) % sortOrders.length] ?? 'urgency' });
    case 'S':
      return inList({ reversed: !choice.reversed });
    case 'a':
      return inList({ all: !choice.all });
    case 'e':
    // What it was before.
    case 'r':
      return onRow(state, rows, ask);
    case 'K':
      return onRow(state, rows, keep);
    default:
      return { state, effect: null };
  }
};

/**
 * Returns what a key leads to. `rows` are those shown, `page` is how many fit. What moves in the
 * list meanwhile moves no question and no selection: both hold on to their row by its key.
 */
export const press = (before: ViewState, key: Key, rows: readonly Row[], page: number): Pressed => {
  const state: ViewState = { ...before, message: null };
  if (key.name === 'quit') return { state, effect: { kind: 'quit' } };
  const { question } = state;
  if (question !== null)
    return answerQuestion(
      state,
      question,
      key,
      rows.find((row) => row.key === question.key),
    );
  if (state.typing) return { state: typeSearch(state, key), effect: null };
  const step = stepOf(key, Math.max(1, page));
  if (step !== null) return { state: move(state, rows, step), effect: null };
  if (key.name === 'enter') {
    const at = selectedAt(state, rows);
    if (state.screen !== 'list' || at < 0) return { state: { ...state, screen: 'list' }, effect: null };
    return { state: { ...select(state, rows, at), screen: 'details', scroll: 0 }, effect: null };
  }
  if (key.name === 'escape') {
    if (state.screen !== 'list') return { state: { ...state, screen: 'list' }, effect: null };
    return { state: { ...state, choice: { ...state.choice, search: '' } }, effect: null };
  }
  return key.name === 'character' ? onCharacter(state, rows, key.character) : { state, effect: null };
};
