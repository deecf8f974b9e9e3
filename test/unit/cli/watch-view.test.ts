import { describe, expect, test } from 'vitest';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { keysOfText, mayComeTogether } from '../../../main/cli/commands/watch/view/keys.ts';
import { rowsOf } from '../../../main/cli/commands/watch/view/rows.ts';
import {
  firstState,
  type Key,
  press,
  selectedAt,
  type ViewState,
} from '../../../main/cli/commands/watch/view/state.ts';
import { stateWords, totalsWords } from '../../../main/cli/commands/watch/view/words.ts';
import { snapshotJob } from '../../../main/interface/snapshot/job-views.ts';
import { snapshot as calm } from '../contract/sample-snapshot.ts';
import { job as sample, lookMs, table } from '../contract/samples.ts';
import { safe } from '../safe-text.ts';

type State = SnapshotJob['verdict']['state'];

const base = snapshotJob(
  { job: sample, verdict: { state: 'orphaned', action: 'none', atMs: null, reasons: [] }, vetoes: [] },
  table,
);

const spared: ReadonlySet<State> = new Set(['within', 'kept', 'protected']);

const job = (id: string, state: State, endsInSeconds: number | null = null, more: Partial<SnapshotJob> = {}) => ({
  ...base,
  vetoes: [],
  keptUntil: null,
  id,
  command: safe(`run ${id}`),
  owner: state === 'within' ? ('live' as const) : ('gone' as const),
  verdict: {
    state,
    action: 'none' as const,
    at: endsInSeconds === null ? null : moment(lookMs + endsInSeconds * 1000),
    endsAt: endsInSeconds === null || spared.has(state) ? null : moment(lookMs + endsInSeconds * 1000),
    reasons: [],
  },
  ...more,
});

const of = (jobs: readonly SnapshotJob[], more: Partial<Snapshot> = {}): Snapshot => ({
  ...calm,
  mode: 'enforce',
  modeChosen: true,
  ...more,
  jobs: [...jobs],
});

const { choice } = firstState;
const keysOf = (snapshot: Snapshot, chosen = choice): readonly string[] =>
  rowsOf(snapshot, chosen).rows.map(({ key }) => key);

const character = (one: string): Key => ({ name: 'character', character: one });

const reaping = (phase: ReapingView['phase'], graceEndsAt: string | null): ReapingView => ({
  id: 'incident',
  job: 'aa',
  host: 'local',
  command: safe('run aa'),
  agent: 'claude-code',
  project: null,
  phase,
  startedAt: moment(lookMs),
  signal: 'TERM',
  graceEndsAt,
  processes: 2,
  left: 2,
  endedAt: null,
  outcome: null,
  freed: null,
  problem: null,
});

describe('the rows of the view', () => {
  const jobs = [
    job('a1', 'within', 60),
    job('a2', 'kept'),
    job('a3', 'orphaned', 500),
    job('a4', 'overdue', 900, { owner: 'live' }),
    job('a5', 'orphaned', 20),
    job('a6', 'past-cap', 5),
    job('a7', 'protected'),
  ];

  test('are the most urgent first, and what ends sooner before what ends later', () => {
    expect(keysOf(of(jobs))).toEqual(['a6', 'a5', 'a3', 'a4', 'a1', 'a2'].map((id) => `local/${id}`));
  });

  test('leave out what is protected until all is asked for, and say how many', () => {
    expect(rowsOf(of(jobs), choice).hidden).toBe(1);
    expect(keysOf(of(jobs), { ...choice, all: true })).toContain('local/a7');
  });

  test('are found by words of their command', () => {
    expect(keysOf(of(jobs), { ...choice, search: 'RUN a5' })).toEqual(['local/a5']);
  });

  test('keep what was ended, and put what is being ended first', () => {
    expect(keysOf(of(jobs, { reapings: [reaping('asked', null)] })).at(-1)).toBe('local/aa');
    expect(keysOf(of([...jobs, job('aa', 'within')], { reapings: [reaping('asked', null)] }))[0]).toBe('local/aa');
  });

  test('promise an end only where one comes', () => {
    const words = (snapshot: Snapshot, promises: boolean): string => {
      const [row] = rowsOf(snapshot, choice).rows;
      return row === undefined ? '' : stateWords(row, promises, lookMs, true).text;
    };
    const left = of([job('a3', 'orphaned', 540)]);
    expect(words(left, true)).toBe('left over, ends in 9 min');
    expect(words(left, false)).toBe('left over');
    expect(words(of([job('a1', 'within', 60)]), true)).toBe('running');
    expect(words(of([job('a2', 'kept', 60)]), true)).toBe('kept');
  });

  test('the totals count leftovers apart from what is running, kept or protected', () => {
    expect(totalsWords(of(jobs)).text).toMatch(/^3 leftovers, .* · 1 overdue · 1 running · 1 kept · 1 protected$/u);
    expect(totalsWords(of([job('a2', 'kept')])).text).toBe('no leftovers · 1 kept');
  });
});

describe('the keys of the view', () => {
  const two = of([job('a1', 'orphaned', 60), job('a2', 'orphaned', 90)]);
  const rows = (snapshot: Snapshot) => rowsOf(snapshot, choice).rows;
  const pressed = (state: ViewState, snapshot: Snapshot, ...keys: readonly Key[]) => {
    let last = { state, effect: null } as ReturnType<typeof press>;
    for (const key of keys) last = press(last.state, key, rows(snapshot), 10);
    return last;
  };

  test('the selection stays with its job when the list moves', () => {
    const { state } = pressed(firstState, two, character('j'));
    expect(state.selected.key).toBe('local/a2');
    const moved = of([job('a1', 'orphaned', 60), job('a3', 'past-cap', 1), job('a2', 'orphaned', 90)]);
    expect(rows(moved)[selectedAt(state, rows(moved))]?.key).toBe('local/a2');
    expect(selectedAt(state, rows(of([job('a1', 'orphaned', 60)])))).toBe(0);
    expect(selectedAt(state, [])).toBe(-1);
  });

  test('only y ends a job, and only the one that was asked about', () => {
    const asked = pressed(firstState, two, character('r'));
    expect(asked.state.question).toMatchObject({ kind: 'end', key: 'local/a1' });
    for (const key of [character('j'), character('r'), character(' '), { name: 'enter' } as const]) {
      const after = pressed(asked.state, two, key);
      expect(after.effect).toBeNull();
      expect(after.state.question).toEqual(asked.state.question);
    }
    const moved = of([job('a9', 'past-cap', 1), ...two.jobs]);
    expect(pressed(asked.state, moved, character('y')).effect).toEqual({ kind: 'end', job: 'a1', host: 'local' });
    const gone = pressed(asked.state, of([job('a2', 'orphaned', 90)]), character('y'));
    expect(gone.effect).toBeNull();
    expect(gone.state).toMatchObject({ question: null, message: 'It has ended.' });
  });

  test('a process that joined meanwhile is named before anything is signalled', () => {
    const asked = pressed(firstState, two, character('r')).state;
    const [first] = two.jobs;
    const [member] = first?.members ?? [];
    if (first === undefined || member === undefined) throw new Error('the sample has members');
    const grown = of([{ ...first, members: [...first.members, { ...member, pid: 99_999 }] }]);
    const again = pressed(asked, grown, character('y'));
    expect(again.effect).toBeNull();
    expect(again.state.question?.pids).toContain(99_999);
    expect(pressed(again.state, grown, character('y')).effect).toMatchObject({ kind: 'end', job: 'a1' });
  });

  test('a protected job is not asked about; one in its grace can be killed at once; a run past the hard cap is not kept', () => {
    const veto = { code: 'agent', text: safe('it is an agent'), figures: {}, pid: 7 };
    const guarded = of([job('a1', 'within', null, { vetoes: [veto] })]);
    expect(pressed(firstState, guarded, character('r')).state).toMatchObject({
      question: null,
      message: 'It is protected: it is an agent (process 7).',
    });
    const ending = of([job('aa', 'orphaned')], { reapings: [reaping('asked', moment(lookMs + 9000))] });
    const kill = pressed(firstState, ending, character('r'), character('y'));
    expect(kill.effect).toEqual({ kind: 'kill', reaping: 'incident' });
    const run = { id: 'r1', background: true, maxElapsedSeconds: null, hardCapSeconds: 3600 };
    expect(pressed(firstState, of([job('a6', 'past-cap', null, { run })]), character('K')).effect).toBeNull();
    expect(pressed(firstState, two, character('K')).effect).toEqual({ kind: 'keep', job: 'a1', host: 'local' });
  });

  test('details never turn to another job', () => {
    const { state } = pressed(firstState, two, { name: 'enter' });
    const rest = of([job('a2', 'orphaned', 90)]);
    expect(pressed(state, rest, character('r')).state).toMatchObject({ question: null, message: 'It has ended.' });
  });

  test('of what comes in one piece nothing is taken that ends, keeps or quits', () => {
    const taken = (text: string, typing: boolean): number =>
      keysOfText(text).filter((key) => mayComeTogether(key, typing)).length;
    expect(taken('r\ny', false)).toBe(0);
    expect(taken('jjk', false)).toBe(3);
    expect(taken('ry', true)).toBe(2);
  });

  test('Ctrl-C quits from anywhere', () => {
    const asked = pressed(firstState, two, character('r')).state;
    expect(pressed(asked, two, { name: 'quit' }).effect).toEqual({ kind: 'quit' });
    expect(pressed({ ...firstState, typing: true }, two, { name: 'quit' }).effect).toEqual({ kind: 'quit' });
  });
});
