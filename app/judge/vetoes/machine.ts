import { containersOf } from '../../process/containers-of.ts';
import { coalitionName, isCoalitionName } from '../../process/launched.ts';
import { orchestratorSliceOf, serviceOf } from '../../process/service-of.ts';
import { type VetoRule, veto } from '../veto-rule.ts';

/** Threads of the kernel, which hear no signal; pid 2 is their parent. */
export const kernelThread: VetoRule = (row) =>
  row.kernelThread ? veto('kernel-thread', row, { name: row.comm }) : null;

/** Another user's, or its user is unknown. Root may signal them, and must not. */
export const otherUser: VetoRule = (row, _facts, _role, context) => {
  if (row.uid === context.uid) return null;
  return veto('other-user', row, row.uid === null ? {} : { uid: row.uid });
};

/**
 * It lives in another pid namespace than Curfew and not as a part of a job that lives in ours:
 * another container or sandbox. The nested namespace of a sandboxed command hangs below its tool
 * shell and goes with it. Unreadable proves nothing.
 */
export const otherNamespace: VetoRule = (row, facts, role, context) => {
  const theirs = facts?.pidNamespace ?? null;
  if (theirs === null || context.pidNamespace === null || theirs === context.pidNamespace) return null;
  return role.isRoot || !role.descendsFromRoot ? veto('other-namespace', row) : null;
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** It lives in a container that Curfew itself is not in: its runtime decides over it. */
export const container: VetoRule = (row, facts, _role, context) => {
  const own = new Set(containersOf(context.cgroups).map(({ path }) => path));
  const other = containersOf(facts?.cgroups ?? null).find(({ path }) => !own.has(path));
  return other === undefined ? null : veto('container', row, { runtime: other.runtime, path: other.path });
};

/**
 * A systemd service manages it, and that service doesn't also contain its agent: it was set up to
 * run, and systemd would start it again. An agent that itself runs in a service (cron, a runner, a
 * service of sshd) has its jobs there too; they are no strangers to it. For launchd see `launched`.
 * What an orchestrator keeps in a slice of its own is left to that, its agents' leftovers too.
 */
export const serviceManager: VetoRule = (row, facts, _role, context) => {
  const slice = orchestratorSliceOf(facts?.cgroups ?? null);
  if (slice !== null) return veto('service-manager', row, { by: 'orchestrator', service: nameOf(slice), path: slice });
  const service = serviceOf(facts?.cgroups ?? null);
  if (service === null || context.ownerServices.includes(service)) return null;
  return veto('service-manager', row, { service: nameOf(service), path: service });
};

/** The main program of an application of macOS, and the name of the application. */
const appProgram = /(?:^|\/)(?<app>[^/]+)\.app\/Contents\/MacOS\/[^/]+$/u;

const launchdPid = 1;

/**
 * launchd started it: an application, whether it shows a window or not, or a job of its own. A tool
 * call may have asked for it (`open -a Word`, `brew services`), and then it carries the call's
 * marks; it is the user's all the same, and may hold work that was not saved.
 *
 * - An application's program below launchd is one. So is one that lost its parent.
 * - Only launchd starts a process in another coalition than its parent's, so what is in another one
 *   than its agent's was never started by that agent.
 * - Where the agent's coalition is unknown, what launchd started first in its coalition is spared.
 * - Where the kernel did not tell its own coalition, launchd may have started it.
 */
export const launched: VetoRule = (row, facts, _role, { ownerServices, rows }) => {
  const parent = rows.get(row.ppid);
  const isBelowLaunchd = Number(row.ppid) === launchdPid && (parent === undefined || parent.comm === 'launchd');
  const app = appProgram.exec(facts?.executable ?? row.argv[0] ?? '')?.groups?.['app'];
  if (isBelowLaunchd && app !== undefined) return veto('service-manager', row, { launchd: 'app', service: app });
  const kept = facts?.launched;
  if (kept === undefined) return null;
  if (kept === 'untold') return veto('service-manager', row, { launchd: 'untold', service: row.comm });
  const owners = ownerServices.filter(isCoalitionName);
  const isStrange = owners.length === 0 ? kept.leads : !owners.includes(coalitionName(kept.coalition));
  return isStrange ? veto('service-manager', row, { launchd: 'job', service: row.comm }) : null;
};

/** Process 1 of the namespace: without it everything ends. To kill(2), pids below mean groups. */
export const init: VetoRule = (row) => (row.pid <= 1 ? veto('init', row) : null);
