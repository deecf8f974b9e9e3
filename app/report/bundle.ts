import { visibleLines } from '../format/visible.ts';

export interface ReportSection {
  readonly title: string;
  /** Plain text, as the command prints it. */
  readonly text: string;
}

/** A fence longer than every run of backticks in a text (CommonMark, fenced code blocks). */
const fenceFor = (text: string): string => {
  const runs = [...text.matchAll(/`+/gu)].map(([run]) => run.length);
  return '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
};

const block = ({ title, text }: ReportSection): string => {
  const shown = text.trimEnd();
  const fence = fenceFor(shown);
  return `## ${title}\n\n${fence}text\n${shown === '' ? '(nothing)' : shown}\n${fence}\n`;
};

/** What a reader of a report is told first. */
const preface = [
  'Made by `curfew report`. Home folders, user and host names, addresses and the secrets that are',
  'recognised were replaced; environments are not in it. Names of projects and the texts of commands',
  'are: read it before you send it.',
].join('\n');

/**
 * Returns a report as Markdown, for an issue. Every text goes through `anonymise`, and nothing in
 * it can control a terminal.
 * @param at the day, as YYYY-MM-DD
 */
export const reportText = (
  sections: readonly ReportSection[],
  at: string,
  anonymise: (text: string) => string,
): string => {
  const blocks = sections.map(({ title, text }) => block({ title, text: visibleLines(anonymise(text)) }));
  return [`# Curfew report of ${at}\n`, `${preface}\n`, ...blocks].join('\n');
};
