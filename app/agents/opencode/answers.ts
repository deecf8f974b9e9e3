import { type GuardForm, usualGuard } from '../common/guard-form.ts';
import { type HookForm, silence } from '../common/hook-form.ts';

/** How the plugin in opencode asks before a command; its stdin is /dev/null (1.18.33, observed). */
export const opencodeGuard: GuardForm = {
  ...usualGuard,
  answer: ({ kind, text, changed }) => ({ kind, text, ...(changed === null ? {} : { command: changed.command }) }),
  shell: { commandInArguments: true, mayGoOn: false, standardInput: 'empty', takesTyping: false },
};

/**
 * Events of opencode's plugins (https://opencode.ai/docs/plugins), in which Curfew's own plugin
 * calls the hook script. The plugin waits for the script, milliseconds at most as given here. It
 * has no way to tell a session something at its start.
 */
export const opencodeHooks: HookForm = {
  events: [
    ['session.created', 'session-start', 2000],
    ['tool.execute.after', 'tool', 2000],
    ['session.idle', 'stop', 2000],
    ['session.deleted', 'session-end', 2000],
    ['server.instance.disposed', 'session-end', 2000],
  ],
  beforeCommand: { name: 'tool.execute.before', matcher: { tool: 'bash' }, timeout: 2000 },
  witness: 'bash-env',
  neutralAnswer: silence,
  sessionAnswer: 'none',
};
