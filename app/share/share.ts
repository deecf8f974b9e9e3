import { escapedMarkup } from '../format/markup.ts';
import { isAgentId } from '../agents/names.ts';
import { formatAge } from '../format/age.ts';
import type { Said } from '../format/said.ts';
import { isShownAlways } from '../judge/shown.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Job } from '../model/job.ts';
import { agentName } from '../text/agent-name.ts';
import { portsSaid, say, several, sized } from '../text/form.ts';
import { stateSaid } from '../text/states.ts';
import { sharedCommand } from './shared-command.ts';

/** A job as far as it is shared. */
export interface SharedJob {
  readonly job: Pick<Job, 'agent' | 'command' | 'ageSeconds' | 'holds' | 'members' | 'server' | 'kind'>;
  readonly verdict: Pick<Verdict, 'state'>;
}

/** Rows that are shown; a last line counts the others. */
const maxRows = 12;

const commandOf = ({ job }: SharedJob): Said =>
  sharedCommand(job.command) ?? (job.kind === 'server' ? say('a server') : say('another program'));

/**
 * Returns the cells of a table that may be shown to all: each is a figure, or a word of Curfew's
 * own. Nothing that a program, a user or a file named is in it, so nothing has to be found and
 * taken out.
 */
export const sharedRows = (jobs: readonly SharedJob[]): readonly (readonly Said[])[] => {
  const shown = jobs.filter(isShownAlways);
  const rows = shown.slice(0, maxRows).map((one): readonly Said[] => {
    const { agent, ageSeconds, holds, members } = one.job;
    return [
      stateSaid(one.verdict.state),
      formatAge(ageSeconds),
      sized(holds.rssBytes),
      agentName(isAgentId(agent) ? agent : 'other'),
      commandOf(one),
      several(members.length, 'process'),
      holds.ports.length === 0 ? '' : portsSaid(holds.ports),
    ];
  });
  return shown.length > maxRows ? [...rows, [say('and {count} more', { count: shown.length - maxRows })]] : rows;
};

const lineHeight = 20;
const characterWidth = 7.9;
const margin = 18;

/** Returns lines of text as a picture that needs no fonts but the viewer's. */
export const pictureOf = (lines: readonly string[]): string => {
  const width = Math.ceil(Math.max(40, ...lines.map(({ length }) => length)) * characterWidth) + 2 * margin;
  const height = lines.length * lineHeight + 2 * margin;
  const shown = lines.map(
    (line, at) => `<text x="${margin}" y="${margin + (at + 0.75) * lineHeight}">${escapedMarkup(line)}</text>`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#1b1c21"/>`,
    '<g xml:space="preserve" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" fill="#e8e8ec">',
    ...shown,
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
};
