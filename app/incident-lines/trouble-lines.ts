import { counted } from '../text/figures.ts';
import { commonFields, type LineSource, LineTexts } from './common.ts';
import type { LineOf } from './line.ts';

/** When, and on which machine: `local`, or the name that ssh knows. Wall clock, milliseconds. */
interface Where {
  readonly atMs: number;
  readonly host: string;
}

/** Returns the line of a reaping that failed. */
export const failedLine = (
  source: LineSource,
  { job, problem, ...where }: Where & { readonly job: string; readonly problem: string },
): LineOf<'curfew.job.failed'> => {
  const texts = new LineTexts();
  const said = texts.text(problem, 'sentence');
  return {
    'event.name': 'curfew.job.failed',
    ...commonFields(source, { ...where, severity: 'ERROR' }),
    body: texts.text(`job ${job} could not be ended: ${said}`, 'sentence'),
    'curfew.job.id': texts.text(job, 'name'),
    'curfew.problem': said,
    ...texts.cut,
  };
};

/** Returns the line of a problem after which Curfew goes on. */
export const problemLine = (
  source: LineSource,
  { problem, ...where }: Where & { readonly problem: string },
): LineOf<'curfew.problem'> => {
  const texts = new LineTexts();
  const said = texts.text(problem, 'sentence');
  return {
    'event.name': 'curfew.problem',
    ...commonFields(source, { ...where, severity: 'ERROR' }),
    body: said,
    'curfew.problem': said,
    ...texts.cut,
  };
};

/** Returns the line of a machine that went out of reach; `problem` null: that came back. */
export const reachLine = (
  source: LineSource,
  { problem, ...where }: Where & { readonly problem: string | null },
): LineOf<'curfew.host.unreachable'> | LineOf<'curfew.host.returned'> => {
  const texts = new LineTexts();
  const host = texts.text(where.host, 'name');
  if (problem === null)
    return {
      'event.name': 'curfew.host.returned',
      ...commonFields(source, { ...where, severity: 'INFO' }),
      body: `${host} is back`,
      'curfew.host': host,
      ...texts.cut,
    };
  const said = texts.text(problem, 'sentence');
  return {
    'event.name': 'curfew.host.unreachable',
    ...commonFields(source, { ...where, severity: 'WARN' }),
    body: said,
    'curfew.host': host,
    'curfew.problem': said,
    ...texts.cut,
  };
};

/** Returns the line that says how many lines before it were lost. */
export const lostLine = (
  source: LineSource,
  { lost, ...where }: Where & { readonly lost: number },
): LineOf<'curfew.lines.lost'> => ({
  'event.name': 'curfew.lines.lost',
  ...commonFields(source, { ...where, severity: 'WARN' }),
  body: `${counted(lost, 'line')} before this could not be delivered; what they told is in \`curfew history\``,
  'curfew.lines.lost': lost,
});
