import { serviceOf } from '../../process/service-of.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * A systemd service manages it, and that service doesn't also contain its agent: it was set up to
 * run, and systemd would start it again. An agent that itself runs in a service (cron, a runner, a
 * service of sshd) has its jobs there too; they are no strangers to it. For launchd see `launched`.
 */
export const serviceManager: VetoRule = (row, facts, _role, context) => {
  const service = serviceOf(facts?.cgroups ?? null);
  if (service === null || context.ownerServices.includes(service)) return null;
  return veto('service-manager', row, { service: service.slice(service.lastIndexOf('/') + 1), path: service });
};
