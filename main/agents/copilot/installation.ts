import type { HookEventKind } from '../../../app/jobs/sessions/hook-event.ts';
import type { AgentHookInstaller, AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { folderFrom } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'COPILOT_HOME', '.copilot');

/** The events that 1.0.102 was seen to fire. It has none at the end of a reply that could be relied on. */
const events: readonly (readonly [string, HookEventKind])[] = [
  ['sessionStart', 'session-start'],
  ['postToolUse', 'tool'],
  ['sessionEnd', 'session-end'],
];

/** Copilot CLI reads every JSON file in `hooks/`, so Curfew has one of its own. Timeouts in seconds. */
export const copilotHooks: AgentHookInstaller = {
  agent: 'copilot',
  folder,
  file: (places) => `${folder(places)}/hooks/curfew.json`,
  content: {
    kind: 'own',
    text: (command, _, guard) => {
      const hooks = events.map(([name, event]) => [name, [{ type: 'command', bash: command(event), timeoutSec: 5 }]]);
      const asked = { type: 'command', matcher: 'bash', bash: command('pre-tool-use'), timeoutSec: 5 };
      if (guard) hooks.push(['preToolUse', [asked]]);
      return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) as unknown }, null, 2)}\n`;
    },
  },
  afterwards: null,
};
