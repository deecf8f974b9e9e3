import { pidValue } from '../common/marker-value.ts';
import type { ServerForm } from '../common/server-form.ts';

/** Servers of opencode 1.18.33: they carry what its commands carry (observed). */
export const opencodeServers: ServerForm = {
  rule: 'opencode-server',
  mark: (environment) => {
    const ownerPid = pidValue(environment, 'OPENCODE_PID');
    return ownerPid === null
      ? null
      : { rule: 'opencode-server', role: 'shared', ownerPid, session: null, project: null };
  },
};
