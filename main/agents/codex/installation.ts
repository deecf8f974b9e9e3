import { say } from '../../../app/text/say.ts';
import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { codexHooks as form } from '../../../app/agents/codex/answers.ts';
import { folderFrom, groupedContent } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'CODEX_HOME', '.codex');

/** How hooks get into Codex CLI's `hooks.json`, which has Claude Code's form. */
export const codexInstaller: AgentHookInstaller = {
  agent: 'codex',
  folder,
  file: (places) => `${folder(places)}/hooks.json`,
  content: groupedContent(form),
  onWindows: 'any-shell',
  afterwards: say(
    'Codex runs new hooks only after you have trusted them once: start `codex` and approve them when it asks.',
  ),
};
