import type { SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { isShownAgent } from '../../../app/contract/sightings/agent-view-of.ts';
import { formatAge, formatMoment } from '../../../app/format/age.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { ageSeconds } from '../../../app/process/table.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { english } from '../../../app/text/english.ts';
import { counted } from '../../../app/text/figures.ts';
import { commandText, leftOpenWord, sayOwnerOfLeftOpen } from '../../../app/text/left-open.ts';
import { reachWord, refuseEnd, sayReach } from '../../../app/text/reach.ts';
import { countServers } from '../../../app/text/sessions.ts';
import type { LeftOpenItem } from '../../left-open/found.ts';
import type { Look, RunningAgent } from '../../observing/look.ts';
import { column, wrap } from './columns.ts';
import { type Output, paint } from './output.ts';

/** Where the lines go. */
type Where = Pick<Output, 'colour'> & { readonly width: number };

const indent = '  ';

const memoryOf = (rows: readonly { readonly rssBytes: number }[]): string =>
  formatBytes(rows.reduce((sum, { rssBytes }) => sum + rssBytes, 0));

const quiet = (texts: readonly string[], where: Where): readonly string[] =>
  texts.flatMap((text) => wrap(text, where.width - indent.length)).map((line) => indent + paint(where, 'dim', line));

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
  return refuseEnd(reach, null) ?? 'it can’t be ended from here';
};

/** Returns the agents that no user may be able to reach, as lines below the table of jobs. */
export const agentLines = ({ agents, table }: Pick<Look, 'agents' | 'table'>, where: Where): readonly string[] =>
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
    first === undefined
      ? 'no process of it is seen'
      : `runs ${visibleText(english.args(first.argv, first.comm))}${more}`,
    memoryOf(inside),
  ].join(', ');
};

/** Returns what tool calls left open, as lines below the table of jobs. */
export const leftOpenLines = (found: readonly LeftOpenItem[], nowMs: number, where: Where): readonly string[] =>
  section('LEFT OPEN BY AGENTS', found, where, (one) => {
    const { leftOpen } = one;
    const age = formatAge(Math.max(0, (nowMs - leftOpen.startedAtMs) / 1000));
    const project = leftOpen.project === null ? '' : `  ${visibleText(leftOpen.project)}`;
    const how = english.leftOpenRefusal(leftOpen) ?? `end it: curfew reap --left-open ${leftOpen.id}`;
    return [
      `${leftOpen.id}  ${leftOpenWord(leftOpen)}  ${agentName(leftOpen.agent, leftOpen.agent)}  ${age}${project}`,
      ...quiet([heldOpen(one), sayOwnerOfLeftOpen(leftOpen), how], where),
    ];
  });

/** Returns what the servers of each session cost, as lines below the table of jobs. */
export const serverLines = (costs: SessionCosts | null, where: Where): readonly string[] =>
  section('SERVERS OF SESSIONS', costs?.sessions.filter(({ servers }) => servers > 0) ?? [], where, (one) => {
    const process = one.pid === null ? '' : `, process ${one.pid}`;
    const project = one.project === null ? '' : `, ${visibleText(one.project)}`;
    const text = `${one.agentName}${process}${project}: ${countServers(one)}`;
    return wrap(text, where.width - indent.length).map((line) => indent + line);
  });
