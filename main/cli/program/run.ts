import { firstSignalText } from '../common/common-options.ts';
import { Option, type Command } from 'commander';
import type { FirstSignalName } from '../../../app/process/signal.ts';
import { seconds, signalName, sizeBytes, wholeNumber } from '../common/arguments.ts';
import type { AgentShell } from '../commands/run/agent.ts';
import type { Output } from '../common/output.ts';

/** Takes a command's exit status; that of `run` is its command's own, so any number. */
type Done = (status: number) => void;

const json = (text: string): Option => new Option('--json', text);
const usualJson = 'one JSON document on standard output and nothing else there';

interface RunOptions {
  readonly maxElapsed?: number;
  readonly hardCap?: number;
  readonly signal?: FirstSignalName;
  readonly grace?: number;
  readonly idleAfter?: string;
  readonly idleGrace?: number;
  readonly memory?: number;
  readonly tasks?: number;
  readonly lock?: string;
  readonly name?: string;
  readonly workspace?: string;
  readonly background?: true;
  readonly strict?: true;
  readonly supervise?: string;
  readonly json?: true;
}

const addRun = (program: Command, output: Output, done: Done): void => {
  program
    .command('run')
    .description('runs a command under supervision: what it starts and leaves behind ends with it')
    .usage('[options] -- CMD…')
    .argument('<command...>', 'program and arguments')
    // Options after the command belong to the command.
    .passThroughOptions()
    .addOption(
      new Option('--max-elapsed <duration>', 'ends it after this time, with status 124').argParser(
        seconds('--max-elapsed'),
      ),
    )
    .addOption(
      new Option(
        '--hard-cap <duration>',
        'ends it after this time in any case; at most 24h, by default the setting',
      ).argParser(seconds('--hard-cap')),
    )
    .addOption(new Option('--signal <name>', firstSignalText).argParser(signalName))
    .addOption(new Option('--grace <duration>', 'from the first signal to KILL').argParser(seconds('--grace')))
    .option(
      '--idle-after <regex>',
      'once a line of its output matches, it gets --idle-grace to exit; its output goes through a pipe',
    )
    .addOption(new Option('--idle-grace <duration>', '30s if left out').argParser(seconds('--idle-grace')))
    .addOption(
      new Option(
        '--memory <size>',
        "what all its processes together may take, as 8G; status 1 where that can't be held",
      ).argParser(sizeBytes('--memory')),
    )
    .addOption(
      new Option('--tasks <number>', 'processes and threads at most; status 1 as well').argParser(
        wholeNumber('--tasks', 1),
      ),
    )
    .option('--lock <file>', 'holds this lock while it runs; status 1 unless its holder, if any, is proved dead')
    .option('--name <text>', 'for lists')
    .option('--workspace <name>', 'for `terminate --workspace`')
    .option('--background', 'returns at once with id, pid and folder; its output goes to files there')
    .option(
      '--strict',
      'also ends what is otherwise left running in a session of its own: tmux, ssh-agent, editors, agents',
    )
    .addOption(new Option('--supervise <id>').hideHelp())
    .addOption(
      json('at the end one JSON document on standard output; the output of the command then goes to standard error'),
    )
    .action(async (command: readonly string[], options: RunOptions) => {
      const { run } = await import('../commands/run/run.ts');
      done(
        await run(
          {
            maxElapsedSeconds: options.maxElapsed ?? null,
            hardCapSeconds: options.hardCap ?? null,
            signal: options.signal ?? null,
            graceSeconds: options.grace ?? null,
            idleAfter: options.idleAfter ?? null,
            idleGraceSeconds: options.idleGrace ?? null,
            memoryBytes: options.memory ?? null,
            tasks: options.tasks ?? null,
            lock: options.lock ?? null,
            name: options.name ?? null,
            workspace: options.workspace ?? null,
            strict: options.strict === true,
            background: options.background === true,
            supervise: options.supervise ?? null,
            json: options.json === true,
          },
          command,
          output,
        ),
      );
    });
};

const addRuns = (program: Command, output: Output, done: Done): void => {
  program
    .command('runs')
    .description('commands started with `run --background`, oldest first')
    .option('--all', 'also foreground runs')
    .option('--workspace <name>', 'only of this workspace')
    .addOption(json(usualJson))
    .action(async (options: { readonly all?: true; readonly workspace?: string; readonly json?: true }) => {
      const { runs } = await import('../commands/run/runs.ts');
      done(
        await runs(
          { json: options.json === true, all: options.all === true, workspace: options.workspace ?? null },
          output,
        ),
      );
    });
};

const addLogs = (program: Command, output: Output, done: Done): void => {
  program
    .command('logs')
    .description('prints the output of a background command')
    .argument('<id>', 'as `curfew runs` shows it; a prefix is enough')
    .option('-f, --follow', 'follows the output until the command has ended')
    .addOption(json('one JSON document a line'))
    .action(async (id: string, options: { readonly follow?: true; readonly json?: true }) => {
      const { logs } = await import('../commands/run/logs.ts');
      done(await logs(id, { json: options.json === true, follow: options.follow === true }, output));
    });
};

const addTerminate = (program: Command, output: Output, done: Done): void => {
  program
    .command('terminate')
    .description('ends background commands with everything they started')
    .argument('[id...]', 'as `curfew runs` shows them')
    .option('--workspace <name>', 'all of this workspace')
    .addOption(json(usualJson))
    .action(async (ids: readonly string[], options: { readonly workspace?: string; readonly json?: true }) => {
      const { terminate } = await import('../commands/run/terminate.ts');
      done(await terminate(ids, { json: options.json === true, workspace: options.workspace ?? null }, output));
    });
};

const addInit = (program: Command, output: Output, done: Done): void => {
  program
    .command('init')
    .description('process 1 of a container: passes signals on, waits for every child, ends what outlives the command')
    .usage('[options] -- CMD…')
    .argument('<command...>', 'program and arguments')
    .passThroughOptions()
    .addOption(
      new Option(
        '--grace <duration>',
        'for what outlives it, before the container ends; by default the setting',
      ).argParser(seconds('--grace')),
    )
    .action(async (command: readonly string[], options: { readonly grace?: number }) => {
      const { staySmall } = await import('../common/stay-small.ts');
      staySmall('waits');
      const { init } = await import('../commands/run/init.ts');
      done(await init(command, options.grace ?? null, output));
    });
};

const addAgent = (program: Command, output: Output, done: Done): void => {
  program
    .command('agent')
    .description('starts an agent in a control group of its own, within bounds of memory and tasks')
    .usage('[options] -- CMD…')
    .argument('[command...]', 'program and arguments')
    .passThroughOptions()
    .addOption(
      new Option('--memory <size>', 'what its tool calls may take, as 8G; what can not be held is said').argParser(
        sizeBytes('--memory'),
      ),
    )
    .addOption(
      new Option('--tasks <number>', 'processes and threads of its tool calls at most').argParser(
        wholeNumber('--tasks', 1),
      ),
    )
    .option('--name <text>', 'for lists')
    .addOption(
      new Option('--shell <shell>', 'prints functions by which a shell starts every agent so').choices([
        'bash',
        'zsh',
        'fish',
      ]),
    )
    .action(
      async (
        command: readonly string[],
        options: Pick<RunOptions, 'memory' | 'tasks' | 'name'> & { readonly shell?: AgentShell },
      ) => {
        const { agent } = await import('../commands/run/agent.ts');
        const bounds = { memoryBytes: options.memory ?? null, tasks: options.tasks ?? null };
        done(await agent({ bounds, name: options.name ?? null, shell: options.shell ?? null }, command, output));
      },
    );
};

/**
 * Adds `run`, `agent`, `init`, `runs`, `logs` and `terminate`. `program` must have positional
 * options on, so that options after the command belong to the command.
 */
export const addRunCommands = (program: Command, output: Output, done: Done): void => {
  program.enablePositionalOptions();
  for (const add of [addRun, addAgent, addInit, addRuns, addLogs, addTerminate]) add(program, output, done);
};
