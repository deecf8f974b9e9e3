import type { ServerForm } from '../common/server-form.ts';

/**
 * Servers of Codex CLI 0.169: it clears their environment (observed), so they are known only when a
 * look saw them below it.
 */
export const codexServers: ServerForm = { rule: 'codex-server', mark: () => null };
