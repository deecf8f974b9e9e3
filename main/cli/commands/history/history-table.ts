import { count, size, words, worded, whyWords, spoken } from '../../common/words.ts';
import { shortfallOf, freedSaid, endingSaid } from '../../../../app/text/outcomes.ts';
import type { Form } from '../../../../app/text/say.ts';
import { shownPath } from '../../common/removal.ts';
import { withoutFolder } from '../../../../app/format/short-command.ts';
import type { Incident, Outcome } from '../../../../app/history/incident.ts';
import type { Removal } from '../../../../app/history/removal.ts';
import { projectName } from '../../../../app/format/project-name.ts';
import { sayWhose } from '../../../../app/text/job.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import { column, fitMiddle, wrap } from '../../common/table.ts';
import { type Output, paint } from '../../common/output.ts';

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
  const tongue = spoken();
  if (tongue !== null) return tongue.minute(atMs);
  const date = new Date(atMs);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

const deciders = {
  rule: null,
  person: ', by hand',
  hook: ', by a hook',
  command: ', by command',
  agent: ', by its session',
} as const satisfies Readonly<Record<Incident['decidedBy'], Form | null>>;

const result = (incident: Incident): string => {
  const freed = incident.freed.processes > 0 ? freedSaid(incident.freed) : null;
  return [freed === null ? '' : worded('freed {freed}', { freed }), words(shortfallOf(incident))]
    .filter((part) => part !== '')
    .join('; ');
};

/** Returns a removal in lines of terminal width: when, where; what, how much, what asked, why. */
export const removalRow = (removal: Removal, output: Pick<Output, 'colour' | 'columns'>): readonly string[] => {
  const { atMs, what, path, files, bytes, why, by } = removal;
  const width = output.columns;
  const indent = ' '.repeat(widths.moment + gap.length);
  const pathWidth = width - widths.moment - widths.outcome - 2 * gap.length;
  const amount = [...(files === 1 ? [] : [count(files, 'file')]), size(bytes)];
  const said = `${[words(what), ...amount].join(', ')}${worded(deciders[by])}: ${words(why)}`;
  return [
    [
      localMoment(atMs),
      paint(output, 'green', column(worded('removed'), widths.outcome)),
      fitMiddle(shownPath(path), Math.max(12, pathWidth)),
    ].join(gap),
    ...wrap(visibleText(said), width - indent.length).map((line) => indent + paint(output, 'dim', line)),
  ];
};

/** Returns an incident in lines of terminal width: when, how, what; owner, reason; result. */
export const historyRow = (incident: Incident, output: Pick<Output, 'colour' | 'columns'>): readonly string[] => {
  const width = output.columns;
  const style = styles[incident.outcome ?? 'unfinished'];
  const indent = ' '.repeat(widths.moment + gap.length);
  const commandWidth = width - widths.moment - widths.outcome - 2 * gap.length;
  const project = projectName(incident.project);
  const decider = deciders[incident.decidedBy];
  const whose = visibleText(words(sayWhose({ ...incident, project })) + (decider === null ? '' : worded(decider)));
  const after = [result(incident), worded('job {id}', { id: incident.job })].filter((part) => part !== '').join(' · ');
  return [
    [
      localMoment(incident.atMs),
      paint(output, style, column(words(endingSaid(incident.outcome)), widths.outcome)),
      fitMiddle(visibleText(withoutFolder(incident.command)), Math.max(12, commandWidth)),
    ].join(gap),
    ...wrap(`${whose}: ${whyWords(incident)}`, width - indent.length).map(
      (line) => indent + paint(output, 'dim', line),
    ),
    ...wrap(after, width - indent.length).map((line) => indent + line),
  ];
};
