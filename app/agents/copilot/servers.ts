import { isSet, sessionIdFrom } from '../common/marker-value.ts';
import type { ServerForm } from '../common/server-form.ts';

/**
 * Servers of Copilot CLI 1.0.102 carry its session's id without COPILOT_CLI, which its commands
 * have (observed).
 */
export const copilotServers: ServerForm = {
  rule: 'copilot-server',
  mark: (environment) => {
    const session = sessionIdFrom(environment['COPILOT_AGENT_SESSION_ID']);
    if (session === null || isSet(environment, 'COPILOT_CLI')) return null;
    return { rule: 'copilot-server', role: 'server', ownerPid: null, session, project: null };
  },
};
