import { agentName } from '../../../../app/text/agent-name.ts';
import type { Incident } from '../../../../app/history/incident.ts';
import { formatAge } from '../../../../app/format/age.ts';
import { sayReason } from '../../../../app/text/reasons.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import type { JudgedJob } from '../../../observing/look.ts';
import { fit, wrap } from '../../common/columns.ts';
import { incidentLines } from '../../common/incident-lines.ts';
import type { Output } from '../../common/output.ts';
import { paint } from '../../common/output.ts';

type Where = Pick<Output, 'colour' | 'columns'>;

const time = (): string => new Date().toTimeString().slice(0, 8);

const jobLines = (word: string, { job, verdict }: JudgedJob, output: Where, host: string | null): readonly string[] => {
  const on = host === null ? '' : ` on ${visibleText(host)}`;
  const width = Math.min(output.columns, 100);
  const head = `${time()} ${job.id}${on} ${word}: ${visibleText(job.command)}`;
  const why = verdict.reasons.map(sayReason).join('; ');
  return [
    paint(output, 'bold', fit(head, width)),
    fit(`         ${agentName(job.agent, job.rule)}, ${formatAge(job.ageSeconds)} old: ${why}`, width),
  ];
};

/** The lines of `watch` for each event, at most 100 columns wide. */
export const eventLines = {
  noticed: (judged: JudgedJob, output: Where, host: string | null = null): readonly string[] =>
    jobLines('needs a look', judged, output, host),
  reaping: (judged: JudgedJob, output: Where, host: string | null = null): readonly string[] =>
    jobLines('is being ended', judged, output, host),
  /** The machine became unreachable, or reachable again. */
  reach: (host: string, failure: Error | null, output: Where): readonly string[] => {
    const text = failure === null ? `${visibleText(host)} is back` : failure.message;
    const [first = '', ...rest] = wrap(text, Math.min(output.columns, 100) - 9);
    return [`${time()} ${first}`, ...rest.map((line) => `         ${line}`)];
  },
  ended: (incident: Incident, output: Where): readonly string[] => {
    const [head = '', ...rest] = incidentLines(incident, { ...output, columns: Math.min(output.columns, 100) - 9 });
    return [`${time()} ${head}`, ...rest.map((line) => `       ${line}`)];
  },
};
