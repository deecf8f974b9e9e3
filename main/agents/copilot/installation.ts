import { copilotHooks as form } from '../../../app/agents/copilot/hooks.ts';
import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { folderFrom } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'COPILOT_HOME', '.copilot');

/**
 * How hooks get into Copilot CLI, which reads every JSON file in `hooks/`: Curfew has one of its
 * own.
 */
export const copilotInstaller: AgentHookInstaller = {
  agent: 'copilot',
  folder,
  file: (places) => `${folder(places)}/hooks/curfew.json`,
  content: {
    kind: 'own',
    text: (command, _, guard) => {
      const hooks = form.events.map(([name, event, timeoutSec]) => [
        name,
        [{ type: 'command', bash: command(event), timeoutSec }],
      ]);
      const { name: before, matcher, timeout } = form.beforeCommand;
      const tool = matcher === 'none' ? {} : { matcher: matcher.tool };
      if (guard)
        hooks.push([before, [{ type: 'command', ...tool, bash: command('pre-tool-use'), timeoutSec: timeout }]]);
      return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) as unknown }, null, 2)}\n`;
    },
  },
  afterwards: null,
};
