import { endsWithStrict } from '../../../../app/judge/runs/run-sparing.ts';
import { sizeText } from '../../../../app/format/bytes.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import type { HeldWhy, LockAttempt } from '../../../run/record/lock.ts';
import type { RunRecord } from '../../../run/record/record.ts';
import { worded } from '../../common/words.ts';

/** Returns why a command could not be started, from the name of its error. */
export const failedText = (command: string, errno: string): string =>
  errno === 'ENOENT' || errno === 'ENOTDIR'
    ? `${command}: there is no such command`
    : `${command}: it can't be executed (${errno})`;

/** What removes a file, in PowerShell and in cmd alike. */
const removalOnWindows = (path: string): string => `del "${visibleText(path).replaceAll('"', '')}"`;

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${visibleText(path).replaceAll("'", `'\\''`)}'`;

const heldTexts: Readonly<Record<Exclude<HeldWhy, 'lives' | 'foreign'>, string>> = {
  elsewhere: 'That is another machine or container, so it is not known here whether it still runs.',
  'another-boot':
    'That was in another boot, of this machine or of another one with the same name, so it is not known whether it still runs.',
  'another-namespace': 'That was in another container or pid namespace, so it is not known here whether it still runs.',
  'no-record':
    'That process has ended, but there is no record of its run here (its CURFEW_HOME may be another one), so it is not known whether something of it still runs.',
  survivors: 'That process has ended, but something of its run could not be ended and may still run.',
  unseen: 'This system does not show whether it still runs.',
};

const pidAlone = /^\s*\d{1,10}\s*$/u;

/**
 * Returns why a lock could not be taken: what is known of its holder, and what to do if it is not
 * proved dead.
 */
export const lockedText = (
  { by, why, text }: Extract<LockAttempt, { readonly taken: false }>,
  path: string,
  platform: NodeJS.Platform = process.platform,
): string => {
  const removal = platform === 'win32' ? removalOnWindows(path) : `rm ${quoted(path)}`;
  const remedy = `If you are sure that it is not needed any more, remove the file yourself: ${removal}`;
  if (by === null || why === 'foreign') {
    const said = visibleText(text.trim().slice(0, 80));
    const holds = said === '' ? 'nothing' : pidAlone.test(text) ? `only a pid, ${said}` : said;
    const known = pidAlone.test(text)
      ? 'A pid alone does not tell which process, container or machine it is of.'
      : '`curfew run` did not write that, or it is not complete, so it is not known which process holds the lock.';
    return `${path} is there already, and holds ${holds}. ${known} ${remedy}`;
  }
  const holder = `${path} is held by process ${by.pid} on ${visibleText(by.host)} since ${by.since}: ${visibleText(by.command)}`;
  return why === 'lives' ? holder : `${holder}. ${heldTexts[why]} ${remedy}`;
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
  const lines = spared.map(
    ({ pid, program, why }) =>
      `process ${pid}${program === '' ? '' : ` (${visibleText(program)})`} was left running: ${visibleText(why)}`,
  );
  return spared.some(({ code }) => endsWithStrict(code))
    ? [...lines, 'to have these ended as well, start it with `curfew run --strict`']
    : lines;
};
