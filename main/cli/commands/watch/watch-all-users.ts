import { messageOf } from '../../../../app/format/error-message.ts';
import { formatAge } from '../../../../app/format/age.ts';
import { jsonText } from '../../../../app/format/json.ts';
import { AllUsers, type UserEvent } from '../../../all-users/all-users.ts';
import { openServiceManager } from '../../../os/containment/service-manager.ts';
import { openUserGroups, sayMissingLimits } from '../../../os/containment/user-groups.ts';
import { ownCommand } from '../../../os/programs/bounded-program.ts';
import { signsFd } from '../../../os/programs/user-child.ts';
import { openUsersProcesses } from '../../../os/users-processes.ts';
import { notDone, type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { untilTold } from '../../common/until-told.ts';
import type { WatchAllOptions } from './watch-options.ts';
import { isSharedByUsers } from '../../../os/this-system.ts';

/** Time between two looks at the table of all users, ms. */
const lookMs = 5_000;

/**
 * Bound of a child's JavaScript heap, MB: a user with a strange machine or huge files of its own
 * costs that child its life, and the machine no more than this.
 */
const maxChildHeapMb = 512;

const inWords = (waitMs: number): string => formatAge(Math.round(waitMs / 1000));

/** Returns one line for the journal, which names users and nothing of what they run. */
const sayUserEvent = (event: UserEvent): string => {
  if (event.kind === 'full') return `${event.waiting} more users wait: as many as --max-users allows are supervised`;
  const { uid, name } = event.account;
  const who = `${name} (${uid})`;
  switch (event.kind) {
    case 'started':
      return `${who}: supervised by process ${event.pid}`;
    case 'not-started':
      return `${who}: not supervised: ${event.problem}; tried again in ${inWords(event.waitMs)}`;
    case 'silent': {
      const then = event.killed ? 'and was killed' : 'and the kernel refused to kill it';
      return `${who}: its Curfew gave no sign of life for ${inWords(event.silentMs)} ${then}`;
    }
    case 'ended': {
      const again = event.waitMs === null ? '' : `; looked again in ${inWords(event.waitMs)}`;
      switch (event.why) {
        case 'rested':
          return `${who}: nothing of an agent is there`;
        case 'stood-back':
          return `${who}: a Curfew of its own supervises${again}`;
        case 'no-home':
          return `${who}: the home folder is missing, or others can write to it, so nothing in it is believed${again}`;
        case 'failed': {
          const { status, signal } = event.end;
          const how = signal === null ? `with status ${status}` : `by ${signal}`;
          return `${who}: its Curfew ended ${how}${again}; \`curfew doctor\` as that user may say why`;
        }
      }
    }
  }
};

const documentOf = (event: UserEvent): Readonly<Record<string, unknown>> => {
  if (event.kind === 'full') return { event: event.kind, waiting: event.waiting };
  const { kind, account, ...rest } = event;
  return { event: kind, user: account.name, uid: account.uid, ...rest };
};

const requireRoot = (): void => {
  if (!isSharedByUsers)
    throw notDone('--all-users is for Linux; elsewhere each user starts a Curfew with `curfew autostart enable`');
  if (process.geteuid?.() !== 0)
    throw notDone('--all-users starts a Curfew as each user, so only root can; without it your own are watched');
};

/** The service manager of the machine, or nothing to tell; says so where it waits in vain. */
const tellManager = (output: Output): ((state: string) => void) => {
  const manager = openServiceManager(process.env);
  if (manager !== null && 'reason' in manager)
    output.warn(`curfew: the service manager can not be told that it runs: ${manager.reason}`);
  return (state) => void (manager !== null && 'tell' in manager && manager.tell(state));
};

/**
 * `curfew watch --all-users`: one child for each user with something to watch, until it gets a
 * signal. It opens no file of a user, and signals only children that give no sign of life.
 * @throws NotDone for any user but root
 */
export const watchAllUsers = async (options: WatchAllOptions, output: Output): Promise<ExitStatus> => {
  requireRoot();
  const told = untilTold();
  const processes = openUsersProcesses();
  if (processes.mayHide())
    output.warn(
      'curfew: /proc hides processes of other users (hidepid), so no user may be found; docs/operators.md says what to do',
    );
  const [node, file] = ownCommand(process.argv[1] ?? '');
  const { restSeconds, observe, names, minUid, maxUsers, allHosts } = options;
  const groups = openUserGroups();
  const notInForce = sayMissingLimits(groups);
  const write = (document: Readonly<Record<string, unknown>>, line: string): void =>
    void output.write(`${options.json ? jsonText(document) : line}\n`);
  if (notInForce !== null) write({ event: 'limits', problem: notInForce }, notInForce);
  const manager = tellManager(output);
  const users = new AllUsers({
    processes,
    choice: { names, minUid },
    maxUsers,
    command: [
      node,
      `--max-old-space-size=${maxChildHeapMb}`,
      file,
      'watch',
      '--unattended',
      String(restSeconds),
      '--signs',
      String(signsFd),
      ...(allHosts ? ['--all-hosts'] : []),
      ...(observe ? ['--observe'] : []),
    ],
    on: (event) => write(documentOf(event), sayUserEvent(event)),
    learned: () => look(),
    groups: 'reason' in groups ? null : groups,
  });
  let said = '';
  const look = (): void => {
    try {
      users.look();
      said = '';
    } catch (error) {
      // No child is touched by it; the next look may tell.
      const problem = messageOf(error);
      if (problem !== said) output.warn(`curfew: ${problem}`);
      said = problem;
    }
    // From here alone: whatever keeps this loop from looking lets the service be started anew.
    manager('WATCHDOG=1');
  };
  look();
  manager('READY=1');
  const looking = setInterval(look, lookMs);
  try {
    await told;
  } finally {
    clearInterval(looking);
    manager('STOPPING=1');
    await users.end();
  }
  return exitStatus.done;
};
