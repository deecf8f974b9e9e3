import { bounds } from './bounds.ts';
import { calls, help } from './help.ts';
import { history } from './history.ts';
import { scan } from './scan.ts';
import { sweep } from './sweep.ts';

/** German for the sentences of the command line, which no window says. */
export const commandLineForms = {
  ...bounds,
  ...help,
  ...calls,
  ...scan,
  ...history,
  ...sweep,
} as const;
