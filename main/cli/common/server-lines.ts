import type { SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { countServers } from '../../../app/text/sessions.ts';
import { wrap } from './columns.ts';
import { type Output, paint } from './output.ts';

/** Returns what the servers of each session cost, as lines below the table of jobs. */
export const serverLines = (
  costs: SessionCosts | null,
  output: Pick<Output, 'colour'>,
  width: number,
): readonly string[] => {
  const serving = costs?.sessions.filter(({ servers }) => servers > 0) ?? [];
  if (serving.length === 0) return [];
  const indent = '  ';
  const lines = [paint(output, 'dim', 'SERVERS OF SESSIONS')];
  for (const one of serving) {
    const process = one.pid === null ? '' : `, process ${one.pid}`;
    const project = one.project === null ? '' : `, ${visibleText(one.project)}`;
    const text = `${one.agentName}${process}${project}: ${countServers(one)}`;
    for (const line of wrap(text, width - indent.length)) lines.push(indent + line);
  }
  return [...lines, ''];
};
