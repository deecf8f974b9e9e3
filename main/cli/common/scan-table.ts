import { agentName } from '../../../app/text/agent-name.ts';
import { formatAge, formatMoment } from '../../../app/format/age.ts';
import { english } from '../../../app/text/english.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { provenanceSentence, memberSentence, ownerSentence } from '../../../app/text/evidence.ts';
import { sayPileUp } from '../../../app/text/pile-ups.ts';
import { sayReason } from '../../../app/text/reasons.ts';
import { adviseVeto, sayVeto } from '../../../app/text/vetoes.ts';
import { visibleText } from '../../../app/format/visible.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import { wholeMachineProblems } from '../../observing/whole-machine.ts';
import { agentLines } from './agent-lines.ts';
import { column, fit, wrap } from './columns.ts';
import { isShownAlways } from '../../../app/judge/shown.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import type { Output } from './output.ts';
import { paint } from './output.ts';

/** Upper bound of the table's width, so that it can be pasted into a report. */
const maxWidth = 100;

const words: Readonly<
  Record<JudgedJob['verdict']['state'], { readonly word: string; readonly style: 'red' | 'yellow' | 'green' | 'dim' }>
> = {
  'past-cap': { word: 'past cap', style: 'red' },
  orphaned: { word: 'orphaned', style: 'yellow' },
  overdue: { word: 'overdue', style: 'yellow' },
  within: { word: 'within', style: 'green' },
  kept: { word: 'kept', style: 'dim' },
  protected: { word: 'protected', style: 'dim' },
};

const widths = { state: 9, id: 8, age: 11, agent: 11, project: 14 };
const gap = '  ';

const row = (cells: readonly [string, string, string, string, string, string], width: number): readonly string[] => {
  const [state, id, age, agent, project, command] = cells;
  const left = [
    column(state, widths.state),
    column(id, widths.id),
    column(age, widths.age),
    column(agent, widths.agent),
    column(project, widths.project),
  ];
  const used = left.reduce((sum, cell) => sum + cell.length, 0) + gap.length * left.length;
  return [...left, fit(command, Math.max(12, width - used))];
};

const projectName = (project: string | null): string => project?.split('/').findLast((part) => part !== '') ?? '–';

const details = ({ job, verdict, vetoes }: JudgedJob): readonly string[] => [
  ...vetoes.flatMap((veto) => {
    const advice = adviseVeto(veto);
    const why = `may not be ended: ${sayVeto(veto)} (process ${veto.pid})`;
    return advice === null ? [why] : [why, advice];
  }),
  ownerSentence(job.owner),
  ...job.provenance.map(provenanceSentence),
  ...(job.project === null ? [] : [`project ${visibleText(job.project)}`]),
  ...(job.output === null ? [] : [`output ${visibleText(job.output)}`]),
  ...job.members.map(
    (member) => `${memberSentence(member)}: ${visibleText(english.args(member.row.argv, member.row.comm))}`,
  ),
  ...(verdict.atMs === null
    ? []
    : [`${verdict.state === 'protected' ? 'hard cap' : 'next decision'} ${formatMoment(verdict.atMs, Date.now())}`]),
];

const holding = ({ job }: JudgedJob): string =>
  [
    `${job.members.length} process${job.members.length === 1 ? '' : 'es'}`,
    formatBytes(job.holds.rssBytes),
    ...job.holds.ports.map((port) => `port ${port}`),
  ].join(', ');

/**
 * Returns the jobs of a scan as a table, worst first, at most 100 columns, with the reason under
 * each in words.
 */
export const scanTable = (
  look: Look,
  output: Pick<Output, 'colour' | 'columns'>,
  options: { readonly explain: boolean; readonly all: boolean },
): string => {
  const width = Math.min(output.columns, maxWidth);
  const shown = worstFirst(look.jobs.values()).filter((judged) => options.all || isShownAlways(judged));
  const hidden = [...look.jobs.values()].filter(({ verdict }) => verdict.state === 'protected');
  const leftOut = options.all
    ? { protectedJobs: 0, servers: 0 }
    : { protectedJobs: hidden.length, servers: look.jobs.size - shown.length - hidden.length };
  const lines: string[] = [];
  if (shown.length > 0) {
    lines.push(paint(output, 'dim', row(['STATE', 'JOB', 'AGE', 'AGENT', 'PROJECT', 'COMMAND'], width).join(gap)));
  }
  for (const judged of shown) {
    const { job, verdict } = judged;
    const { word, style } = words[verdict.state];
    const [state = '', ...rest] = row(
      [
        word,
        job.id,
        formatAge(job.ageSeconds),
        agentName(job.agent, job.rule),
        visibleText(projectName(job.project)),
        visibleText(job.name === undefined ? job.command : `${job.name}: ${job.command}`),
      ],
      width,
    );
    lines.push([paint(output, style, state), ...rest].join(gap).trimEnd());
    const indent = ' '.repeat(widths.state + gap.length);
    const why = [...verdict.reasons.map(sayReason), holding(judged)].join(' · ');
    for (const line of wrap(why, width - indent.length)) lines.push(indent + paint(output, 'dim', line));
    if (!options.explain) continue;
    for (const detail of details(judged)) {
      const [first = '', ...further] = wrap(detail, width - indent.length - 4);
      lines.push(`${indent}- ${first}`, ...further.map((line) => `${indent}  ${line}`));
    }
  }
  if (shown.length > 0) lines.push('');
  lines.push(...agentLines(look, output, width));
  if (options.explain) {
    for (const { text, advice } of wholeMachineProblems(look).map(sayPileUp))
      lines.push(...wrap(`${text} ${advice}`, width), '');
  }
  lines.push(...wrap(summary(look, leftOut), width));
  return `${lines.join('\n')}\n`;
};

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** Sessions whose process runs, also where it is not known which session that is. */
const runningSessions = (look: Look): number =>
  look.sessions.filter(({ state, process }) => state === 'live' || (state === 'unknown' && process !== null)).length;

const summary = (
  look: Look,
  { protectedJobs: hidden, servers }: { readonly protectedJobs: number; readonly servers: number },
): string => {
  const live = runningSessions(look);
  const looked = `looked at ${count(look.table.rows.size, 'process', 'processes')} and ${count(live, 'running session', 'running sessions')}`;
  const took = `in ${look.tookMs.toFixed(0)} ms`;
  const protectedJobs = hidden === 0 ? '' : ` ${count(hidden, 'job is', 'jobs are')} protected (--all shows why).`;
  const further =
    servers === 0
      ? ''
      : ` ${count(servers, 'server of a session is', 'servers of sessions are')} not ended (--all shows why).`;
  const hides = look.table.complete ? '' : ' The machine hides a part of its processes.';
  const said = `${took}.${protectedJobs}${further}${hides}`;
  return look.jobs.size === hidden + servers
    ? `No agent has left a command running: ${looked} ${said}`
    : `Curfew ${looked} ${said}`;
};
