import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { formatAge } from '../../../../../app/format/age.ts';
import { formatBytes } from '../../../../../app/format/bytes.ts';
import { projectName } from '../../../../../app/format/project-name.ts';
import { visibleText } from '../../../../../app/format/visible.ts';
import { column } from '../../../common/columns.ts';
import { columnGap, layOut, tableCells } from '../../../common/table.ts';
import { styleOf } from './paint.ts';
import { agentOf, commandOf, cpuOf, hostOf, memoryOf, projectOf, type Row, startedMs } from './rows.ts';
import { stateWords, type Toned } from './words.ts';

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
    memory === 0 ? '–' : formatBytes(memory),
    cpu === null ? '–' : `${Math.round(cpu)} %`,
    hostOf(row) === 'local' ? '' : visibleText(hostOf(row)),
  ];
  return { row, state, cells, command: visibleText(commandOf(row)) };
};

const titles = ['STATE', 'AGE', 'AGENT', 'PROJECT', 'MEMORY', 'CPU', 'HOST'] as const;
const max = [30, 11, 13, 18, 9, 6, 14] as const;
/** In a narrow terminal the command needs the room more. */
const narrow = [20, 10, 11, 12, 8, 5, 10] as const;
const leaves = [null, 5, 3, 6, 2, 1, 4] as const;

/** Returns the first shown row, so that the selected one is shown and the list is full. */
const firstShown = (at: number, count: number, height: number): number =>
  Math.max(0, Math.min(at - Math.floor(height / 2), count - height));

/** The rows around the selected one, each on one line, with a head. */
export const List = (props: ListProps): ReactElement => {
  const { rows, at, height, width, colour } = props;
  const room = Math.max(1, height - 1);
  const first = firstShown(at, rows.length, room);
  // Columns keep their widths while the list is scrolled.
  const all = rows.map((row) => cellsOf(row, props));
  const hasHosts = all.some(({ cells }) => cells[6] !== '');
  const layout = layOut(
    titles.map((title, index) => ({
      title: index === 6 && !hasHosts ? '' : title,
      cells: all.map(({ cells }) => cells[index] ?? ''),
      max: (width < wideFrom ? narrow : max)[index] ?? 0,
      leaves: leaves[index] ?? null,
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
        {`${' '.repeat(marker)}${line(titles, 'COMMAND')}`}
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
