import type { SessionCost, SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { formatAge } from '../../../app/format/age.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { counted } from '../../../app/text/figures.ts';
import { sayServers, sayTotals, stateWords } from '../../../app/text/sessions.ts';
import { openEngine } from '../../engine/engine.ts';
import { readSessionCosts } from '../../observing/session-costs.ts';
import { column, fit, wrap } from '../common/columns.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { paint, writeJson } from '../common/output.ts';

/** Options of `curfew sessions`. */
export interface SessionsOptions {
  readonly json: boolean;
}

/** Upper bound of the table's width, so that it can be pasted into a report. */
const maxWidth = 100;
const widths = [11, 11, 12, 7, 4, 3, 3, 9, 5] as const;

type Cells = readonly [string, string, string, string, string, string, string, string, string, string];

const row = (cells: Cells, width: number): string => {
  const left = widths.map((size, at) => column(cells[at] ?? '', size));
  const used = left.reduce((sum, cell) => sum + cell.length, 0) + widths.length * 2;
  return [...left, fit(cells[9], Math.max(8, width - used))].join('  ').trimEnd();
};

const styles = { live: 'green', gone: 'yellow', unknown: 'dim', unreachable: 'red' } as const;

const line = (one: SessionCost, width: number, output: Output): string => {
  const memory = formatBytes(one.memory.bytes);
  const cells: Cells = [
    stateWords[one.state],
    one.ageSeconds === null ? '–' : formatAge(one.ageSeconds),
    one.agentName,
    one.pid === null ? '–' : String(one.pid),
    String(one.jobs),
    String(one.servers),
    one.duplicates === 0 ? '–' : String(one.duplicates),
    one.memory.measured === 'pss' ? memory : `≤ ${memory}`,
    `${one.cpuPercent.toFixed(0)} %`,
    visibleText(one.project?.split('/').findLast((part) => part !== '') ?? '–'),
  ];
  const text = row(cells, width);
  const state = column(cells[0], widths[0]);
  return text.startsWith(state) ? paint(output, styles[one.state], state) + text.slice(state.length) : text;
};

const tableOf = (costs: SessionCosts, output: Output): string => {
  const width = Math.min(output.columns, maxWidth);
  const head: Cells = ['STATE', 'AGE', 'AGENT', 'PID', 'JOBS', 'SRV', 'DUP', 'MEMORY', 'CPU', 'PROJECT'];
  const details = (one: SessionCost): readonly string[] =>
    [one.unreachable, sayServers(one)].flatMap((text) =>
      text === null ? [] : wrap(visibleText(text), width - 4).map((part) => `    ${part}`),
    );
  const duplicates = costs.duplicates.flatMap(({ command, copies, sessions, memoryBytes }) => [
    `  ${counted(copies, 'copy', 'copies')} in ${counted(sessions, 'session')}, ${formatBytes(memoryBytes)}: ${fit(visibleText(command), width - 4)}`,
  ]);
  return [
    ...(costs.sessions.length === 0 ? [] : [paint(output, 'dim', row(head, width))]),
    ...costs.sessions.flatMap((one) => [line(one, width, output), ...details(one)]),
    ...(costs.sessions.length === 0 ? [] : ['']),
    ...(duplicates.length === 0 ? [] : ['The same command several times:', ...duplicates, '']),
    ...sayTotals(costs).flatMap((text) => wrap(text, width)),
  ].join('\n');
};

/** `curfew sessions`: lists what every session costs, the dearest first. Signals nothing. */
export const sessions = async (options: SessionsOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({ uid: null, warn: output.warn, onlyLooks: true });
  try {
    await engine.source.refresh?.();
    const costs = readSessionCosts(engine.observer.look());
    if (options.json) await writeJson(output, costs);
    else await output.write(`${tableOf(costs, output)}\n`);
    return exitStatus.done;
  } finally {
    engine.close();
  }
};
