import { formatAge } from '../../../app/format/age.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { english } from '../../../app/text/english.ts';
import { leftOpenWord, sayOwnerOfLeftOpen } from '../../../app/text/left-open.ts';
import type { LeftOpenItem } from '../../left-open/found.ts';
import { wrap } from './columns.ts';
import { type Output, paint } from './output.ts';

const holding = ({ leftOpen: { inside, image } }: LeftOpenItem): string => {
  const [first, ...rest] = inside;
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`;
  return [
    ...(image === null ? [] : [`image ${visibleText(image)}`]),
    first === undefined
      ? 'no process of it is seen'
      : `runs ${visibleText(english.args(first.argv, first.comm))}${more}`,
    formatBytes(inside.reduce((sum, { rssBytes }) => sum + rssBytes, 0)),
  ].join(', ');
};

/** Returns what tool calls left open, as lines below the table of jobs. */
export const leftOpenLines = (
  found: readonly LeftOpenItem[],
  nowMs: number,
  output: Pick<Output, 'colour'>,
  width: number,
): readonly string[] => {
  if (found.length === 0) return [];
  const indent = '  ';
  const lines = [paint(output, 'dim', 'LEFT OPEN BY AGENTS')];
  for (const one of found) {
    const { leftOpen } = one;
    const age = formatAge(Math.max(0, (nowMs - leftOpen.startedAtMs) / 1000));
    const project = leftOpen.project === null ? '' : `  ${visibleText(leftOpen.project)}`;
    lines.push(
      `${leftOpen.id}  ${leftOpenWord(leftOpen)}  ${agentName(leftOpen.agent, leftOpen.agent)}  ${age}${project}`,
    );
    const how = english.leftOpenRefusal(leftOpen) ?? `end it: curfew reap --left-open ${leftOpen.id}`;
    for (const text of [holding(one), sayOwnerOfLeftOpen(leftOpen), how])
      for (const line of wrap(text, width - indent.length)) lines.push(indent + paint(output, 'dim', line));
  }
  return [...lines, ''];
};
