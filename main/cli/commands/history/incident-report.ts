import { vetoSaid } from '../../../../app/text/vetoes.ts';
import { several } from '../../../../app/text/form.ts';
import { targetSaid, shortfallOf, freedSaid, endingSaid } from '../../../../app/text/outcomes.ts';
import { wordsOr, words, worded, spoken, size, reasonWords, decimal } from '../../common/words.ts';
import { say, type Form } from '../../../../app/text/say.ts';
import { formatLimit } from '../../../../app/format/age.ts';
import { visibleLines, visibleText } from '../../../../app/format/visible.ts';
import type { Incident, IncidentEvent } from '../../../../app/history/incident.ts';
import { sayWhose } from '../../../../app/text/job.ts';
import { wrapWords } from '../../common/table.ts';
import { type Output, paint } from '../../common/output.ts';
import { localMoment } from './history-table.ts';

const deciders = {
  rule: 'automatically, by its limits',
  person: 'by you',
  hook: 'by a hook: its session said that it ends',
  command: 'by `curfew reap`',
  agent: 'by its own session, through `curfew mcp`',
} as const satisfies Readonly<Record<Incident['decidedBy'], Form>>;

const eventLine = (event: IncidentEvent): string => {
  switch (event.kind) {
    case 'signal': {
      const { signal, result, note } = event.signal;
      const target = targetSaid(event.signal.target);
      const what =
        result === 'sent'
          ? worded('{signal} sent to {target}', { signal, target })
          : worded('{signal} to {target}: {result}', { signal, target, result: say(result) });
      return note === null ? what : `${what} (${wordsOr(event.signal.said, note)})`;
    }
    case 'veto':
      return event.vetoes
        .map((veto) => worded('protected: {why} (process {pid})', { why: vetoSaid(veto), pid: veto.pid }))
        .join('; ');
    case 'died':
      return worded(event.pids.length === 1 ? 'ended: process {pids}' : 'ended: processes {pids}', {
        pids: event.pids.join(', '),
      });
    case 'note':
      return wordsOr(event.said, event.text);
    case 'ended':
      return worded('outcome: {outcome}', { outcome: endingSaid(event.outcome) });
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
  const freed = freedSaid(incident.freed);
  const outcome = [
    words(endingSaid(incident.outcome)),
    ...(freed === null ? [] : [worded('freed {freed}', { freed })]),
  ].join(', ');
  lines.push(
    ...wrapWords(visibleText(incident.command), width).map((line) => paint(output, 'bold', line)),
    ...wrapWords(visibleText(words(sayWhose(incident))), width),
    ...wrapWords(`${localMoment(incident.atMs)}: ${outcome}`, width),
  );
  const shortfall = words(shortfallOf(incident));
  section(worded('What is left'), shortfall === '' ? [] : [shortfall]);
  section(worded('Why'), [
    ...incident.reasons.map((one) => reasonWords(one, incident.ownerSaid)),
    worded('decided {by}', { by: say(deciders[incident.decidedBy]) }),
  ]);
  section(worded('Evidence'), [
    spoken()?.voice.owner(incident.owner, incident.ownerEvidence, incident.ownerSaid) ?? incident.ownerEvidence,
    ...incident.evidence.map((one, at) => wordsOr(incident.evidenceSaid?.[at], one)),
  ]);
  section(worded('Time line'), [
    worded('decision recorded: {signal} first, KILL after {grace}', {
      signal: incident.firstSignal,
      grace: formatLimit(incident.graceSeconds),
    }),
    ...incident.events.map(
      (event) => `+${decimal(((eventMs(event) - incident.atMs) / 1000).toFixed(1))} s  ${eventLine(event)}`,
    ),
  ]);
  section(
    worded('{processes} at the start', { processes: several(incident.processes.length, 'process') }),
    incident.processes.map(({ pid, args, rssBytes }) => `${pid}  ${size(rssBytes)}  ${args}`),
  );
  section(worded('Where'), [
    worded('incident {id}', { id: incident.id }),
    worded('job {id}', { id: incident.job }),
    ...(incident.session === null ? [] : [worded('session {id}', { id: incident.session })]),
    ...(incident.output === null ? [] : [worded('output {path}', { path: incident.output })]),
  ]);
  if (incident.outputTail !== null && incident.outputTail !== '') {
    lines.push('', paint(output, 'bold', worded('Its last output')));
    for (const line of visibleLines(incident.outputTail).split('\n'))
      for (const part of wrapWords(line.replaceAll('\t', '  '), Math.max(8, width - 2))) lines.push(`  ${part}`);
  }
  return `${lines.join('\n')}\n`;
};
