import { baseName } from '../../paths/path.ts';
import type { ProcessRow } from '../../process/row.ts';

/** What is known of one helper that hooks, plugins and servers detach. */
export interface Helper {
  /** As its makers write it. It isn't translated. */
  readonly name: string;
  /** True for its first process. A name is a claim: it says nothing of whose the process is. */
  readonly is: (row: Pick<ProcessRow, 'argv'>) => boolean;
}

/** Whether one of the first words after the interpreter is a script of this name. */
export const runsScript = ({ argv }: Pick<ProcessRow, 'argv'>, name: string, folder = ''): boolean =>
  argv.slice(1, 4).some((word) => baseName(word) === name && word.includes(folder));
