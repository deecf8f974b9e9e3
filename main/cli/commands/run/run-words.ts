import type { Said } from '../../../../app/format/said.ts';
import { say, type Form } from '../../../../app/text/say.ts';
import { endsWithStrict } from '../../../../app/judge/runs/run-sparing.ts';
import { sizeText } from '../../../../app/format/bytes.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import type { HeldWhy, LockAttempt } from '../../../run/record/lock.ts';
import type { RunRecord } from '../../../run/record/record.ts';
import { worded } from '../../common/words.ts';
import { system } from '../../../os/this-system.ts';

/** Returns why a command could not be started, from the name of its error. */
export const failedText = (command: string, errno: string): string =>
  errno === 'ENOENT' || errno === 'ENOTDIR'
    ? worded('{command}: there is no such command', { command })
    : worded("{command}: it can't be executed ({errno})", { command, errno });

/** What removes a file, in PowerShell and in cmd alike. */
const removalOnWindows = (path: string): string => `del "${visibleText(path).replaceAll('"', '')}"`;

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${visibleText(path).replaceAll("'", `'\\''`)}'`;

const heldTexts = {
  elsewhere: 'That is another machine or container, so it is not known here whether it still runs.',
  'another-boot':
    'That was in another boot, of this machine or of another one with the same name, so it is not known whether it still runs.',
  'another-namespace': 'That was in another container or pid namespace, so it is not known here whether it still runs.',
  'no-record':
    'That process has ended, but there is no record of its run here (its CURFEW_HOME may be another one), so it is not known whether something of it still runs.',
  survivors: 'That process has ended, but something of its run could not be ended and may still run.',
  unseen: 'This system does not show whether it still runs.',
} as const satisfies Readonly<Record<Exclude<HeldWhy, 'lives' | 'foreign'>, Form>>;

const pidAlone = /^\s*\d{1,10}\s*$/u;

/** Returns why a lock was not taken: its holder, and what to do if it isn't proved dead. */
export const lockedText = (
  { by, why, text }: Extract<LockAttempt, { readonly taken: false }>,
  path: string,
  platform: NodeJS.Platform = system,
): Said => {
  const command = platform === 'win32' ? removalOnWindows(path) : `rm ${quoted(path)}`;
  const remedy = say('If you are sure that it is not needed any more, remove the file yourself: {command}', {
    command,
  });
  if (by === null || why === 'foreign') {
    const said = visibleText(text.trim().slice(0, 80));
    const holds = said === '' ? say('nothing') : pidAlone.test(text) ? say('only a pid, {pid}', { pid: said }) : said;
    const known = say(
      pidAlone.test(text)
        ? 'A pid alone does not tell which process, container or machine it is of.'
        : '`curfew run` did not write that, or it is not complete, so it is not known which process holds the lock.',
    );
    return say('{path} is there already, and holds {holds}. {known} {remedy}', { path, holds, known, remedy });
  }
  const held = say('{path} is held by process {pid} on {host} since {since}: {command}', {
    path,
    pid: by.pid,
    host: visibleText(by.host),
    since: by.since,
    command: visibleText(by.command),
  });
  return why === 'lives' ? held : say('{held}. {why} {remedy}', { held, why: say(heldTexts[why]), remedy });
};

/** Returns which bounds a run met, and how the kernel held it to them; empty for none. */
export const boundLines = ({
  limits,
  end,
  command,
}: Pick<RunRecord, 'limits' | 'end' | 'command'>): readonly string[] => {
  const { memoryKills = 0, refusedTasks = 0 } = end?.met ?? {};
  const what = visibleText(command);
  const { memoryBytes, tasks } = limits;
  return [
    ...(memoryKills === 0
      ? []
      : [worded('ended at its {size} of memory: {command}', { size: sizeText(memoryBytes ?? 0), command: what })]),
    ...(refusedTasks === 0
      ? []
      : [
          worded('reached its {tasks} processes and threads, and was refused more {times} times: {command}', {
            tasks: tasks ?? 0,
            times: refusedTasks,
            command: what,
          }),
        ]),
  ];
};

/** Returns what a run left running when it ended, and how to end that too; empty for nothing. */
export const sparedLines = ({ end }: Pick<RunRecord, 'end'>): readonly string[] => {
  const spared = end?.spared ?? [];
  const lines = spared.map(({ pid, program, why }) =>
    program === ''
      ? worded('process {pid} was left running: {why}', { pid, why: visibleText(why) })
      : worded('process {pid} ({program}) was left running: {why}', {
          pid,
          program: visibleText(program),
          why: visibleText(why),
        }),
  );
  return spared.some(({ code }) => endsWithStrict(code))
    ? [...lines, worded('to have these ended as well, start it with `curfew run --strict`')]
    : lines;
};
