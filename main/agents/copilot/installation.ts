import { copilotHooks as form } from '../../../app/agents/copilot/answers.ts';
import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { folderFrom } from '../hooks/form/agent-hooks.ts';
import type { HookRun } from '../hooks/form/hook-run.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'COPILOT_HOME', '.copilot');

/** It has a field for each kind of system. */
const fieldsOf = ({ by, command }: HookRun): object => (by === 'sh' ? { bash: command } : { powershell: command });

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
    text: (run, { guard }) => {
      const hooks = form.events.map(([name, event, timeoutSec]) => [
        name,
        [{ type: 'command', ...fieldsOf(run(event)), timeoutSec }],
      ]);
      const { name: before, matcher, timeout } = form.beforeCommand;
      const tool = matcher === 'none' ? {} : { matcher: matcher.tool };
      if (guard)
        hooks.push([before, [{ type: 'command', ...tool, ...fieldsOf(run('pre-tool-use')), timeoutSec: timeout }]]);
      return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) as unknown }, null, 2)}\n`;
    },
  },
  onWindows: 'powershell',
  afterwards: null,
};
