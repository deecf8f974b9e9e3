import { manyUsers, unlessManyUsers } from '../os/machine-facts.ts';
import { canGroup } from './grouped.ts';
import { missing } from '../os/remote/far-machine.ts';
import { innocentProcesses, jobKinds, situations, type WorldPlan } from './world.ts';

const ofOtherUsers: ReadonlySet<string> = new Set(['other-user', 'other-users-agent']);

const ofGroups: ReadonlySet<string> = new Set([
  'calls-group',
  'shared-group',
  'whole-group',
  'lived-in-group',
  'group-again',
]);

/** The kinds that can be played here: without other users or groups, none that needs them. */
export const playable = <Kind extends string>(kinds: readonly Kind[]): readonly Kind[] =>
  kinds.filter((kind) => (manyUsers || !ofOtherUsers.has(kind)) && (canGroup || !ofGroups.has(kind)));

/** All that can be played here. */
export const playableKinds = {
  jobs: playable(jobKinds),
  processes: playable(innocentProcesses),
  situations: playable(situations),
} as const;

/** Returns why a world can't be played here, as the end of a test's name; empty where it can. */
export const unlessPlayable = ({ by, sessions, innocents, runs }: WorldPlan): string => {
  if (by === 'remote' && missing !== null) return ` (SKIPPED: no ${missing})`;
  const kinds = [...innocents, ...[...sessions, ...runs].flatMap(({ jobs }) => jobs)];
  if (!canGroup && kinds.some((kind) => ofGroups.has(kind))) return ' (SKIPPED: no control groups may be made here)';
  return kinds.some((kind) => ofOtherUsers.has(kind)) ? unlessManyUsers : '';
};
