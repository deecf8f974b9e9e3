import { words, worded, spoken, size, reasonWords, count } from './words.ts';
import { several, agoSaid } from '../../../app/text/form.ts';
import { isShownAgent } from '../../../app/documents/agents.ts';
import { endsAtMs } from '../../../app/documents/job.ts';
import { fateOf } from '../../../app/contract/claims/fate.ts';
import type { SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { formatAge } from '../../../app/format/age.ts';
import { redactProcess } from '../../../app/format/secrets/redact.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { isShownAlways } from '../../../app/judge/shown.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { evidenceOf } from '../../../app/model/evidence.ts';
import type { AttachedContainer } from '../../../app/model/job.ts';
import { ageSeconds } from '../../../app/process/table.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { evidenceSaid, memberSaid, sessionSaid } from '../../../app/text/evidence.ts';
import { listedCommand, sayHeld } from '../../../app/text/job.ts';
import { leftOpenNamed, commandText, leftOpenRefused, sayOwnerOfLeftOpen } from '../../../app/text/left-open.ts';
import type { PileUp } from '../../../app/diagnose/whole-machine.ts';
import { sayPileUp } from '../../../app/text/pile-ups.ts';
import { reachWordSaid, reachSaid, endRefused, usedSaid } from '../../../app/text/reach.ts';
import { say, listed, joined } from '../../../app/text/say.ts';
import { type Ends, type ScanSum, sayNextAfterScan, sayScan } from '../../../app/text/scan-verdict.ts';
import { countServers, sayAllOlderSets } from '../../../app/text/sessions.ts';
import { type Tone, englishStates, sayEnd, tones } from '../../../app/text/states.ts';
import { vetoSaid, adviseVeto } from '../../../app/text/vetoes.ts';
import type { LeftOpenItem } from '../../left-open/found.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import type { RunningAgent } from '../../../app/model/running-agent.ts';
import { type Column, column, columnGap, layOut, tableCells, wrap, wrapWords } from './table.ts';
import { type Output, paint } from './output.ts';
import { shownPath } from './removal.ts';

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
  size(rows.reduce((sum, { rssBytes }) => sum + rssBytes, 0));

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
    count(tree.length, 'process'),
    memoryOf(tree),
    ...(cpuPercent === null ? [] : [worded('{percent} % of a core', { percent: Math.round(cpuPercent) })]),
    ...(lastWriteMs === null ? [] : [worded('transcript last written {when}', { when: agoSaid(lastWriteMs, nowMs) })]),
  ].join(', ');

const howToEnd = (seen: RunningAgent, nowMs: number): string => {
  const { process, reach, ownEnd, job } = seen;
  const command = `curfew reap --agent-pid ${process.pid}`;
  if (ownEnd !== null)
    return worded('end it: {command}, which runs: {runs}', { command, runs: commandText(ownEnd.command) });
  if (job !== null) return worded('end it: {command}', { command });
  return words(endRefused(reach, null, usedSaid(seen, nowMs)) ?? say('it can’t be ended from here'));
};

/** Returns the agents that no user may be able to reach, as lines below the table of jobs. */
const agentLines = ({ agents, table }: Pick<Look, 'agents' | 'table'>, where: Where): readonly string[] =>
  section(worded('AGENTS THAT MAY BE OUT OF REACH'), (agents ?? []).filter(isShownAgent), where, (seen) => {
    const { process, project, reach, agent } = seen;
    const age = formatAge(ageSeconds(table, process.startTicks));
    const place = project === null ? '' : `  ${shownPath(project)}`;
    const head = `${column(words(reachWordSaid(reach.state)), spoken() === null ? 11 : 16)}  ${worded('process {pid}', { pid: process.pid })}  ${agentName(agent, agent)}  ${age}${place}`;
    return [
      paint(where, reach.state === 'unreachable' ? 'yellow' : 'dim', head),
      ...quiet([words(reachSaid(reach)), heldByAgent(seen, table.takenAtMs), howToEnd(seen, table.takenAtMs)], where),
    ];
  });

const heldOpen = ({ leftOpen: { inside, image } }: LeftOpenItem): string => {
  const [first, ...rest] = inside;
  const process = first === undefined ? '' : visibleText(redactProcess(first));
  return [
    ...(image === null ? [] : [worded('image {image}', { image: shownPath(image) })]),
    process === ''
      ? worded('no process of it is seen')
      : rest.length === 0
        ? worded('runs {process}', { process })
        : worded('runs {process} and {count} more', { process, count: rest.length }),
    memoryOf(inside),
  ].join(', ');
};

/** Returns what tool calls left open, as lines below the table of jobs. */
const leftOpenLines = (found: readonly LeftOpenItem[], nowMs: number, where: Where): readonly string[] =>
  section(worded('LEFT OPEN BY AGENTS'), found, where, (one) => {
    const { leftOpen } = one;
    const age = formatAge(Math.max(0, (nowMs - leftOpen.startedAtMs) / 1000));
    const project = leftOpen.project === null ? '' : `  ${shownPath(leftOpen.project)}`;
    const how = words(
      leftOpenRefused(leftOpen) ?? say('end it: {command}', { command: `curfew reap --left-open ${leftOpen.id}` }),
    );
    return [
      `${leftOpen.id}  ${words(leftOpenNamed(leftOpen))}  ${agentName(leftOpen.agent, leftOpen.agent)}  ${age}${project}`,
      ...quiet([heldOpen(one), words(sayOwnerOfLeftOpen(leftOpen)), how], where),
    ];
  });

/** Returns what the servers of each session cost, as lines below the table of jobs. */
const serverLines = (costs: SessionCosts | null, where: Where): readonly string[] =>
  section(worded('SERVERS OF SESSIONS'), costs?.sessions.filter(({ servers }) => servers > 0) ?? [], where, (one) => {
    const process = one.pid === null ? '' : `, ${worded('process {pid}', { pid: one.pid })}`;
    const project = one.project === null ? '' : `, ${shownPath(one.project)}`;
    const text = `${one.agentName}${process}${project}: ${words(countServers(one))}`;
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
  return fate.kind === 'ends' && fate.isUrgent ? words(sayEnd(fate.seconds)) : '';
};

/** The columns of these jobs, all but the command. */
const columnsOf = (
  shown: readonly JudgedJob[],
  options: ScanTableOptions,
  nowMs: number,
  width: number,
): readonly Column[] => {
  const state = (judged: JudgedJob): string => {
    const word = worded(englishStates[judged.verdict.state]);
    const end = width >= wideFrom ? endOf(judged, options, nowMs) : '';
    return end === '' ? word : `${word}, ${end}`;
  };
  return [
    { title: worded('STATE'), cells: shown.map(state), max: spoken() === null ? 28 : 36, leaves: null },
    { title: worded('JOB'), cells: shown.map(({ job }) => job.id), max: 8, leaves: null },
    {
      title: worded('AGE'),
      cells: shown.map(({ job }) => formatAge(job.ageSeconds)),
      max: 11,
      leaves: 5,
      figures: true,
    },
    {
      title: worded('MEM'),
      cells: shown.map(({ job }) => size(job.holds.rssBytes)),
      max: 8,
      leaves: 4,
      figures: true,
    },
    ...(shown.some(({ job }) => job.holds.ports.length > 0)
      ? [
          {
            title: worded('PORT'),
            cells: shown.map(({ job }) => job.holds.ports.join(',')),
            max: 11,
            leaves: 3,
            figures: true,
          },
        ]
      : []),
    { title: worded('AGENT'), cells: shown.map(({ job }) => agentName(job.agent, job.rule)), max: 13, leaves: 1 },
    {
      title: worded('PROJECT'),
      cells: shown.map(({ job }) => shownPath(projectName(job.project) ?? '–')),
      max: width >= wideFrom ? 24 : 14,
      leaves: 2,
    },
  ];
};

const details = ({ job, verdict, vetoes }: JudgedJob): readonly string[] => [
  ...vetoes.flatMap((veto) => {
    const advice = adviseVeto(veto);
    const why = worded('may not be ended: {why} (process {pid})', { why: vetoSaid(veto), pid: veto.pid });
    return advice === null ? [why] : [why, words(advice)];
  }),
  words(sessionSaid(job.owner)),
  ...evidenceOf(job).map((one) => safeName(words(evidenceSaid(one)))),
  ...(job.project === null ? [] : [worded('project {project}', { project: shownPath(job.project) })]),
  ...(job.output === null || job.provenance.some(({ code }) => code === 'output')
    ? []
    : [worded('output {path}', { path: shownPath(job.output) })]),
  ...job.members.map((member) => `${words(memberSaid(member))}: ${visibleText(redactProcess(member.row))}`),
  ...(verdict.atMs === null
    ? []
    : [
        worded(verdict.state === 'protected' ? 'hard cap {when}' : 'next decision {when}', {
          when: agoSaid(verdict.atMs, Date.now()),
        }),
      ]),
];

const attachedTo = ({ name, image }: AttachedContainer): string =>
  image === null
    ? worded('attached to container {name}', { name: shownPath(name) })
    : worded('attached to container {name}, image {image}', { name: shownPath(name), image: shownPath(image) });

const holding = ({ job }: JudgedJob): string =>
  [
    words(sayHeld(job.members.length, job.holds)),
    ...(job.container === undefined ? [] : [attachedTo(job.container)]),
  ].join(', ');

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
  const lines: string[] = options.bare === true ? [] : [...wrap(words(sayScan(sum)), width), ''];
  const columns = columnsOf(shown, options, nowMs, width);
  const layout = layOut(columns, width, minCommand);
  if (shown.length > 0) {
    const titles = tableCells(
      columns.map(({ title }) => title),
      worded('COMMAND'),
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
    const reasons = verdict.reasons.map((one) => safeName(reasonWords(one, job.owner.evidence)));
    const why = [...reasons, holding(judged)].join(' · ');
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
  const older = costs === null ? null : sayAllOlderSets(costs);
  if (older !== null) lines.push(...wrap(words(older), width), '');
  for (const { text, advice } of (options.piled ?? []).map(sayPileUp))
    lines.push(...wrap(words(joined(text, advice)), width), '');
  lines.push(...wrap(summary(look, leftOut), width));
  const next = options.bare === true ? null : sayNextAfterScan(sum, options.explain);
  if (next !== null) lines.push(...wrap(words(next), width));
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
  const looked = say('looked at {processes} and {sessions} in {took} ms.', {
    processes: several(look.table.rows.size, 'process'),
    sessions: several(live, 'running session'),
    took: look.tookMs.toFixed(0),
  });
  const said = listed(
    [
      looked,
      hidden === 0
        ? ''
        : say(
            hidden === 1
              ? ' {count} job is protected (--all shows why).'
              : ' {count} jobs are protected (--all shows why).',
            { count: hidden },
          ),
      servers === 0
        ? ''
        : say(
            servers === 1
              ? ' {count} server of a session is not ended (--all shows why).'
              : ' {count} servers of sessions are not ended (--all shows why).',
            { count: servers },
          ),
      look.table.complete ? '' : say(' The machine hides a part of its processes.'),
    ],
    '',
  );
  return worded(
    look.jobs.size === hidden + servers ? 'No agent has left a command running: {looked}' : 'Curfew {looked}',
    { looked: said },
  );
};
