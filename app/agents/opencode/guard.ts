import { toolArguments, startsInBackground, type GuardForm } from '../common/guard-form.ts';

/**
 * How Curfew's own plugin in opencode asks before a command. opencode ties standard input to
 * /dev/null (1.18.33, observed).
 */
export const opencodeGuard: GuardForm = {
  shellArguments: toolArguments,
  isBackground: startsInBackground,
  answer: ({ kind, text, changed }) => ({ kind, text, ...(changed === null ? {} : { command: changed.command }) }),
  canRewrite: true,
  posixOnWindows: false,
  shell: { commandInArguments: true, mayGoOn: false, standardInput: 'empty', takesTyping: false },
};
