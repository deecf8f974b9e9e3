import type { SessionCost, SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { formatAge } from '../../../app/format/age.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { counted } from '../../../app/text/figures.ts';
import { sayServers, sayTotals, stateWords } from '../../../app/text/sessions.ts';
import { withEngine } from '../../engine/engine.ts';
import { readSessionCosts } from '../../observing/session-costs.ts';
import { type Column, columnGap, fit, layOut, tableCells, wrap } from '../common/table.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { paint, writeJson } from '../common/output.ts';

/** Options of `curfew sessions`. */
export interface SessionsOptions {
  readonly json: boolean;
}

/** From this width on a project is shown as its whole folder. */
const wideFrom = 110;
/** The project is worth more than the columns that leave for it. */
const minProject = 14;

const styles = { live: 'green', gone: 'yellow', unknown: 'dim', unreachable: 'red' } as const;

const memoryOf = ({ memory: { bytes, measured } }: SessionCost): string =>
  `${measured === 'pss' ? '' : '≤ '}${formatBytes(bytes)}`;

/** The columns of these sessions, all but the project. */
const columnsOf = (sessions: readonly SessionCost[]): readonly Column[] => {
  const named = (title: string, leaves: number | null, cell: (one: SessionCost) => string): Column => ({
    title,
    cells: sessions.map(cell),
    max: 16,
    leaves,
    figures: title !== 'STATE' && title !== 'AGENT',
  });
  return [
    named('STATE', null, ({ state }) => stateWords[state]),
    named('AGE', 4, ({ ageSeconds }) => (ageSeconds === null ? '–' : formatAge(ageSeconds))),
    named('AGENT', null, ({ agentName }) => agentName),
    named('PID', 3, ({ pid }) => (pid === null ? '–' : String(pid))),
    named('JOBS', 5, ({ jobs }) => String(jobs)),
    named('SERVERS', 5, ({ servers }) => String(servers)),
    named('COPIES', 1, ({ duplicates }) => (duplicates === 0 ? '–' : String(duplicates))),
    named('MEMORY', null, memoryOf),
    named('CPU', 2, ({ cpuPercent }) => `${cpuPercent.toFixed(0)} %`),
  ];
};

const projectOf = ({ project }: SessionCost, width: number): string => {
  if (project === null) return '–';
  return visibleText(width >= wideFrom ? project : (projectName(project) ?? project));
};

const tableOf = (costs: SessionCosts, output: Output): string => {
  const width = output.columns;
  const columns = columnsOf(costs.sessions);
  const layout = layOut(columns, width, minProject);
  const titles = columns.map(({ title }) => title);
  const rowOf = (one: SessionCost, at: number): string => {
    const cells = columns.map(({ cells: column }) => column[at] ?? '');
    const [state = '', ...rest] = tableCells(cells, projectOf(one, width), layout);
    return [paint(output, styles[one.state], state), ...rest].join(columnGap).trimEnd();
  };
  const details = (one: SessionCost): readonly string[] =>
    [one.unreachable, sayServers(one)].flatMap((text) =>
      text === null ? [] : wrap(visibleText(text), width - 4).map((part) => `    ${part}`),
    );
  const duplicates = costs.duplicates.map(({ command, copies, sessions, memoryBytes }) =>
    fit(
      `  ${counted(copies, 'copy', 'copies')} in ${counted(sessions, 'session')}, ${formatBytes(memoryBytes)}: ${visibleText(command)}`,
      width,
    ),
  );
  return [
    ...(costs.sessions.length === 0
      ? []
      : [paint(output, 'dim', tableCells(titles, 'PROJECT', layout).join(columnGap))]),
    ...costs.sessions.flatMap((one, at) => [rowOf(one, at), ...details(one)]),
    ...(costs.sessions.length === 0 ? [] : ['']),
    ...(duplicates.length === 0 ? [] : ['The same command several times:', ...duplicates, '']),
    ...sayTotals(costs).flatMap((text) => wrap(text, width)),
  ].join('\n');
};

/** `curfew sessions`: lists what every session costs, the dearest first. Signals nothing. */
export const sessions = async (options: SessionsOptions, output: Output): Promise<ExitStatus> => {
  return withEngine({ uid: null, warn: output.warn, onlyLooks: true }, async (engine) => {
    await engine.source.refresh?.();
    const costs = readSessionCosts(engine.observer.look(), engine.source);
    if (options.json) await writeJson(output, costs);
    else await output.write(`${tableOf(costs, output)}\n`);
    return exitStatus.done;
  });
};
