import { withoutFolder } from '../../../../app/format/short-command.ts';
import type { Incident, Outcome } from '../../../../app/history/incident.ts';
import { projectName } from '../../../../app/format/project-name.ts';
import { outcomeWord, sayFreed, sayShortfall } from '../../../../app/text/outcomes.ts';
import { sayWhose, sayWhy } from '../../../../app/text/job.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import { column, fitMiddle, wrap } from '../../common/table.ts';
import type { Output } from '../../common/output.ts';
import { paint } from '../../common/output.ts';

const styles: Readonly<Record<Outcome | 'unfinished', 'green' | 'yellow' | 'red' | 'dim'>> = {
  reaped: 'green',
  killed: 'green',
  survived: 'red',
  spared: 'yellow',
  vanished: 'dim',
  interrupted: 'yellow',
  unfinished: 'yellow',
};

const widths = { moment: 16, outcome: 16 };
const gap = '  ';

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns local time to the minute: users search for "last night", not for milliseconds. */
export const localMoment = (atMs: number): string => {
  const date = new Date(atMs);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

const deciders: Readonly<Record<Incident['decidedBy'], string>> = {
  rule: '',
  person: ', by hand',
  hook: ', by a hook',
  command: ', by command',
  agent: ', by its session',
};

const result = (incident: Incident): string => {
  const { freed } = incident;
  return [freed.processes > 0 ? `freed ${sayFreed(freed)}` : '', sayShortfall(incident)]
    .filter((part) => part !== '')
    .join('; ');
};

/**
 * Returns an incident in some lines as wide as the terminal: when, how it ended and what it was;
 * its owner and the reason; the result.
 */
export const historyRow = (incident: Incident, output: Pick<Output, 'colour' | 'columns'>): readonly string[] => {
  const width = output.columns;
  const style = styles[incident.outcome ?? 'unfinished'];
  const indent = ' '.repeat(widths.moment + gap.length);
  const commandWidth = width - widths.moment - widths.outcome - 2 * gap.length;
  const project = projectName(incident.project);
  const whose = visibleText(sayWhose({ ...incident, project }) + deciders[incident.decidedBy]);
  const after = [result(incident), `job ${incident.job}`].filter((part) => part !== '').join(' · ');
  return [
    [
      localMoment(incident.atMs),
      paint(output, style, column(outcomeWord(incident.outcome), widths.outcome)),
      fitMiddle(visibleText(withoutFolder(incident.command)), Math.max(12, commandWidth)),
    ].join(gap),
    ...wrap(`${whose}: ${sayWhy(incident.reasons)}`, width - indent.length).map(
      (line) => indent + paint(output, 'dim', line),
    ),
    ...wrap(after, width - indent.length).map((line) => indent + line),
  ];
};
