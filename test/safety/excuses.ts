import { lives } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { CastJob } from './cast.ts';
import { livesOn, type WorldPlan } from './world.ts';

/**
 * Claude Code 2.1.197 names its session and no process. A process that was forked
 * late, when no other of its job was left or before a look, may then be of any living Claude Code
 * that is older than it.
 */
const mayBeAnothers = ({ sessions, steps, disturbances }: WorldPlan, { begunBy, kind }: CastJob): boolean => {
  if (begunBy.kind === 'run' || begunBy.plan.agent !== 'claude-2.1.197') return false;
  const another =
    sessions.some((one) => one.agent.startsWith('claude') && (livesOn(one) || one.fate === 'background')) ||
    disturbances.some((one) => one.kind === 'new-session');
  const forked = steps.some(({ what }) => what === 'fork' || what === 'leave' || what === 'setsid');
  return another && (forked || (kind === 'breeds' && begunBy.plan.fate === 'ends'));
};

/**
 * What overwrote its marks is a job's by its parents and its group; where those change, nothing
 * tells whose it is. A `curfew run` that lives adopts what it started.
 */
const mayBeUnmarked = ({ steps, disturbances }: WorldPlan, { begunBy, kind }: CastJob): boolean =>
  kind === 'renames' &&
  steps.length + disturbances.length > 0 &&
  (begunBy.kind === 'session' || begunBy.plan.ends === 'killed');

const mayBeAgents = (stage: Scene, { begunBy }: CastJob): boolean =>
  begunBy.kind === 'session' && lives(stage.row(begunBy.agent));

/**
 * What begins when its agent has ended, by a process that ends then, is only reported where a look
 * saw that agent alive: nothing that lives leads from it to what the look knew.
 */
const mayBeLater = ({ looked, steps }: WorldPlan, { kind }: CastJob): boolean =>
  looked !== 'no' &&
  (kind === 'heir' ||
    kind === 'breeds' ||
    steps.some(({ what }) => what === 'fork' || what === 'leave' || what === 'setsid'));

/** The helper of a server that another hand ended looks like a daemon: it is only reported. */
const mayBeHelper = ({ steps, disturbances }: WorldPlan, { kind }: CastJob): boolean =>
  kind === 'talks' &&
  [...steps.map(({ what }) => what), ...disturbances.map((one) => one.kind)].some((what) =>
    ['recycled', 'imitated', 'dies'].includes(what),
  );

/** Whether something happened after which nothing need prove any more whose a job is. */
export const isUnproved = (stage: Scene, plan: WorldPlan, job: CastJob): boolean =>
  // Where another process has the pid that a job names as its agent's, nothing proves that this
  // isn't its agent: it is only reported.
  mayBeAgents(stage, job) ||
  mayBeAnothers(plan, job) ||
  mayBeUnmarked(plan, job) ||
  mayBeLater(plan, job) ||
  mayBeHelper(plan, job);
