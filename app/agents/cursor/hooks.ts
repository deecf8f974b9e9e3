import type { HookForm } from '../common/hook-form.ts';

/**
 * Hooks of Cursor, by its documentation (https://cursor.com/docs/agent/hooks); it was not run.
 * Timeouts in seconds.
 *
 * It takes only JSON for an answer. Before a command it wants a permission and refuses the command
 * without ("returned stdout that is not valid JSON. The action was blocked for safety",
 * stablyai/orca#15619, ruvnet/ruflo#2613): `allow` says no more than that this hook has nothing
 * against it.
 */
export const cursorHooks: HookForm = {
  events: [
    ['sessionStart', 'session-start', 5],
    ['afterShellExecution', 'tool', 5],
    ['stop', 'stop', 5],
    ['sessionEnd', 'session-end', 5],
  ],
  beforeCommand: { name: 'beforeShellExecution', matcher: 'none', timeout: 5 },
  witness: 'none',
  neutralAnswer: (call) => (call === 'pre-tool-use' ? '{"permission":"allow"}' : '{}'),
  sessionAnswer: (text) => ({ additional_context: text }),
};
