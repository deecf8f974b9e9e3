import { isShellTool, objectOf, startsInBackground, type GuardForm } from '../common/guard-form.ts';

/**
 * How Cursor asks before a command (https://cursor.com/docs/agent/hooks): it tells its own hooks of
 * a command and of no tool, and Claude Code's hooks, which it can run too, of a tool. Its hook
 * before a command can only allow, ask and refuse. It may feed commands to a shell that goes on.
 */
export const cursorGuard: GuardForm = {
  shellArguments: (event) => {
    const tool = event['tool_name'] ?? event['toolName'];
    if (tool !== undefined && !isShellTool(tool)) return null;
    return objectOf(event['tool_input'] ?? event['toolArgs']) ?? event;
  },
  isBackground: startsInBackground,
  answer: ({ kind, text }) =>
    kind === 'deny'
      ? { permission: 'deny', user_message: text, agent_message: text }
      : { permission: 'allow', agent_message: text },
  canRewrite: false,
  posixOnWindows: false,
  shell: { commandInArguments: false, mayGoOn: true, standardInput: 'unknown', takesTyping: false },
};
