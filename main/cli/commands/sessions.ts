import { byKey } from '../../../app/format/said.ts';
import { words, worded } from '../common/words.ts';
import { sized, several } from '../../../app/text/form.ts';
import type { SessionList, SessionCost } from '../../../app/contract/views/session-costs.ts';
import type { Form } from '../../../app/text/say.ts';
import { formatAge } from '../../../app/format/age.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { sessionStates, memorySaid, sayIdle, sayOlderSets, sayServers, sayTotals } from '../../../app/text/sessions.ts';
import { withEngine } from '../../engine/engine.ts';
import type { Places } from '../../store/places.ts';
import { readSessionList, readSessionCosts } from '../../observing/session-costs.ts';
import { type Column, columnGap, fit, layOut, tableCells, wrap } from '../common/table.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { keepsNothing } from '../common/keeps-nothing.ts';
import { type Output, paint, writeJson } from '../common/output.ts';

/** Options of `curfew sessions`. */
export interface SessionsOptions {
  readonly json: boolean;
}

/** From this width on a project is shown as its whole folder. */
const wideFrom = 110;
/** The project is worth more than the columns that leave for it. */
const minProject = 14;

const styles = { live: 'green', gone: 'yellow', unknown: 'dim', unreachable: 'red' } as const;

/** The columns of these sessions, all but the project. */
const columnsOf = (sessions: readonly SessionCost[]): readonly Column[] => {
  const named = (title: Form, leaves: number | null, cell: (one: SessionCost) => string): Column => ({
    title: words(byKey(title)),
    cells: sessions.map(cell),
    max: 16,
    leaves,
    figures: title !== 'STATE' && title !== 'AGENT',
  });
  return [
    named('STATE', null, ({ state }) => worded(sessionStates[state])),
    named('AGE', 4, ({ ageSeconds }) => (ageSeconds === null ? '–' : formatAge(ageSeconds))),
    named('AGENT', null, ({ agentName }) => agentName),
    named('PID', 3, ({ pid }) => (pid === null ? '–' : String(pid))),
    named('JOBS', 5, ({ jobs }) => String(jobs)),
    named('SERVERS', 5, ({ servers }) => String(servers)),
    named('COPIES', 1, ({ duplicates }) => (duplicates === 0 ? '–' : String(duplicates))),
    named('MEMORY', null, ({ memory }) => words(memorySaid(memory))),
    named('CPU', 2, ({ cpuPercent }) => `${cpuPercent.toFixed(0)} %`),
  ];
};

const projectOf = ({ project }: SessionCost, width: number): string => {
  if (project === null) return '–';
  return visibleText(width >= wideFrom ? project : (projectName(project) ?? project));
};

const tableOf = (costs: SessionList, output: Output): string => {
  const width = output.columns;
  const columns = columnsOf(costs.sessions);
  const layout = layOut(columns, width, minProject);
  const titles = columns.map(({ title }) => title);
  const rowOf = (one: SessionCost, at: number): string => {
    const cells = columns.map(({ cells: column }) => column[at] ?? '');
    const [state = '', ...rest] = tableCells(cells, projectOf(one, width), layout);
    return [paint(output, styles[one.state], state), ...rest].join(columnGap).trimEnd();
  };
  const details = (one: SessionList['sessions'][number]): readonly string[] =>
    [one.unreachableSaid, sayServers(one), ...sayIdle(one)].flatMap((said) =>
      said === null ? [] : wrap(visibleText(words(said)), width - 4).map((part) => `    ${part}`),
    );
  const duplicates = costs.duplicates.map(({ command, copies, sessions, memoryBytes }) =>
    fit(
      `  ${worded('{copies} in {sessions}, {size}: {command}', {
        copies: several(copies, 'copy'),
        sessions: several(sessions, 'session'),
        size: sized(memoryBytes),
        command: visibleText(command),
      })}`,
      width,
    ),
  );
  return [
    ...(costs.sessions.length === 0
      ? []
      : [paint(output, 'dim', tableCells(titles, worded('PROJECT'), layout).join(columnGap))]),
    ...costs.sessions.flatMap((one, at) => [rowOf(one, at), ...details(one)]),
    ...(costs.sessions.length === 0 ? [] : ['']),
    ...(duplicates.length === 0 ? [] : [worded('The same command several times:'), ...duplicates, '']),
    ...costs.olderSets.flatMap((one) => wrap(visibleText(words(sayOlderSets(one))), width)),
    ...wrap(words(sayTotals(costs)), width),
  ].join('\n');
};

/** `curfew sessions`: lists what every session costs, the dearest first. Signals nothing. */
export const sessions = async (options: SessionsOptions, output: Output): Promise<ExitStatus> => {
  const looks = { onlyLooks: true, keepsNothing: (places: Places) => keepsNothing(import.meta.filename, places) };
  return withEngine({ uid: null, warn: output.warn, ...looks }, async (engine) => {
    await engine.source.refresh?.();
    const look = engine.observer.look();
    if (options.json) await writeJson(output, readSessionCosts(look, engine.source));
    else await output.write(`${tableOf(readSessionList(look, engine.source), output)}\n`);
    return exitStatus.done;
  });
};
