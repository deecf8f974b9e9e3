import { formatLimit } from '../../../../app/format/age.ts';
import { formatBytes } from '../../../../app/format/bytes.ts';
import { visibleLines, visibleText } from '../../../../app/format/visible.ts';
import type { Incident, IncidentEvent } from '../../../../app/history/incident.ts';
import { counted, named } from '../../../../app/text/figures.ts';
import { sayWhose } from '../../../../app/text/job.ts';
import { outcomeWord, sayFreed, sayShortfall } from '../../../../app/text/outcomes.ts';
import { sayReason } from '../../../../app/text/reasons.ts';
import { sayVeto } from '../../../../app/text/say.ts';
import { wrapWords } from '../../common/table.ts';
import { type Output, paint } from '../../common/output.ts';
import { localMoment } from './history-table.ts';

const deciders: Readonly<Record<Incident['decidedBy'], string>> = {
  rule: 'automatically, by its limits',
  person: 'by you',
  hook: 'by a hook: its session said that it ends',
  command: 'by `curfew reap`',
  agent: 'by its own session, through `curfew mcp`',
};

const eventLine = (event: IncidentEvent): string => {
  switch (event.kind) {
    case 'signal': {
      const { signal, target, result, note } = event.signal;
      const what = result === 'sent' ? `${signal} sent to ${target}` : `${signal} to ${target}: ${result}`;
      return note === null ? what : `${what} (${note})`;
    }
    case 'veto':
      return event.vetoes.map((veto) => `protected: ${sayVeto(veto)} (process ${veto.pid})`).join('; ');
    case 'died':
      return `ended: ${named('process', event.pids, 'processes')}`;
    case 'note':
      return event.text;
    case 'ended':
      return `outcome: ${outcomeWord(event.outcome)}`;
  }
};

const eventMs = (event: IncidentEvent): number => (event.kind === 'signal' ? event.signal.atMs : event.atMs);

/** Returns everything on record of one incident, as wide as the terminal. */
export const incidentReport = (incident: Incident, output: Pick<Output, 'colour' | 'columns'>): string => {
  const width = output.columns;
  const lines: string[] = [];
  const section = (title: string, texts: readonly string[]): void => {
    if (texts.length === 0) return;
    lines.push('', paint(output, 'bold', title));
    for (const text of texts) {
      const [first = '', ...rest] = wrapWords(visibleText(text), Math.max(8, width - 4));
      lines.push(`  - ${first}`, ...rest.map((line) => `    ${line}`));
    }
  };
  const freed = sayFreed(incident.freed);
  const outcome = [outcomeWord(incident.outcome), ...(freed === 'nothing' ? [] : [`freed ${freed}`])].join(', ');
  lines.push(
    ...wrapWords(visibleText(incident.command), width).map((line) => paint(output, 'bold', line)),
    ...wrapWords(visibleText(sayWhose(incident)), width),
    ...wrapWords(`${localMoment(incident.atMs)}: ${outcome}`, width),
  );
  const shortfall = sayShortfall(incident);
  section('What is left', shortfall === '' ? [] : [shortfall]);
  section('Why', [...incident.reasons.map(sayReason), `decided ${deciders[incident.decidedBy]}`]);
  section('Evidence', [incident.ownerEvidence, ...incident.evidence]);
  const plan = `${incident.firstSignal} first, KILL after ${formatLimit(incident.graceSeconds)}`;
  section('Time line', [
    `decision recorded: ${plan}`,
    ...incident.events.map(
      (event) => `+${((eventMs(event) - incident.atMs) / 1000).toFixed(1)} s  ${eventLine(event)}`,
    ),
  ]);
  section(
    `${counted(incident.processes.length, 'process', 'processes')} at the start`,
    incident.processes.map(({ pid, args, rssBytes }) => `${pid}  ${formatBytes(rssBytes)}  ${args}`),
  );
  section('Where', [
    `incident ${incident.id}`,
    `job ${incident.job}`,
    ...(incident.session === null ? [] : [`session ${incident.session}`]),
    ...(incident.output === null ? [] : [`output ${incident.output}`]),
  ]);
  if (incident.outputTail !== null && incident.outputTail !== '') {
    lines.push('', paint(output, 'bold', 'Its last output'));
    for (const line of visibleLines(incident.outputTail).split('\n'))
      for (const part of wrapWords(line.replaceAll('\t', '  '), Math.max(8, width - 2))) lines.push(`  ${part}`);
  }
  return `${lines.join('\n')}\n`;
};
