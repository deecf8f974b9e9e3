import type { ServerForm } from '../common/server-form.ts';

/**
 * Servers of lesser known agents are known only when a look saw them below the agent.
 */
export const otherServers: ServerForm = { rule: 'other-server', mark: () => null };
