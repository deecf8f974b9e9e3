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

/** The headings of the help, in its order. */
type Group = 'Look' | 'End' | 'Automate' | 'Integrate';

/** The functions that define commands, in the order of the help. */
const definitions: readonly (readonly [Group, Add, ...(readonly string[])])[] = [
  ['Look', addScan, 'scan'],
  ['Look', addSessions, 'sessions'],
  ['Look', addHistory, 'history'],
  ['Look', addDoctor, 'doctor'],
  ['Look', addReport, 'report'],
  ['End', addReap, 'reap'],
  ['End', addKeep, 'keep', 'unkeep'],
  ['End', addSweep, 'sweep'],
  ['Automate', addWatch, 'watch'],
  ['Automate', addWeb, 'web'],
  ['Automate', addRunCommands, 'run', 'runs', 'logs', 'terminate'],
  ['Automate', addAutostart, 'autostart'],
  ['Automate', addSettings, 'settings'],
  ['Integrate', addHooks, 'hooks'],
  ['Integrate', addHook, 'hook'],
  ['Integrate', addMcp, 'mcp'],
  ['Integrate', addStatusline, 'statusline'],
  ['Integrate', addMetrics, 'metrics'],
  ['Integrate', addCompletion, 'completion'],
];

const examples = `
Examples:
  curfew                                the verdict in one sentence
  curfew scan --explain                 what is there, and why
  curfew reap --dry-run                 what would be ended
  curfew settings set mode enforce      let a running Curfew end what is due`;

/** Commands about all commands. */
const aboutAll = 'completion';
const versionOption = '--version';

const definitionsFor = (called: string | null): typeof definitions => {
  if (called === versionOption) return [];
  const one = definitions.find(([, , ...names]) => called !== null && called !== aboutAll && names.includes(called));
  return one === undefined ? definitions : [one];
};

/** An error of commander's as one line, with what it suggests. */
const oneLine = (text: string): string =>
  text
    .trimEnd()
    .replace(/^error: /u, 'curfew: ')
    .replace(/\n\((?<hint>Did you mean [^)]*)\)$/u, '. $<hint>');

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
    .showSuggestionAfterError(true)
    .addHelpText('after', examples)
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => output.warn(oneLine(text)),
    });
  for (const [group, add] of definitionsFor(called)) {
    program.commandsGroup(`${group}:`);
    add(program, output, done);
  }
  program.commands.forEach((command) => command.copyInheritedSettings(program));
};
