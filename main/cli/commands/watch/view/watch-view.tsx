import { Box, Text, useInput, usePaste, useWindowSize } from 'ink';
import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { endsByItself } from '../../../../../app/contract/views/ends-by-itself.ts';
import type { Snapshot } from '../../../../../app/contract/views/snapshot.ts';
import { fit, wrap } from '../../../common/columns.ts';
import { detailLines, type Line } from './details.ts';
import { helpLines } from './help.ts';
import { keysOf, keysOfText, mayComeTogether } from './keys.ts';
import { List } from './list.tsx';
import { styleOf } from './paint.ts';
import { QuestionBox, questionHeight, type QuestionProps } from './question.tsx';
import { endMsOf, type Row, rowsOf } from './rows.ts';
import { type Effect, firstState, type Key, press, selectedAt, type ViewState } from './state.ts';
import { modeWords, problemWords, type Toned, totalsWords, whyWords } from './words.ts';

export interface ViewPorts {
  readonly snapshot: () => Snapshot;
  /** Calls back after every change; the returned function ends that. */
  readonly subscribe: (changed: () => void) => () => void;
  /** The latest things that happened, the newest last. */
  readonly happened: () => readonly Toned[];
  /** Null until the view is to say that it finishes what was begun. */
  readonly finishing: () => string | null;
  /** Carries out what a key asks for, and says what came of it. */
  readonly act: (effect: Effect) => Promise<string | null>;
  readonly colour: boolean;
}

/** How often countdowns are drawn anew while one is short, and else; milliseconds. */
const tickMs = { soon: 1000, calm: 5000 } as const;
/** A countdown below this is shown in seconds. */
const soonMs = 125_000;

const isCounting = (row: Row, snapshot: Snapshot, nowMs: number): boolean => {
  if (row.reaping !== null && row.reaping.phase !== 'ended') return true;
  const endMs = endMsOf(row, endsByItself(snapshot));
  return endMs !== null && endMs - nowMs < soonMs;
};

const useNow = (counting: boolean): number => {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), counting ? tickMs.soon : tickMs.calm);
    return () => clearInterval(timer);
  }, [counting]);
  return nowMs;
};

const Lines = ({
  lines,
  scroll,
  height,
  colour,
}: {
  readonly lines: readonly Line[];
  readonly scroll: number;
  readonly height: number;
  readonly colour: boolean;
}): ReactElement => {
  const first = Math.max(0, Math.min(scroll, lines.length - height));
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      {lines.slice(first, first + height).map(({ text, tone, heading }, at) => (
        <Text key={first + at} bold={heading} wrap="truncate" {...styleOf(tone, colour)}>
          {text === '' ? ' ' : text}
        </Text>
      ))}
    </Box>
  );
};

const maxWhy = 2;
/** Lines of the list that are kept above a question. */
const minListed = 5;

/** Text over at most so many lines; what does not fit is cut. */
const linesOf = (text: string, width: number, max: number): readonly string[] => {
  const lines = wrap(text, width);
  return lines.length <= max ? lines : [...lines.slice(0, max - 1), fit(lines.slice(max - 1).join(' '), width)];
};

const emptyWords = (state: ViewState, hidden: number, looked: boolean): string => {
  if (!looked) return 'Looking for the first time…';
  if (state.choice.search !== '') return `Nothing matches “${state.choice.search}”. Esc shows all.`;
  return hidden === 0
    ? 'No agent has left a command running.'
    : `Nothing to look at; ${hidden} not shown (a shows them).`;
};

const footWords = (state: ViewState, hidden: number, width: number): string => {
  if (state.typing) return `/${state.choice.search}_   Enter keeps the search, Esc ends it`;
  if (state.message !== null) return state.message;
  const { sort, reversed, search } = state.choice;
  if (state.screen !== 'list') return 'j k scroll   r end   K keep   Esc back   q quit';
  const order = sort === 'urgency' && !reversed ? '' : `  by ${sort}${reversed ? ', reversed' : ''}`;
  const found = search === '' ? '' : `  /${search}`;
  const more = hidden === 0 ? '' : `  a all (+${hidden})`;
  const keys =
    width < 60
      ? 'r end  K keep  ? help  q quit'
      : 'j k select  Enter details  r end  K keep  / search  s sort  ? help  q quit';
  const chosen = `${found}${order}${more}`.trim();
  return chosen === '' ? keys : `${chosen}   ${keys}`;
};

/** The whole view. Its parts give way to the list when the terminal is small. */
export const WatchView = ({ ports }: { readonly ports: ViewPorts }): ReactElement => {
  const { columns: width, rows: height } = useWindowSize();
  const snapshot = useSyncExternalStore(ports.subscribe, ports.snapshot);
  const happened = useSyncExternalStore(ports.subscribe, ports.happened);
  const finishing = useSyncExternalStore(ports.subscribe, ports.finishing);
  const [state, setState] = useState(firstState);
  const latest = useRef(state);
  const change = (next: ViewState): void => {
    latest.current = next;
    setState(next);
  };
  const { rows, hidden } = rowsOf(snapshot, state.choice);
  const atMs = Date.parse(snapshot.at);
  // The clock of the last tick, or of the snapshot where that is newer.
  const nowMs = Math.max(useNow(rows.some((one) => isCounting(one, snapshot, atMs))), Date.parse(snapshot.at));
  const { colour } = ports;
  const at = selectedAt(state, rows);
  const { question } = state;

  const problem = problemWords(snapshot);
  const row = rows[at];
  const why =
    row === undefined || height < 14 || state.screen !== 'list' ? [] : linesOf(whyWords(row), width - 2, maxWhy);
  const events = height < 18 ? [] : happened.slice(-2);
  const head = height < 6 ? 0 : problem === null || height < 10 ? 2 : 3;
  const body = Math.max(1, height - head - why.length - events.length - 1);

  const onKeys = (keys: readonly Key[]): void => {
    // Several keys may come before the view is drawn again.
    for (const key of keys) {
      const before = latest.current;
      if (keys.length > 1 && !mayComeTogether(key, before.typing)) continue;
      const { state: after, effect } = press(before, key, rowsOf(ports.snapshot(), before.choice).rows, body - 1);
      change(after);
      if (effect !== null) void ports.act(effect).then((message) => change({ ...latest.current, message }));
    }
  };
  useInput((input, key) => onKeys(keysOf(input, key)), { isActive: finishing === null });
  // What is pasted answers no question and presses no key; it can only be searched for.
  usePaste((text) => {
    if (latest.current.typing) onKeys(keysOfText(text.split(/[\r\n]/u, 1)[0] ?? ''));
  });

  const mode = modeWords(snapshot, nowMs);
  const totals = totalsWords(snapshot);
  const promises = endsByItself(snapshot);
  const details = rows.find(({ key }) => key === state.selected.key);
  const foot = finishing ?? footWords(state, hidden, width);
  const asked: QuestionProps | null =
    question === null
      ? null
      : {
          kind: question.kind,
          row: rows.find(({ key }) => key === question.key),
          signal: snapshot.settings.values.backgroundKillSignal,
          graceSeconds: snapshot.settings.values.backgroundKillGraceSeconds,
          nowMs,
          width,
          // The list stays to be seen above it where there is room.
          height: body >= minListed * 3 ? body - minListed : body,
          colour,
        };
  const listed = asked === null ? body : Math.max(0, body - questionHeight(asked));
  const shown =
    state.screen === 'help' ? (
      <Lines lines={helpLines} scroll={state.scroll} height={listed} colour={colour} />
    ) : state.screen === 'details' ? (
      <Lines
        lines={
          details === undefined
            ? [{ text: 'It has ended. Esc goes back.', tone: 'quiet', heading: false }]
            : detailLines(details, promises, nowMs, width)
        }
        scroll={state.scroll}
        height={listed}
        colour={colour}
      />
    ) : rows.length === 0 ? (
      <Lines
        lines={[
          { text: emptyWords(state, hidden, snapshot.health.lastLookAt !== null), tone: 'quiet', heading: false },
        ]}
        scroll={0}
        height={listed}
        colour={colour}
      />
    ) : (
      <List rows={rows} at={at} promises={promises} nowMs={nowMs} width={width} height={listed} colour={colour} />
    );
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {head < 2 ? null : (
        <>
          <Text wrap="truncate" bold>
            {'Curfew  '}
            <Text {...styleOf(mode.tone, colour)}>{fit(mode.text, width - 8)}</Text>
          </Text>
          <Text wrap="truncate" {...styleOf(totals.tone, colour)}>
            {fit(totals.text, width)}
          </Text>
        </>
      )}
      {head < 3 || problem === null ? null : (
        <Text wrap="truncate" {...styleOf(problem.tone, colour)}>
          {fit(problem.text, width)}
        </Text>
      )}
      {listed > 1 || asked === null ? shown : null}
      {asked === null ? null : <QuestionBox {...asked} />}
      {why.map((line) => (
        <Text key={line} dimColor wrap="truncate">
          {`  ${line}`}
        </Text>
      ))}
      {events.map(({ text, tone }) => (
        <Text key={text} wrap="truncate" {...styleOf(tone, colour)}>
          {fit(text, width)}
        </Text>
      ))}
      <Text inverse={state.message !== null} wrap="truncate">
        {fit(foot, width)}
      </Text>
    </Box>
  );
};
