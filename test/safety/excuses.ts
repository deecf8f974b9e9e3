import { type Identity, lives, type Row } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { CastJob } from './cast.ts';
import { processesOf } from './diary.ts';
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
 * saw that agent alive: nothing that lives leads from it to what the look knew. A process of the
 * same group or kernel session that the look saw, or such a parent, does lead to it, and then it is
 * due (test/os/found/late.test.ts).
 */
const mayBeLater = (
  stage: Scene,
  { steps, disturbances }: WorldPlan,
  seen: readonly Identity[],
  { number, kind }: CastJob,
): boolean => {
  if (seen.length === 0) return false;
  // A hook's note leads to what its shell left.
  if (kind === 'noted' && steps.length + disturbances.length === 0) return false;
  const table = stage.table().filter(lives);
  const known = table.filter((row) => seen.some(({ pid, start }) => pid === row.pid && start === row.start));
  const own = processesOf(stage, number, [], table);
  // A parent that is none of the job has adopted it.
  const leads = (one: Row, row: Row): boolean =>
    one.pid === row.pid || one.pgid === row.pgid || one.sid === row.sid || (own.includes(one) && one.pid === row.ppid);
  return own.some((row) => !known.some((one) => leads(one, row)));
};

const byAnotherHand = ({ steps, disturbances }: WorldPlan): boolean =>
  [...steps.map(({ what }) => what), ...disturbances.map((one) => one.kind)].some((what) =>
    ['recycled', 'imitated', 'dies'].includes(what),
  );

/** The helper of a server that another hand ended looks like a daemon: it is only reported. */
const mayBeHelper = (plan: WorldPlan, { kind }: CastJob): boolean => kind === 'talks' && byAnotherHand(plan);

/**
 * Gemini CLI's marks name neither a session nor a process. Of a browser whose server another hand
 * ended, before any look, nothing tells then that its agent has ended, while any process lives that
 * could be one.
 */
const mayBeOfNone = (plan: WorldPlan, seen: readonly Identity[], { begunBy, kind }: CastJob): boolean =>
  seen.length === 0 &&
  kind === 'drives' &&
  begunBy.kind === 'session' &&
  begunBy.plan.agent === 'gemini' &&
  byAnotherHand(plan);

/**
 * Whether something happened after which nothing need prove any more whose a job is.
 * @param seen what a look saw while all sessions lived; empty without a look
 */
export const isUnproved = (stage: Scene, plan: WorldPlan, seen: readonly Identity[], job: CastJob): boolean =>
  // Where another process has the pid that a job names as its agent's, nothing proves that this
  // isn't its agent: it is only reported.
  mayBeAgents(stage, job) ||
  mayBeAnothers(plan, job) ||
  mayBeUnmarked(plan, job) ||
  mayBeLater(stage, plan, seen, job) ||
  mayBeHelper(plan, job) ||
  mayBeOfNone(plan, seen, job);
