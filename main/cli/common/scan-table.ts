import { isShownAgent } from '../../../app/documents/agents.ts';
import { endsAtMs } from '../../../app/documents/job.ts';
import { fateOf } from '../../../app/contract/claims/fate.ts';
import type { SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { formatAge, formatMoment } from '../../../app/format/age.ts';
import { redactProcess } from '../../../app/format/secrets/redact.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { isShownAlways } from '../../../app/judge/shown.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { evidenceOf } from '../../../app/model/evidence.ts';
import type { AttachedContainer } from '../../../app/model/job.ts';
import { ageSeconds } from '../../../app/process/table.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { memberSaid, sayEvidence, sessionSaid } from '../../../app/text/evidence.ts';
import { counted } from '../../../app/text/figures.ts';
import { listedCommand, sayHeld } from '../../../app/text/job.ts';
import { commandText, leftOpenRefused, leftOpenWord, sayOwnerOfLeftOpen } from '../../../app/text/left-open.ts';
import type { PileUp } from '../../../app/diagnose/whole-machine.ts';
import { sayPileUp } from '../../../app/text/pile-ups.ts';
import { endRefused, reachWord, sayReach } from '../../../app/text/reach.ts';
import { sayReason } from '../../../app/text/reasons.ts';
import { inEnglish, joined, sayVeto } from '../../../app/text/say.ts';
import { type Ends, type ScanSum, sayNextAfterScan, sayScan } from '../../../app/text/scan-verdict.ts';
import { countServers } from '../../../app/text/sessions.ts';
import { type Tone, englishStates, sayEnd, tones } from '../../../app/text/states.ts';
import { adviseVeto } from '../../../app/text/vetoes.ts';
import type { LeftOpenItem } from '../../left-open/found.ts';
import type { JudgedJob, Look, RunningAgent } from '../../observing/look.ts';
import { type Column, column, columnGap, layOut, tableCells, wrap, wrapWords } from './table.ts';
import { type Output, paint } from './output.ts';

const isPast = ({ verdict: { state } }: JudgedJob): boolean => state === 'overdue' || state === 'past-cap';

/** True for what a closed session left, witnessed and not spared. */
export const isProvedLeftover = (judged: JudgedJob): boolean =>
  judged.verdict.state === 'orphaned' || (judged.verdict.state === 'past-cap' && judged.job.owner.state === 'gone');

/** Sums up a look for its verdict. `all`: what an ordinary list leaves out counts as running. */
export const sumOf = (look: Look, all: boolean, ends: Ends): ScanSum => {
  const jobs = [...look.jobs.values()];
  const proved = jobs.filter(isProvedLeftover);
  const left = [...proved, ...jobs.filter(({ verdict }) => verdict.state === 'probable')];
  const others = jobs.filter((judged) => (all || isShownAlways(judged)) && !left.includes(judged));
  const overdue = others.filter(isPast).length;
  return {
    proved: proved.length,
    probable: left.length - proved.length,
    rssBytes: left.reduce((sum, { job }) => sum + job.holds.rssBytes, 0),
    ports: [...new Set(left.flatMap(({ job }) => job.holds.ports))].toSorted((one, other) => one - other),
    sessions: new Set(left.flatMap(({ job: { agent, session } }) => (session === null ? [] : [`${agent} ${session}`])))
      .size,
    oldestSeconds: Math.max(0, ...left.map(({ job }) => job.ageSeconds)),
    overdue,
    running: others.length - overdue,
    ends,
  };
};

/** Where the lines go. */
type Where = Pick<Output, 'colour'> & { readonly width: number };

const belowIndent = '  ';

const memoryOf = (rows: readonly { readonly rssBytes: number }[]): string =>
  formatBytes(rows.reduce((sum, { rssBytes }) => sum + rssBytes, 0));

const quiet = (texts: readonly string[], where: Where): readonly string[] =>
  texts
    .flatMap((text) => wrap(text, where.width - belowIndent.length))
    .map((line) => belowIndent + paint(where, 'dim', line));

/** A title above the lines of each; nothing where there is none. */
const section = <One>(
  title: string,
  all: readonly One[],
  where: Where,
  linesOf: (one: One) => readonly string[],
): readonly string[] => (all.length === 0 ? [] : [paint(where, 'dim', title), ...all.flatMap(linesOf), '']);

const heldByAgent = ({ tree, cpuPercent, lastWriteMs }: RunningAgent, nowMs: number): string =>
  [
    counted(tree.length, 'process', 'processes'),
    memoryOf(tree),
    ...(cpuPercent === null ? [] : [`${Math.round(cpuPercent)} % of a core`]),
    ...(lastWriteMs === null ? [] : [`transcript last written ${formatMoment(lastWriteMs, nowMs)}`]),
  ].join(', ');

const howToEnd = ({ process, reach, ownEnd, job }: RunningAgent): string => {
  const command = `curfew reap --agent-pid ${process.pid}`;
  if (ownEnd !== null) return `end it: ${command}, which runs: ${commandText(ownEnd.command)}`;
  if (job !== null) return `end it: ${command}`;
  return inEnglish(endRefused(reach, null) ?? 'it can’t be ended from here');
};

/** Returns the agents that no user may be able to reach, as lines below the table of jobs. */
const agentLines = ({ agents, table }: Pick<Look, 'agents' | 'table'>, where: Where): readonly string[] =>
  section('AGENTS THAT MAY BE OUT OF REACH', (agents ?? []).filter(isShownAgent), where, (seen) => {
    const { process, project, reach, agent } = seen;
    const age = formatAge(ageSeconds(table, process.startTicks));
    const place = project === null ? '' : `  ${visibleText(project)}`;
    const head = `${column(reachWord(reach.state), 11)}  process ${process.pid}  ${agentName(agent, agent)}  ${age}${place}`;
    return [
      paint(where, reach.state === 'unreachable' ? 'yellow' : 'dim', head),
      ...quiet([sayReach(reach), heldByAgent(seen, table.takenAtMs), howToEnd(seen)], where),
    ];
  });

const heldOpen = ({ leftOpen: { inside, image } }: LeftOpenItem): string => {
  const [first, ...rest] = inside;
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`;
  return [
    ...(image === null ? [] : [`image ${visibleText(image)}`]),
    first === undefined ? 'no process of it is seen' : `runs ${visibleText(redactProcess(first))}${more}`,
    memoryOf(inside),
  ].join(', ');
};

/** Returns what tool calls left open, as lines below the table of jobs. */
const leftOpenLines = (found: readonly LeftOpenItem[], nowMs: number, where: Where): readonly string[] =>
  section('LEFT OPEN BY AGENTS', found, where, (one) => {
    const { leftOpen } = one;
    const age = formatAge(Math.max(0, (nowMs - leftOpen.startedAtMs) / 1000));
    const project = leftOpen.project === null ? '' : `  ${visibleText(leftOpen.project)}`;
    const how = inEnglish(leftOpenRefused(leftOpen) ?? `end it: curfew reap --left-open ${leftOpen.id}`);
    return [
      `${leftOpen.id}  ${leftOpenWord(leftOpen)}  ${agentName(leftOpen.agent, leftOpen.agent)}  ${age}${project}`,
      ...quiet([heldOpen(one), sayOwnerOfLeftOpen(leftOpen), how], where),
    ];
  });

/** Returns what the servers of each session cost, as lines below the table of jobs. */
const serverLines = (costs: SessionCosts | null, where: Where): readonly string[] =>
  section('SERVERS OF SESSIONS', costs?.sessions.filter(({ servers }) => servers > 0) ?? [], where, (one) => {
    const process = one.pid === null ? '' : `, process ${one.pid}`;
    const project = one.project === null ? '' : `, ${visibleText(one.project)}`;
    const text = `${one.agentName}${process}${project}: ${countServers(one)}`;
    return wrap(text, where.width - belowIndent.length).map((line) => belowIndent + line);
  });

const styles: Readonly<Record<Tone, 'red' | 'yellow' | 'green' | 'dim'>> = {
  red: 'red',
  amber: 'yellow',
  green: 'green',
  quiet: 'dim',
};

/** From this width on the state and its end stand side by side. */
const wideFrom = 110;
/** The command is worth more than the columns that leave for it. */
const minCommand = 24;

/** When a job ends, in words; empty where no end is near or may be promised. */
const endOf = ({ verdict }: JudgedJob, { ends }: ScanTableOptions, nowMs: number): string => {
  const fate = fateOf(verdict.state, ends === 'supervisor' ? endsAtMs(verdict) : null, null, nowMs);
  return fate.kind === 'ends' && fate.isUrgent ? sayEnd(fate.seconds) : '';
};

/** The columns of these jobs, all but the command. */
const columnsOf = (
  shown: readonly JudgedJob[],
  options: ScanTableOptions,
  nowMs: number,
  width: number,
): readonly Column[] => {
  const state = (judged: JudgedJob): string => {
    const word = englishStates[judged.verdict.state];
    const end = width >= wideFrom ? endOf(judged, options, nowMs) : '';
    return end === '' ? word : `${word}, ${end}`;
  };
  return [
    { title: 'STATE', cells: shown.map(state), max: 28, leaves: null },
    { title: 'JOB', cells: shown.map(({ job }) => job.id), max: 8, leaves: null },
    { title: 'AGE', cells: shown.map(({ job }) => formatAge(job.ageSeconds)), max: 11, leaves: 5, figures: true },
    { title: 'MEM', cells: shown.map(({ job }) => formatBytes(job.holds.rssBytes)), max: 8, leaves: 4, figures: true },
    ...(shown.some(({ job }) => job.holds.ports.length > 0)
      ? [{ title: 'PORT', cells: shown.map(({ job }) => job.holds.ports.join(',')), max: 11, leaves: 3, figures: true }]
      : []),
    { title: 'AGENT', cells: shown.map(({ job }) => agentName(job.agent, job.rule)), max: 13, leaves: 1 },
    {
      title: 'PROJECT',
      cells: shown.map(({ job }) => visibleText(projectName(job.project) ?? '–')),
      max: width >= wideFrom ? 24 : 14,
      leaves: 2,
    },
  ];
};

const details = ({ job, verdict, vetoes }: JudgedJob): readonly string[] => [
  ...vetoes.flatMap((veto) => {
    const advice = adviseVeto(veto);
    const why = `may not be ended: ${sayVeto(veto)} (process ${veto.pid})`;
    return advice === null ? [why] : [why, advice];
  }),
  inEnglish(sessionSaid(job.owner)),
  ...evidenceOf(job).map(sayEvidence),
  ...(job.project === null ? [] : [`project ${visibleText(job.project)}`]),
  ...(job.output === null || job.provenance.some(({ code }) => code === 'output')
    ? []
    : [`output ${visibleText(job.output)}`]),
  ...job.members.map((member) => `${inEnglish(memberSaid(member))}: ${visibleText(redactProcess(member.row))}`),
  ...(verdict.atMs === null
    ? []
    : [`${verdict.state === 'protected' ? 'hard cap' : 'next decision'} ${formatMoment(verdict.atMs, Date.now())}`]),
];

const attachedTo = ({ name, image }: AttachedContainer): string =>
  `attached to container ${visibleText(name)}${image === null ? '' : `, image ${visibleText(image)}`}`;

const holding = ({ job }: JudgedJob): string =>
  [sayHeld(job.members.length, job.holds), ...(job.container === undefined ? [] : [attachedTo(job.container)])].join(
    ', ',
  );

export interface ScanTableOptions {
  readonly explain: boolean;
  readonly all: boolean;
  /** What ends a due job: an end is announced only where a supervisor runs that ends it. */
  readonly ends?: Ends;
  /** It is a list of what is named elsewhere: without the verdict and what to type next. */
  readonly bare?: true;
  /** What is short or piles up on the machine of the look; left out: not told. */
  readonly piled?: readonly PileUp[];
}

/**
 * Returns a scan for people: the verdict, one line a job, the worst first, and what to type next.
 * Reasons and evidence stand under each job where they are asked for.
 */
export const scanTable = (
  look: Look,
  output: Pick<Output, 'colour' | 'columns'>,
  options: ScanTableOptions,
  leftOpen: readonly LeftOpenItem[] = [],
  costs: SessionCosts | null = null,
): string => {
  const width = output.columns;
  const nowMs = look.table.takenAtMs;
  const shown = worstFirst(look.jobs.values()).filter((judged) => options.all || isShownAlways(judged));
  const hidden = [...look.jobs.values()].filter(({ verdict }) => verdict.state === 'protected');
  const leftOut = options.all
    ? { protectedJobs: 0, servers: 0 }
    : { protectedJobs: hidden.length, servers: look.jobs.size - shown.length - hidden.length };
  const sum = sumOf(look, options.all, options.ends ?? 'unknown');
  const lines: string[] = options.bare === true ? [] : [...wrap(sayScan(sum), width), ''];
  const columns = columnsOf(shown, options, nowMs, width);
  const layout = layOut(columns, width, minCommand);
  if (shown.length > 0) {
    const titles = tableCells(
      columns.map(({ title }) => title),
      'COMMAND',
      layout,
    );
    lines.push(paint(output, 'dim', titles.join(columnGap)));
  }
  shown.forEach((judged, at) => {
    const { job, verdict } = judged;
    const style = styles[tones[verdict.state]];
    const command = visibleText(listedCommand(job));
    const [state = '', ...rest] = tableCells(
      columns.map(({ cells }) => cells[at] ?? ''),
      command,
      layout,
    );
    lines.push([paint(output, style, state), ...rest].join(columnGap).trimEnd());
    const indent = ' '.repeat(width < 60 ? 2 : 11);
    const end = width >= wideFrom ? '' : endOf(judged, options, nowMs);
    const why = [...verdict.reasons.map(sayReason), holding(judged)].join(' · ');
    if (end !== '') lines.push(indent + paint(output, style, end));
    // What is protected is listed for its reason.
    if (!options.explain && !(options.all && verdict.state === 'protected')) return;
    for (const line of wrap(why, width - indent.length)) lines.push(indent + paint(output, 'dim', line));
    if (!options.explain) return;
    for (const detail of details(judged)) {
      const [first = '', ...further] = wrapWords(detail, width - indent.length - 4);
      lines.push(`${indent}- ${first}`, ...further.map((line) => `${indent}  ${line}`));
    }
  });
  if (shown.length > 0) lines.push('');
  const where = { colour: output.colour, width };
  lines.push(...agentLines(look, where), ...leftOpenLines(leftOpen, nowMs, where), ...serverLines(costs, where));
  for (const { text, advice } of (options.piled ?? []).map(sayPileUp))
    lines.push(...wrap(inEnglish(joined(text, advice)), width), '');
  lines.push(...wrap(summary(look, leftOut), width));
  const next = options.bare === true ? null : sayNextAfterScan(sum, options.explain);
  if (next !== null) lines.push(...wrap(next, width));
  return `${lines.join('\n')}\n`;
};

/** Sessions whose process runs, also where it is not known which session that is. */
const runningSessions = (look: Look): number =>
  look.sessions.filter(({ state, process }) => state === 'live' || (state === 'unknown' && process !== null)).length;

const summary = (
  look: Look,
  { protectedJobs: hidden, servers }: { readonly protectedJobs: number; readonly servers: number },
): string => {
  const live = runningSessions(look);
  const looked = `looked at ${counted(look.table.rows.size, 'process', 'processes')} and ${counted(live, 'running session', 'running sessions')}`;
  const took = `in ${look.tookMs.toFixed(0)} ms`;
  const protectedJobs = hidden === 0 ? '' : ` ${counted(hidden, 'job is', 'jobs are')} protected (--all shows why).`;
  const further =
    servers === 0
      ? ''
      : ` ${counted(servers, 'server of a session is', 'servers of sessions are')} not ended (--all shows why).`;
  const hides = look.table.complete ? '' : ' The machine hides a part of its processes.';
  const said = `${took}.${protectedJobs}${further}${hides}`;
  return look.jobs.size === hidden + servers
    ? `No agent has left a command running: ${looked} ${said}`
    : `Curfew ${looked} ${said}`;
};
