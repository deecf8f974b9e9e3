import { Option, type Command } from 'commander';
import type { LinesTarget } from '../../incident-lines/incident-lines.ts';
import { collected, seconds, wholeNumber } from '../common/arguments.ts';
import { type Common, common, json, metricsPort, uid } from '../common/common-options.ts';
import { wrongCall } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';

interface WatchFlags extends Common {
  readonly enforce?: true;
  readonly observe?: true;
  readonly metricsPort?: number;
  readonly incidents?: LinesTarget;
  readonly unattended?: number;
  readonly signs?: number;
  readonly allHosts?: true;
  readonly allUsers?: true;
  readonly user: readonly string[];
  readonly minUid: number;
  readonly maxUsers: number;
  readonly restAfter: number;
}

/** With them one user is watched. */
const ofOneUser = ['enforce', 'uid', 'unattended', 'metricsPort', 'incidents'];

const addAllUsersOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--all-users', 'as root: one Curfew for each user, by that user’s settings').conflicts(ofOneUser),
    )
    .addOption(
      new Option('--user <name>', 'with --all-users: only this one; repeatable')
        .argParser(collected)
        .default([], 'all with a login shell'),
    )
    .addOption(
      new Option('--min-uid <id>', 'with --all-users: the first uid of a person')
        .argParser(wholeNumber('--min-uid', 1))
        .default(1000),
    )
    .addOption(
      new Option('--max-users <number>', 'with --all-users: at most this many at once')
        .argParser(wholeNumber('--max-users', 1))
        .default(50),
    )
    .addOption(
      new Option('--rest-after <duration>', 'with --all-users: without anything of an agent, a user’s Curfew ends')
        .argParser(seconds('--rest-after'))
        .default(300, '5m'),
    )
    .addOption(new Option('--all-hosts', 'with --all-users: also the machines in users’ settings, by their ssh'))
    // What `--all-users` starts for each user.
    .addOption(new Option('--unattended <duration>').argParser(seconds('--unattended')).hideHelp())
    .addOption(new Option('--signs <descriptor>').argParser(wholeNumber('--signs', 3)).hideHelp());

/** Adds `curfew watch`. */
export const addWatch = (program: Command, output: Output, done: (status: number) => void): void => {
  addAllUsersOptions(program.command('watch'))
    .description('watches live in the terminal (Ctrl-C to stop)')
    .addOption(new Option('--enforce', 'ends overdue jobs, whatever the settings say').conflicts('observe'))
    .addOption(new Option('--observe', 'only reports, whatever the settings say'))
    .addOption(metricsPort())
    .addOption(
      new Option(
        '--incidents <where>',
        'tells each announcement, end and failure as one line for log collectors',
      ).choices(['off', 'journald', 'stdout'] satisfies readonly LinesTarget[]),
    )
    .addOption(json())
    .addOption(uid())
    .action(async (options: WatchFlags) => {
      if (options.json === true && options.incidents === 'stdout')
        throw wrongCall(
          '--json and --incidents stdout both want standard output; --incidents journald goes with --json',
        );
      const { staySmall } = await import('../common/stay-small.ts');
      staySmall('waits');
      if (options.allUsers === true) {
        const { watchAllUsers } = await import('../commands/watch/watch-all-users.ts');
        const { user: names, minUid, maxUsers, restAfter: restSeconds } = options;
        const observe = options.observe === true;
        const allHosts = options.allHosts === true;
        done(
          await watchAllUsers(
            { json: options.json === true, observe, names, minUid, maxUsers, restSeconds, allHosts },
            output,
          ),
        );
        return;
      }
      const watchOptions = {
        ...common(options),
        mode: options.enforce === true ? 'enforce' : options.observe === true ? 'observe' : null,
        metricsPort: options.metricsPort ?? null,
        incidents: options.incidents ?? null,
      } as const;
      if (options.unattended !== undefined) {
        const { watchUnattended } = await import('../commands/watch/watch-unattended.ts');
        const unattended = {
          restSeconds: options.unattended,
          allHosts: options.allHosts === true,
          signsFd: options.signs ?? null,
        };
        done(await watchUnattended(watchOptions, unattended, output));
        return;
      }
      if (options.allHosts === true)
        throw wrongCall('--all-hosts goes with --all-users; without it your own are watched');
      const { watch } = await import('../commands/watch/watch.ts');
      done(await watch(watchOptions, output));
    });
};
