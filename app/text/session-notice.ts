import { formatAge } from '../format/age.ts';
import { counted } from './figures.ts';
import { visibleText } from '../format/visible.ts';

/** A command of a project that was ended. */
export interface EndedCommand {
  /** Redacted. */
  readonly command: string;
  readonly ageSeconds: number;
}

const maxNamed = 3;
const maxCommandLength = 80;

/** Stands between backticks, and so has none of its own: what a command was called must not be read as Curfew's words. */
const shortened = (command: string): string => {
  const text = visibleText(command).replaceAll('`', "'");
  return text.length <= maxCommandLength ? text : `${text.slice(0, maxCommandLength - 1).toWellFormed()}…`;
};

/**
 * What an agent is told at the start of a session when commands of its project were ended since the last one: one line, at most some
 * 500 characters, without control characters. `count` may be larger than the list, of which the last three are named.
 */
export const sessionNotice = (count: number, latest: readonly EndedCommand[]): string => {
  const named = latest
    .slice(-maxNamed)
    .map(({ command, ageSeconds }) => `\`${shortened(command)}\` (after ${formatAge(ageSeconds)})`);
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  const what = counted(count, 'background command');
  return `Curfew ended ${what} left running in this project since its last session: ${named.join(', ')}${more}. \`curfew history\` says why; \`curfew keep JOB\` keeps a running one longer.`;
};
