import { bounds } from './bounds.ts';
import { engine } from './engine.ts';
import { calls, help } from './help.ts';
import { history } from './history.ts';
import { install } from './install.ts';
import { run } from './run.ts';
import { scan } from './scan.ts';
import { settingTexts } from './settings.ts';
import { sweep } from './sweep.ts';
import { watch } from './watch.ts';

/** German for the sentences of the command line, which no window says. */
export const commandLineForms = {
  ...bounds,
  ...help,
  ...calls,
  ...scan,
  ...history,
  ...sweep,
  ...watch,
  ...run,
  ...install,
  ...settingTexts,
  ...engine,
} as const;
