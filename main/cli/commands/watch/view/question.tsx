import { worded } from '../../../common/words.ts';
import { sized, several } from '../../../../../app/text/form.ts';
import { say } from '../../../../../app/text/say.ts';
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { formatAge, formatLimit } from '../../../../../app/format/age.ts';
import { projectName } from '../../../../../app/format/project-name.ts';
import { visibleText } from '../../../../../app/format/visible.ts';
import { fit } from '../../../common/table.ts';
import { styleOf } from './paint.ts';
import { agentOf, commandOf, memoryOf, projectOf, type Row, startedMs } from './rows.ts';
import { pidsOf } from './state.ts';

export interface QuestionProps {
  readonly kind: 'end' | 'kill';
  /** Undefined once it has ended. */
  readonly row: Row | undefined;
  readonly signal: string;
  readonly graceSeconds: number;
  readonly nowMs: number;
  readonly width: number;
  /** Lines that it may take. */
  readonly height: number;
  readonly colour: boolean;
}

const processesOf = (row: Row): readonly { readonly pid: number; readonly args: string }[] => {
  if (row.kind === 'job') return row.job.members;
  return row.kind === 'agent' ? row.agent.tree.filter(({ own }) => own) : [];
};

const cautionsOf = (row: Row): readonly string[] => {
  if (row.kind === 'agent') return [worded('This ends the agent itself, with its session.')];
  if (row.kind !== 'job') return [];
  const { owner, keptUntil } = row.job;
  return [
    ...(owner === 'live' ? [worded('Its session is open and may be waiting for it.')] : []),
    ...(owner === 'unknown' ? [worded('It is unknown whether its session is open.')] : []),
    ...(keptUntil === null ? [] : [worded('You keep it.')]),
  ];
};

/** Lines of the box beside its text: a title, the answers, a frame. */
const around = 4;

const linesFor = ({ kind, row, signal, graceSeconds, nowMs, height }: QuestionProps): readonly string[] => {
  if (row === undefined || row.kind === 'ended') return [worded('It has ended. Nothing is signalled.')];
  const project = projectName(projectOf(row));
  const agent = agentOf(row);
  const facts = worded('{whose}, {age} old, {processes}, {size}', {
    whose: project === null ? agent : say('{agent} in {project}', { agent, project: visibleText(project) }),
    age: formatAge((nowMs - startedMs(row)) / 1000),
    processes: several(pidsOf(row).length, 'process'),
    size: sized(memoryOf(row)),
  });
  const head = [visibleText(commandOf(row)), facts];
  if (kind === 'kill') return [...head, worded('Sends KILL to what is left of it now, without waiting any longer.')];
  const how =
    graceSeconds === 0
      ? worded('Sends {signal}, and KILL at once to what is left.', { signal })
      : worded('Sends {signal}, then, after at least {age}, KILL to what is left.', {
          signal,
          age: formatLimit(graceSeconds),
        });
  const cautions = cautionsOf(row);
  const room = Math.max(1, height - head.length - cautions.length - 1 - around);
  const processes = processesOf(row);
  const named = processes.length > room ? processes.slice(0, Math.max(1, room - 1)) : processes;
  const more = processes.length - named.length;
  return [
    ...head,
    ...named.map(({ pid, args }) => `  ${pid} ${visibleText(args)}`),
    ...(more === 0
      ? []
      : [`  ${worded('and {processes} (n, then Enter, shows all)', { processes: several(more, 'other') })}`]),
    ...cautions,
    how,
  ];
};

/** Returns the lines that a question takes. */
export const questionHeight = (props: QuestionProps): number => linesFor(props).length + around;

/** Asks before something is ended, naming what that hits. It holds on to its job. */
export const QuestionBox = (props: QuestionProps): ReactElement => {
  const { row, kind, width, colour } = props;
  const gone = row === undefined || row.kind === 'ended';
  const title = worded(
    kind === 'kill' ? 'Kill the rest now?' : row?.kind === 'agent' ? 'End this agent?' : 'End this job?',
  );
  const inner = Math.max(1, width - 4);
  return (
    <Box
      flexDirection="column"
      flexShrink={0}
      width={width}
      borderStyle="round"
      paddingX={1}
      {...(colour ? { borderColor: 'yellow' } : {})}
    >
      <Text bold {...styleOf('amber', colour)}>
        {gone ? worded('Gone') : title}
      </Text>
      {linesFor(props).map((line, at) => (
        <Text key={at} wrap="truncate">
          {fit(line, inner)}
        </Text>
      ))}
      <Text bold>
        {worded(
          gone ? 'Any key goes on' : kind === 'kill' ? 'y kills it now    n waits' : 'y ends it    n leaves it running',
        )}
      </Text>
    </Box>
  );
};
