import type { ServerForm } from '../common/server-form.ts';

/**
 * Servers of Cursor's agent were not observed: they are known only when a look saw them below it.
 */
export const cursorServers: ServerForm = { rule: 'cursor-server', mark: () => null };
