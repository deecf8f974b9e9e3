import { isShownAgent } from '../../../app/contract/sightings/agent-view-of.ts';
import { formatAge, formatMoment } from '../../../app/format/age.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { ageSeconds } from '../../../app/process/table.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { commandText } from '../../../app/text/left-open.ts';
import { reachWord, refuseEnd, sayReach } from '../../../app/text/reach.ts';
import type { RunningAgent, Look } from '../../observing/look.ts';
import { column, wrap } from './columns.ts';
import { type Output, paint } from './output.ts';

const holding = ({ tree, cpuPercent, lastWriteMs }: RunningAgent, nowMs: number): string => {
  const memory = formatBytes(tree.reduce((sum, { rssBytes }) => sum + rssBytes, 0));
  return [
    `${tree.length} process${tree.length === 1 ? '' : 'es'}`,
    memory,
    ...(cpuPercent === null ? [] : [`${Math.round(cpuPercent)} % of a core`]),
    ...(lastWriteMs === null ? [] : [`transcript last written ${formatMoment(lastWriteMs, nowMs)}`]),
  ].join(', ');
};

const howToEnd = ({ process, reach, ownEnd, job }: RunningAgent): string => {
  const command = `curfew reap --agent-pid ${process.pid}`;
  if (ownEnd !== null) return `end it: ${command}, which runs: ${commandText(ownEnd.command)}`;
  if (job !== null) return `end it: ${command}`;
  return refuseEnd(reach, null) ?? 'it can’t be ended from here';
};

/** Returns the agents that no user may be able to reach, as lines below the table of jobs. */
export const agentLines = (
  look: Pick<Look, 'agents' | 'table'>,
  output: Pick<Output, 'colour' | 'columns'>,
  width: number,
): readonly string[] => {
  const shown = (look.agents ?? []).filter(isShownAgent);
  if (shown.length === 0) return [];
  const indent = '  ';
  const lines = [paint(output, 'dim', 'AGENTS THAT MAY BE OUT OF REACH')];
  for (const seen of shown) {
    const age = formatAge(ageSeconds(look.table, seen.process.startTicks));
    const project = seen.project === null ? '' : `  ${visibleText(seen.project)}`;
    const head = `${column(reachWord(seen.reach.state), 11)}  process ${seen.process.pid}  ${agentName(seen.agent, seen.agent)}  ${age}${project}`;
    lines.push(paint(output, seen.reach.state === 'unreachable' ? 'yellow' : 'dim', head));
    for (const text of [sayReach(seen.reach), holding(seen, look.table.takenAtMs), howToEnd(seen)])
      for (const line of wrap(text, width - indent.length)) lines.push(indent + paint(output, 'dim', line));
  }
  return [...lines, ''];
};
