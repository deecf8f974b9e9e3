import { formatAge } from '../../format/age.ts';
import { counted } from '../figures.ts';
import { visibleText } from '../../format/visible.ts';
import type { SafeText } from '../../format/secrets/safe-text.ts';

export interface EndedCommand {
  readonly command: SafeText;
  readonly ageSeconds: number;
}

const maxNamed = 3;
const maxCommandLength = 80;

/** Shortens a command and removes backticks: it stands between some, apart from Curfew's words. */
const shortened = (command: string): string => {
  const text = visibleText(command).replaceAll('`', "'");
  return text.length <= maxCommandLength ? text : `${text.slice(0, maxCommandLength - 1).toWellFormed()}…`;
};

/**
 * Tells an agent at the start of a session which commands of its project were ended since the last
 * one: one line, about 500 characters at most, no control characters. `count` may exceed the list;
 * the last three of the list are named.
 */
export const sessionNotice = (count: number, latest: readonly EndedCommand[]): string => {
  const named = latest
    .slice(-maxNamed)
    .map(({ command, ageSeconds }) => `\`${shortened(command)}\` (after ${formatAge(ageSeconds)})`);
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  const what = counted(count, 'background command');
  return `Curfew ended ${what} left running in this project since its last session: ${named.join(', ')}${more}. \`curfew history\` says why; \`curfew keep JOB\` keeps a running one longer.`;
};
