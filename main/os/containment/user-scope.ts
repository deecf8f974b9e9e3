import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../app/format/error-message.ts';
import { runBounded } from '../programs/bounded-program.ts';
import { controlGroupsIn } from '../linux/facts/member-facts.ts';

/** The scope of the user's service manager that this process was moved into, or why it was not. */
export type UserScope = { readonly scope: string } | { readonly reason: string };

/**
 * The manager answers within milliseconds, later on a busy machine. A hanging one must not keep a
 * command from starting.
 */
const answerMs = 5000;
const moveMs = 5000;
const lookMs = 10;

/**
 * Returns the socket of the user's message bus, where its service manager listens; null if there is
 * none.
 */
export const userBus = (environment: Readonly<Record<string, string | undefined>>): string | null => {
  const runtime = environment['XDG_RUNTIME_DIR'];
  if (runtime === undefined || !existsSync(join(runtime, 'systemd'))) return null;
  const bus = join(runtime, 'bus');
  return existsSync(bus) ? bus : null;
};

const ownUnifiedGroup = (): string => controlGroupsIn(readFileSync('/proc/self/cgroup', 'utf8'))[''] ?? '';

/**
 * Asks the user's service manager for a scope of this process with delegated control groups
 * (Delegate), below which groups may be made. Needed only if our own group is not writable, as in a
 * login session: a user may write below `user@.service` only, and only the manager can move a
 * process there. The unit is removed when it is empty. The call and its properties:
 * https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.systemd1.html
 * (StartTransientUnit), https://systemd.io/CGROUP_DELEGATION/. It queues a job, so this waits for
 * the move. Never throws.
 * @param slice the unit above the scope; the manager's own choice if left out
 */
export const joinUserScope = async (name: string, slice: string | null = null): Promise<UserScope> => {
  const bus = userBus(process.env);
  if (bus === null) return { reason: "the user's service manager can not be reached" };
  const scope = `${name}.scope`;
  const properties = [
    ['PIDs', 'au', '1', String(process.pid)],
    ['Delegate', 'b', 'true'],
    ['CollectMode', 's', 'inactive-or-failed'],
    ['Description', 's', name],
    ...(slice === null ? [] : [['Slice', 's', slice]]),
  ];
  const manager = ['org.freedesktop.systemd1', '/org/freedesktop/systemd1', 'org.freedesktop.systemd1.Manager'];
  const asked = runBounded({
    command: [
      'busctl',
      '--user',
      'call',
      ...manager,
      'StartTransientUnit',
      'ssa(sv)a(sa(sv))',
      scope,
      'fail',
      String(properties.length),
      ...properties.flat(),
      '0',
    ],
    environment: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      XDG_RUNTIME_DIR: process.env['XDG_RUNTIME_DIR'] ?? '',
      DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? `unix:path=${bus}`,
    },
    timeoutMs: answerMs,
  });
  if (asked.status !== 0)
    return { reason: `the user's service manager gave no scope: ${asked.problem ?? asked.stderr.trim()}` };
  try {
    for (let waitedMs = 0; waitedMs < moveMs; waitedMs += lookMs) {
      if (ownUnifiedGroup().endsWith(`/${scope}`)) return { scope };
      await sleep(lookMs);
    }
  } catch (error) {
    return { reason: messageOf(error) };
  }
  return { reason: "the user's service manager did not move this process in time" };
};
