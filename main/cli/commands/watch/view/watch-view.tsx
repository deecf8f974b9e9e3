import { words, worded, spoken, size } from '../../../common/words.ts';
import { byKey } from '../../../../../app/format/said.ts';
import { say, type Form } from '../../../../../app/text/say.ts';
import { withoutFolder } from '../../../../../app/format/short-command.ts';
import { endsByItself } from '../../../../../app/contract/claims/claims.ts';
import type { Snapshot } from '../../../../../app/contract/views/snapshot.ts';
import { formatAge } from '../../../../../app/format/age.ts';
import { projectName } from '../../../../../app/format/project-name.ts';
import { visibleText } from '../../../../../app/format/visible.ts';
import { column, columnGap, fit, layOut, tableCells, wrap } from '../../../common/table.ts';
import { type Line, detailLines } from './details.ts';
import { keysOf, keysOfText, mayComeTogether } from './keys.ts';
import { styleOf } from './paint.ts';
import { QuestionBox, type QuestionProps, questionHeight } from './question.tsx';
import {
  type Row,
  agentOf,
  commandOf,
  cpuOf,
  endMsOf,
  hostOf,
  memoryOf,
  projectOf,
  rowsOf,
  startedMs,
} from './rows.ts';
import { type Effect, type Key, type ViewState, firstState, press, selectedAt } from './state.ts';
import { type Toned, modeWords, problemWords, stateWords, totalsWords, whyWords } from './words.ts';
import { Box, Text, useInput, usePaste, useWindowSize } from 'ink';
import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from 'react';

const keysHelp = [
  ['j k, arrows', 'select; PgUp, PgDn, g and G go further'],
  ['Enter', 'everything about the selected job, and back'],
  ['e', 'end it, after a question; once more during the wait: KILL now'],
  ['K', 'keep it 30 min (at most to the hard cap), or undo that'],
  ['/', 'search for words of command, project, agent, host or job id; Esc shows all again'],
  ['s, S', 'sort by urgency, age, memory, CPU, project, agent; S turns the order round'],
  ['a', 'show protected jobs and servers that are only shown, too'],
  ['q, Ctrl-C', 'stop watching; what is being ended is seen through first'],
] as const satisfies readonly (readonly [string, Form])[];

const statesHelp = [
  ['ends in …', 'it is ended then, unless you keep it'],
  ['left over', 'its session has ended, and it still runs'],
  ['probably left over', 'only marks say that an agent started it; ended by you alone'],
  ['overdue', 'older than its limit'],
  ['past the hard cap', 'older than the hard cap, which ends every job'],
  ['running', 'within its limits; nothing to do'],
  ['kept', 'kept by you, by an exemption, or because something uses it'],
  ['protected', 'never signalled; its details say why'],
] as const satisfies readonly (readonly [Form, Form])[];

const keyWidth = 18;

const helpOf = (entries: readonly (readonly [string, string])[]): readonly Line[] =>
  entries.map(([key, text]) => ({
    text: `  ${words(byKey(key)).padEnd(spoken() === null ? keyWidth : 28)} ${words(byKey(text))}`,
    tone: 'quiet',
    heading: false,
  }));

/** The keys and the words of the view. */
const helpLines = (): readonly Line[] => [
  { text: worded('Keys'), tone: 'quiet', heading: true },
  ...helpOf(keysHelp),
  { text: '', tone: 'quiet', heading: false },
  { text: worded('States'), tone: 'quiet', heading: true },
  ...helpOf(statesHelp),
];

/** From this width on a row says its state beside its end. */
const wideFrom = 110;
/** The command is worth more than the columns that leave for it. */
const minCommand = 24;
const marker = 2;

interface ListProps {
  readonly rows: readonly Row[];
  /** The place of the selected row. */
  readonly at: number;
  readonly promises: boolean;
  readonly nowMs: number;
  readonly width: number;
  /** Lines for the list, its head included. */
  readonly height: number;
  readonly colour: boolean;
}

interface Cells {
  readonly row: Row;
  readonly state: Toned;
  readonly cells: readonly string[];
  readonly command: string;
}

const cellsOf = (row: Row, { promises, nowMs, width }: ListProps): Cells => {
  const state = stateWords(row, promises, nowMs, width >= wideFrom);
  const cpu = cpuOf(row);
  const memory = memoryOf(row);
  const cells = [
    state.text,
    formatAge((nowMs - startedMs(row)) / 1000),
    agentOf(row),
    visibleText(projectName(projectOf(row)) ?? '–'),
    memory === 0 ? '–' : size(memory),
    cpu === null ? '–' : `${Math.round(cpu)} %`,
    hostOf(row) === 'local' ? '' : visibleText(hostOf(row)),
  ];
  return { row, state, cells, command: visibleText(withoutFolder(commandOf(row))) };
};

const titles = ['STATE', 'AGE', 'AGENT', 'PROJECT', 'MEMORY', 'CPU', 'HOST'] as const;
const figures: readonly (typeof titles)[number][] = ['AGE', 'MEMORY', 'CPU'];
const maxWidths = [30, 11, 13, 18, 9, 6, 14] as const;
/** In a narrow terminal the command needs the room more. */
const narrow = [20, 10, 11, 12, 8, 5, 10] as const;
const leaves = [null, 5, 3, 6, 2, 1, 4] as const;

/** Returns the first shown row, so that the selected one is shown and the list is full. */
const firstShown = (at: number, count: number, height: number): number =>
  Math.max(0, Math.min(at - Math.floor(height / 2), count - height));

/** The rows around the selected one, each on one line, with a head. */
const List = (props: ListProps): ReactElement => {
  const { rows, at, height, width, colour } = props;
  const room = Math.max(1, height - 1);
  const first = firstShown(at, rows.length, room);
  // Columns keep their widths while the list is scrolled.
  const all = rows.map((row) => cellsOf(row, props));
  const hasHosts = all.some(({ cells }) => cells[6] !== '');
  const layout = layOut(
    titles.map((title, index) => ({
      title: index === 6 && !hasHosts ? '' : worded(title),
      cells: all.map(({ cells }) => cells[index] ?? ''),
      max: (width < wideFrom ? narrow : maxWidths)[index] ?? 0,
      leaves: leaves[index] ?? null,
      figures: figures.includes(title),
    })),
    width - marker,
    minCommand,
  );
  const line = (cells: readonly string[], command: string): string =>
    tableCells(cells, command, layout).join(columnGap);
  const stateWidth = layout.widths[0] ?? 0;
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <Text dimColor wrap="truncate">
        {`${' '.repeat(marker)}${line(
          titles.map((title) => worded(title)),
          worded('COMMAND'),
        )}`}
      </Text>
      {all.slice(first, first + room).map(({ row, state, cells, command }, index) => {
        const selected = first + index === at;
        const text = column(line(cells, command), width - marker);
        return (
          <Text key={row.key} inverse={selected} wrap="truncate">
            {selected ? '> ' : '  '}
            <Text {...styleOf(state.tone, colour)}>{text.slice(0, stateWidth)}</Text>
            {text.slice(stateWidth)}
          </Text>
        );
      })}
    </Box>
  );
};

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

/** Returns a text as lines, at most `max`; what does not fit is cut. */
const linesOf = (text: string, width: number, max: number): readonly string[] => {
  const lines = wrap(text, width);
  return lines.length <= max ? lines : [...lines.slice(0, max - 1), fit(lines.slice(max - 1).join(' '), width)];
};

const emptyWords = (state: ViewState, hidden: number, looked: boolean): string => {
  if (!looked) return worded('Looking for the first time…');
  if (state.choice.search !== '')
    return worded('Nothing matches “{search}”. Esc shows all.', { search: state.choice.search });
  return hidden === 0
    ? worded('No agent has left a command running.')
    : worded('Nothing to look at; {count} not shown (a shows them).', { count: hidden });
};

const footWords = (state: ViewState, hidden: number, width: number): string => {
  if (state.typing) return `/${state.choice.search}_   ${worded('Enter keeps the search, Esc ends it')}`;
  if (state.message !== null) return state.message;
  const { sort, reversed, search } = state.choice;
  if (state.screen !== 'list') return worded('j k scroll   e end   K keep   Esc back   q quit');
  const order =
    sort === 'urgency' && !reversed
      ? ''
      : `  ${worded(reversed ? 'by {order}, reversed' : 'by {order}', { order: say(sort) })}`;
  const found = search === '' ? '' : `  /${search}`;
  const more = hidden === 0 ? '' : `  ${worded('a all (+{count})', { count: hidden })}`;
  const keys = worded(
    width < 60
      ? 'e end  K keep  ? help  q quit'
      : 'j k select  Enter details  e end  K keep  / search  s sort  ? help  q quit',
  );
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
      <Lines lines={helpLines()} scroll={state.scroll} height={listed} colour={colour} />
    ) : state.screen === 'details' ? (
      <Lines
        lines={
          details === undefined
            ? [{ text: worded('It has ended. Esc goes back.'), tone: 'quiet', heading: false }]
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
