import { type GuardForm, preToolUse, usualGuard } from '../common/guard-form.ts';
import { type AskingHookForm, additionalContext, silence } from '../common/hook-form.ts';

/**
 * How Claude Code asks before a command. A change never says `allow`, which would pass over what
 * the user is asked: 2.1.329 takes `updatedInput` by itself and still asks. On Windows its tool
 * `Bash` is for a POSIX shell, its PowerShell is a tool of another name.
 *
 * It ties standard input to /dev/null, but where the script redirects input anywhere (`<`, a
 * here-document) it leaves a socket on which nothing ever comes: `timeout 3 cat` then ended with
 * 124 (2.1.329).
 */
export const claudeCodeGuard: GuardForm = {
  ...usualGuard,
  answer: ({ kind, text, changed }) =>
    kind === 'deny'
      ? preToolUse({ permissionDecision: 'deny', permissionDecisionReason: text })
      : preToolUse({ ...(changed === null ? {} : { updatedInput: changed }), additionalContext: text }),
  posixOnWindows: true,
  shell: {
    commandInArguments: true,
    mayGoOn: false,
    standardInput: 'empty-unless-redirected',
    takesTyping: false,
  },
};

/**
 * Hooks of Claude Code. Timeouts in seconds. At SessionEnd it waits for hooks at least 1.5 s and at
 * most their longest timeout (2.1.329, read in its bundle); Curfew's take milliseconds.
 */
export const claudeCodeHooks: AskingHookForm = {
  events: [
    ['SessionStart', 'session-start', 5],
    ['PostToolUse', 'tool', 5],
    ['Stop', 'stop', 5],
    ['SessionEnd', 'session-end', 5],
  ],
  beforeCommand: { name: 'PreToolUse', matcher: { tool: 'Bash' }, timeout: 5 },
  witness: 'line',
  neutralAnswer: silence,
  sessionAnswer: additionalContext,
};
