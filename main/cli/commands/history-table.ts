import { signatureOf } from '../../../app/agents/signatures.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { formatAge } from '../../../app/text/age.ts';
import { sayFreed } from '../../../app/text/outcomes.ts';
import { sayReason } from '../../../app/text/reasons.ts';
import { sayVeto } from '../../../app/text/vetoes.ts';
import { visibleText } from '../../../app/text/visible.ts';
import { column, fit } from '../columns.ts';
import type { Output } from '../output.ts';
import { paint } from '../output.ts';

/** The table never gets wider than this, so that it can be pasted into a report. */
const widest = 100;

const words: Readonly<
  Record<
    NonNullable<Incident['outcome']> | 'unfinished',
    { readonly word: string; readonly style: 'green' | 'yellow' | 'red' | 'dim' }
  >
> = {
  reaped: { word: 'ended', style: 'green' },
  killed: { word: 'killed', style: 'green' },
  survived: { word: 'survived', style: 'red' },
  spared: { word: 'spared', style: 'yellow' },
  vanished: { word: 'gone already', style: 'dim' },
  interrupted: { word: 'interrupted', style: 'yellow' },
  unfinished: { word: 'not finished', style: 'yellow' },
};

const widths = { moment: 16, outcome: 12 };
const gap = '  ';

const two = (value: number): string => String(value).padStart(2, '0');

/** Local time to the minute: people look for "last night", not for milliseconds. */
const localMoment = (atMs: number): string => {
  const date = new Date(atMs);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

const projectName = (project: string | null): readonly string[] => {
  const name = project?.split(/[/\\]/u).findLast((part) => part !== '');
  return name === undefined ? [] : [`in ${visibleText(name)}`];
};

const deciders: Readonly<Record<Incident['decidedBy'], string>> = {
  rule: '',
  person: 'by hand',
  hook: 'by a hook',
  command: 'by command',
};

const result = (incident: Incident): string => {
  const { outcome, survivors, freed } = incident;
  const parts = [
    ...(freed.processes > 0 ? [`freed ${sayFreed(freed)}`] : []),
    ...(survivors.length > 0
      ? [`still there: ${survivors.map(({ pid, args }) => `${pid} ${visibleText(args)}`).join(', ')}`]
      : []),
    ...(outcome === 'spared'
      ? incident.events.flatMap((event) => (event.kind === 'veto' ? event.vetoes.map(sayVeto) : []))
      : []),
  ];
  return parts.join('; ');
};

/** An incident as two or three lines of at most 100 columns: when, how it ended and what it was; whose it was and why; what came of it. */
export const historyRow = (incident: Incident, output: Pick<Output, 'colour' | 'columns'>): readonly string[] => {
  const width = Math.min(output.columns, widest);
  const { word, style } = words[incident.outcome ?? 'unfinished'];
  const indent = ' '.repeat(widths.moment + gap.length);
  const commandWidth = width - widths.moment - widths.outcome - 2 * gap.length;
  const whose = [
    signatureOf(incident.agent).name,
    ...projectName(incident.project),
    ...(incident.host === 'local' ? [] : [`on ${visibleText(incident.host)}`]),
    `${formatAge(incident.ageSeconds)} old`,
    deciders[incident.decidedBy],
  ].filter((part) => part !== '');
  const why = incident.reasons.map(sayReason).join('; ');
  const after = result(incident);
  return [
    [
      localMoment(incident.atMs),
      paint(output, style, column(word, widths.outcome)),
      fit(visibleText(incident.command), Math.max(12, commandWidth)),
    ].join(gap),
    indent + paint(output, 'dim', fit(`${whose.join(', ')}: ${why}`, width - indent.length)),
    ...(after === '' ? [] : [indent + fit(after, width - indent.length)]),
  ];
};
