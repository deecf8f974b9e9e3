import type { Form } from '../../../app/text/form.ts';
import { Argument, type Command, Option } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { type ExpositionFormat, expositionFormats } from '../../../app/metrics/exposition.ts';
import { callOption } from '../../mcp/server/call-option.ts';
import type { CompletionShell } from '../commands/completion.ts';
import { port, wholeNumber } from '../common/arguments.ts';
import { json, metricsPort } from '../common/common-options.ts';
import { exitStatus } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { addAutostart, addHook, addHooks } from './hooks.ts';
import { addDoctor, addHistory, addKeep, addReap } from './jobs.ts';
import { addPort } from './port.ts';
import { addRunCommands } from './run.ts';
import { addScan } from './scan.ts';
import { addSettings } from './settings.ts';
import { addIdle, addWait } from './waiting.ts';
import { addWatch } from './watch.ts';

type Add = (program: Command, output: Output, done: (status: number) => void) => void;

const addCompletion: Add = (program, output, done) => {
  program
    .command('completion')
    .description('a script that completes commands in your shell: `source <(curfew completion bash)`')
    .addArgument(new Argument('<shell>', 'for which').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(async (shell: CompletionShell) => {
      const { completion } = await import('../commands/completion.ts');
      done(await completion(shell, program, output));
    });
};

/** `main/cli/index.ts` starts it without this, because agents wait for it. */
const addMcp: Add = (program, _output, done) => {
  program
    .command('mcp')
    .description('an MCP server for agents: list, read, keep and end the background work of their own session')
    .addOption(new Option(callOption).hideHelp())
    .action(async () => {
      const { serve } = await import('../../mcp/server/serve.ts');
      await serve(async () => undefined);
      done(exitStatus.done);
    });
};

const addMetrics: Add = (program, output, done) => {
  program
    .command('metrics')
    .description('numbers for Prometheus: what the running supervisor saw last, and what was ended')
    .addOption(
      new Option('--format <format>', 'OpenMetrics, or the older text format')
        .choices(expositionFormats)
        .default('openmetrics'),
    )
    .addOption(
      new Option(
        '--textfile <file>',
        'writes a regular file for node_exporter, in the text format; `-` is standard output',
      ).conflicts('format'),
    )
    .action(async (options: { readonly format: ExpositionFormat; readonly textfile?: string }) => {
      const { metrics } = await import('../commands/metrics.ts');
      done(await metrics({ format: options.format, textfile: options.textfile ?? null }, output));
    });
};

const addReport: Add = (program, output, done) => {
  program
    .command('report')
    .description(
      'one redacted file for an issue: versions, settings, doctor, scan, history; shown before it is written',
    )
    .option('--output <file>', 'where it is written; an existing file stays as it is. By default a new one here')
    .option('--yes', 'writes without asking; needed without a terminal')
    .addOption(json())
    .action(async (options: { readonly output?: string; readonly yes?: true; readonly json?: true }) => {
      const { report } = await import('../commands/report/report.ts');
      done(
        await report({ file: options.output ?? null, yes: options.yes === true, json: options.json === true }, output),
      );
    });
};

const addSessions: Add = (program, output, done) => {
  program
    .command('sessions')
    .description('lists every session of every agent, and what it holds')
    .addOption(json())
    .action(async (options: { readonly json?: true }) => {
      const { sessions } = await import('../commands/sessions.ts');
      done(await sessions({ json: options.json === true }, output));
    });
};

const addStatusline: Add = (program, output, done) => {
  program
    .command('statusline')
    .description('one short line for a status bar: what runs in the background, without waiting for a look')
    .addOption(json())
    .addOption(new Option('--look').hideHelp())
    .action(async (options: { readonly json?: true; readonly look?: true }) => {
      const { lookForStatusLine, statusline } = await import('../commands/statusline.ts');
      done(await (options.look ? lookForStatusLine(output) : statusline({ json: options.json === true }, output)));
    });
};

interface SweepCall {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly by: 'command' | 'person';
  readonly shown?: readonly string[];
}

const addSweep: Add = (program, output, done) => {
  program
    .command('sweep')
    .description(
      'removes, after asking, what dead sessions left: task outputs, sockets, old logs, locks, worktrees without work',
    )
    .argument('[path...]', 'only these, and what lies in these folders; all that is known if left out')
    .option('--dry-run', 'says what would be deleted and why, deletes nothing')
    .option('--yes', 'deletes without asking; needed without a terminal')
    .addOption(json())
    .addOption(new Option('--by <asker>').choices(['command', 'person']).default('command').hideHelp())
    .addOption(new Option('--shown <id...>').hideHelp())
    .action(async (paths: readonly string[], options: SweepCall) => {
      const { sweep } = await import('../commands/sweep.ts');
      const { dryRun, yes, json: asJson, by, shown = null } = options;
      const flags = { dryRun: dryRun === true, yes: yes === true, json: asJson === true };
      done(await sweep(paths, { ...flags, by, shown }, output));
    });
};

const addUninstall: Add = (program, output, done) => {
  program
    .command('uninstall')
    .description('takes out of this home what Curfew put into it: hooks, timers, files; shows all of it and asks')
    .option('--dry-run', 'shows what would be removed, removes nothing')
    .option('--yes', 'removes without asking; needed without a terminal')
    .addOption(json())
    .action(async (options: { readonly dryRun?: true; readonly yes?: true; readonly json?: true }) => {
      const { uninstall } = await import('../commands/uninstall.ts');
      const { dryRun, yes, json: asJson } = options;
      done(await uninstall({ json: asJson === true, dryRun: dryRun === true, yes: yes === true }, output));
    });
};

const addWeb: Add = (program, output, done) => {
  program
    .command('web')
    .description('watches and serves the interface on a local page; run again, it prints another address')
    .addOption(new Option('--port <number>', 'port to listen on; 0 for any').argParser(port('--port')))
    .addOption(metricsPort())
    .option('--no-open', 'opens no browser')
    .option('--sign-out', 'signs every browser out, and serves nothing')
    .option('--json', 'one JSON document on standard output and nothing else there')
    .addOption(
      new Option('--uid <id>', 'id of the user whose processes are candidates; yours by default').argParser(
        wholeNumber('--uid', 0),
      ),
    )
    .action(
      async (options: {
        readonly port?: number;
        readonly metricsPort?: number;
        readonly open: boolean;
        readonly signOut?: true;
        readonly json?: true;
        readonly uid?: number;
      }) => {
        const { staySmall } = await import('../common/stay-small.ts');
        staySmall('serves');
        const { signOut, web } = await import('../commands/web.ts');
        if (options.signOut === true) return done(await signOut(output));
        const { port: wanted = null, metricsPort: metrics = null, open, uid = null } = options;
        const asked = { port: wanted, metricsPort: metrics, open, uid, place: '' } as const;
        return done(await web({ ...asked, json: options.json === true }, output));
      },
    );
};

const addDemo: Add = (program, output, done) => {
  program
    .command('demo')
    .description('the page of `curfew web` with example leftovers that are made up: none runs, none is ended')
    .option('--no-open', 'opens no browser')
    .action(async ({ open }: { readonly open: boolean }) => {
      const { web } = await import('../commands/web.ts');
      done(await web({ port: null, metricsPort: null, open, json: false, uid: null, place: '/example' }, output));
    });
};

/** An option that says that files are removed, and one that asks nothing. */
const removal = (command: Command, remove: string): Command =>
  command.option('--remove', remove).addOption(new Option('--yes', 'with --remove: does not ask')).addOption(json());

interface RemovalCall {
  readonly json?: true;
  readonly remove?: true;
  readonly yes?: true;
}

const addLocks: Add = (program, output, done) => {
  removal(
    program
      .command('locks')
      .description('locks of git, worktrees and development servers, and whether their holders live')
      .argument('[folder...]', 'where; the folders of known sessions and jobs if left out'),
    'removes those whose holder is proved dead, after asking',
  ).action(async (folders: readonly string[], { json: asJson, remove, yes }: RemovalCall) => {
    const { locks } = await import('../commands/locks.ts');
    done(await locks(folders, { json: asJson === true, remove: remove === true, yes: yes === true }, output));
  });
};

const addWorktrees: Add = (program, output, done) => {
  removal(
    program
      .command('worktrees')
      .description('worktrees that agents left: size, branch, what is only there, and why each stays')
      .argument('[folder...]', 'repositories, or worktrees to be removed by name; all known ones if left out'),
    'has git remove those that nothing keeps, after asking',
  ).action(async (folders: readonly string[], { json: asJson, remove, yes }: RemovalCall) => {
    const { worktrees } = await import('../commands/worktrees.ts');
    done(await worktrees(folders, { json: asJson === true, remove: remove === true, yes: yes === true }, output));
  });
};

/** The headings of the help, in its order. */
type Group = 'Look' | 'End' | 'Automate' | 'Integrate';

/** The functions that define commands, in the order of the help. */
const definitions: readonly (readonly [Group, Add, ...(readonly string[])])[] = [
  ['Look', addScan, 'scan'],
  ['Look', addSessions, 'sessions'],
  ['Look', addPort, 'port'],
  ['Look', addHistory, 'history'],
  ['Look', addDoctor, 'doctor'],
  ['Look', addReport, 'report'],
  ['Look', addDemo, 'demo'],
  ['End', addReap, 'reap'],
  ['End', addKeep, 'keep', 'unkeep'],
  ['End', addSweep, 'sweep'],
  ['End', addWorktrees, 'worktrees'],
  ['End', addLocks, 'locks'],
  ['Automate', addWatch, 'watch'],
  ['Automate', addWeb, 'web'],
  ['Automate', addRunCommands, 'run', 'agent', 'init', 'runs', 'logs', 'terminate'],
  ['Automate', addWait, 'wait'],
  ['Automate', addIdle, 'idle'],
  ['Automate', addAutostart, 'autostart'],
  ['Automate', addSettings, 'settings'],
  ['Integrate', addHooks, 'hooks'],
  ['Integrate', addHook, 'hook'],
  ['Integrate', addMcp, 'mcp'],
  ['Integrate', addStatusline, 'statusline'],
  ['Integrate', addMetrics, 'metrics'],
  ['Integrate', addCompletion, 'completion'],
  ['Integrate', addUninstall, 'uninstall'],
];

const examples = [
  ['curfew', 'the verdict in one sentence'],
  ['curfew scan --explain', 'what is there, and why'],
  ['curfew reap --dry-run', 'what would be ended'],
  ['curfew settings set mode enforce', 'let a running Curfew end what is due'],
] as const satisfies readonly (readonly [call: string, what: Form])[];

/**
 * Commands for scripts, operators, agents and the rare day: the help of Curfew only names them,
 * their own help explains them.
 */
const forFew: ReadonlySet<string> = new Set([
  'report',
  'unkeep',
  'init',
  'runs',
  'logs',
  'terminate',
  'wait',
  'idle',
  'autostart',
  'hook',
  'statusline',
  'metrics',
  'completion',
]);

const afterText = (program: Command, said: Translate): string => {
  const names = program.commands.map((command) => command.name()).filter((name) => forFew.has(name));
  const lines = examples.map(([call, what]) => `  ${call.padEnd(38)}${said(what)}`);
  const more = `  ${names.join(', ')}`.replace(/(?<=^.{60,72},) /u, '\n  ');
  return ['', said('Examples:'), ...lines, '', said('More, each with --help:'), more].join('\n');
};

/** Returns a sentence of the help in the language of the command line. */
type Translate = (form: Form) => string;

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
  said: Translate = (form) => form,
): void => {
  program
    .description('Finds the background commands that AI coding agents left running, says why, and ends them safely.')
    .version(manifest.version, versionOption, 'prints the version of Curfew')
    .exitOverride()
    .showSuggestionAfterError(true)
    .addHelpText('after', () => afterText(program, said))
    .configureHelp({
      visibleCommands: (command) =>
        command.commands.filter((one) => command.parent !== null || !forFew.has(one.name())),
    })
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
