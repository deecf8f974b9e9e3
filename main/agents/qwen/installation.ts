import { say } from '../../../app/text/say.ts';
import { qwenHooks as form } from '../../../app/agents/qwen/answers.ts';
import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { folderFrom, groupedContent, settingAt } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'QWEN_HOME', '.qwen');

/** How hooks get into Qwen Code's `settings.json`, where they run unless all are switched off. */
export const qwenInstaller: AgentHookInstaller = {
  agent: 'qwen',
  folder,
  file: (places) => `${folder(places)}/settings.json`,
  content: groupedContent(form),
  onWindows: 'powershell',
  afterwards: null,
  switchedOff: (settings) =>
    settingAt(settings, 'disableAllHooks') === true
      ? say('disableAllHooks is true in this file, so Qwen Code runs no hooks; Curfew leaves your choice as it is.')
      : null,
};
