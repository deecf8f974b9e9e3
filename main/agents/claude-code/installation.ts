import { say } from '../../../app/text/say.ts';
import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { claudeCodeHooks as form } from '../../../app/agents/claude-code/answers.ts';
import { folderFrom, groupedContent, settingAt } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude');

export const claudeCodeInstaller: AgentHookInstaller = {
  agent: 'claude-code',
  folder,
  file: (places) => `${folder(places)}/settings.json`,
  content: groupedContent(form),
  onWindows: 'program',
  afterwards: null,
  switchedOff: (settings) =>
    settingAt(settings, 'disableAllHooks') === true
      ? say('disableAllHooks is true in this file, so Claude Code runs no hooks at all.')
      : null,
};
