import type { MemberFacts } from '../process/facts.ts';
import { hasEnded } from '../process/row.ts';
import type { ProcessTree } from '../process/tree.ts';
import type { Diagnosis, Member } from './job.ts';

/**
 * A member that is blocked reading its standard input, where nobody in the job writes what it waits for: `sleep 9 | cat` waits for its
 * own sleep, and that is no waiting on input.
 */
const waitingOnInput = (members: readonly Member[], facts: ReadonlyMap<number, MemberFacts>): Diagnosis | null => {
  for (const { row } of members) {
    const own = facts.get(row.pid);
    if (own?.blockedReading !== 0) continue;
    const input = own.openFiles?.find(({ fd }) => fd === 0)?.target;
    if (input === undefined) continue;
    const fedByJob = members.some(
      (other) =>
        other.row.pid !== row.pid &&
        facts.get(other.row.pid)?.openFiles?.some(({ fd, target }) => fd !== 0 && target === input),
    );
    if (!fedByJob) return { code: 'waiting-on-stdin', figures: { pid: row.pid, file: input } };
  }
  return null;
};

/**
 * What can be told of a job from one look without asking the machine for more: a member that waits for input which nobody in the job writes, stopped members, members in an uninterruptible
 * wait, a working folder that was deleted, and zombies that a living member doesn't collect.
 */
export const diagnosesOf = (
  tree: ProcessTree,
  members: readonly Member[],
  facts: ReadonlyMap<number, MemberFacts>,
): readonly Diagnosis[] => {
  const found: Diagnosis[] = [];
  const waitingForInput = waitingOnInput(members, facts);
  if (waitingForInput !== null) found.push(waitingForInput);
  const stopped = members.find(({ row }) => row.state === 'T');
  if (stopped !== undefined) found.push({ code: 'stopped', figures: { pid: stopped.row.pid } });
  const waiting = members.find(({ row }) => row.state === 'D');
  if (waiting !== undefined) found.push({ code: 'disk-wait', figures: { pid: waiting.row.pid } });
  const homeless = members.find(({ row }) => facts.get(row.pid)?.cwdDeleted === true);
  if (homeless !== undefined)
    found.push({
      code: 'deleted-folder',
      figures: { pid: homeless.row.pid, folder: facts.get(homeless.row.pid)?.cwd ?? '' },
    });
  const zombies = members.map(({ row }) => ({ row, count: tree.children(row.pid).filter(hasEnded).length }));
  const worst = zombies.toSorted((left, right) => right.count - left.count)[0];
  if (worst !== undefined && worst.count > 0)
    found.push({ code: 'zombie-children', figures: { pid: worst.row.pid, count: worst.count } });
  return found;
};
