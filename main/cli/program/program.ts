import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import type { Output } from '../common/output.ts';
import { addCompletion } from './completion.ts';
import { addAutostart, addHook, addHooks } from './hooks.ts';
import { addDoctor, addHistory, addKeep, addReap } from './jobs.ts';
import { addMcp } from './mcp.ts';
import { addMetrics } from './metrics.ts';
import { addReport } from './report.ts';
import { addRunCommands } from './run.ts';
import { addScan } from './scan.ts';
import { addSessions } from './sessions.ts';
import { addSettings } from './settings.ts';
import { addStatusline } from './statusline.ts';
import { addSweep } from './sweep.ts';
import { addWatch } from './watch.ts';
import { addWeb } from './web.ts';

type Add = (program: Command, output: Output, done: (status: number) => void) => void;

/** The functions that define commands, in the order of the help. */
const definitions: readonly (readonly [Add, ...(readonly string[])])[] = [
  [addScan, 'scan'],
  [addReap, 'reap'],
  [addWatch, 'watch'],
  [addKeep, 'keep', 'unkeep'],
  [addSessions, 'sessions'],
  [addHistory, 'history'],
  [addSettings, 'settings'],
  [addDoctor, 'doctor'],
  [addReport, 'report'],
  [addRunCommands, 'run', 'runs', 'logs', 'terminate'],
  [addWeb, 'web'],
  [addHooks, 'hooks'],
  [addHook, 'hook'],
  [addMcp, 'mcp'],
  [addStatusline, 'statusline'],
  [addMetrics, 'metrics'],
  [addAutostart, 'autostart'],
  [addSweep, 'sweep'],
  [addCompletion, 'completion'],
];

/** Commands about all commands. */
const aboutAll = 'completion';
const versionOption = '--version';

const definitionsFor = (called: string | null): typeof definitions => {
  if (called === versionOption) return [];
  const one = definitions.find(([, ...names]) => called !== null && called !== aboutAll && names.includes(called));
  return one === undefined ? definitions : [one];
};

/**
 * Adds the called command only, or every command if none matches (help, a typo) or `called` is
 * null: defining all takes longer than most commands run. Each loads its own code when it runs.
 */
export const addCommands = (
  program: Command,
  output: Output,
  done: (status: number) => void,
  called: string | null = null,
): void => {
  program
    .description('Finds the background commands that AI coding agents left running, says why, and ends them safely.')
    .version(manifest.version, versionOption, 'prints the version of Curfew')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => output.warn(text.trimEnd().replace(/^error: /u, 'curfew: ')),
    });
  for (const [add] of definitionsFor(called)) add(program, output, done);
  program.commands.forEach((command) => command.copyInheritedSettings(program));
};
