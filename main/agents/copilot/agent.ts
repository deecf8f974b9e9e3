import { copilotHooks as form } from '../../../app/agents/copilot/answers.ts';
import { type AgentHookInstaller, type AgentPlaces, folderFrom } from '../hooks/form/agent-hooks.ts';
import type { HookRun } from '../hooks/form/hook-run.ts';
import { type McpForm, plainServer } from '../entries/form/entry.ts';
import type { RegistryReader } from '../common/session-registry.ts';
import { CopilotSessions } from './session-state.ts';

/** Copilot CLI's sessions: their state in its folder, and shells meant to outlive them. */
export const copilotSessions: RegistryReader = {
  open: ({ uid, files }) => {
    const known = new Map<string, CopilotSessions>();
    const statesIn = (folder: string): CopilotSessions => {
      const states = known.get(folder) ?? new CopilotSessions(uid, files);
      known.set(folder, states);
      return states;
    };
    return {
      read: ({ table, folders, named, namedInside }) => {
        const readings = folders.map((folder) => statesIn(folder).read(folder, table, named, namedInside));
        return {
          sessions: readings.flatMap(({ sessions }) => sessions),
          complete: readings.some(({ complete }) => complete),
          unclear: readings.flatMap(({ unclear }) => unclear),
          adoptions: [],
          kept: readings.flatMap(({ kept }) => kept),
        };
      },
      hasTranscript: 'none',
    };
  },
  showsInOpenFiles: false,
};

/** How a server gets into Copilot CLI's `mcp-config.json` (1.0.102, observed). */
export const copilotMcp: McpForm = {
  agent: 'copilot',
  folder: (places) => folderFrom(places, 'COPILOT_HOME', '.copilot'),
  file: (places) => `${folderFrom(places, 'COPILOT_HOME', '.copilot')}/mcp-config.json`,
  format: 'json',
  path: ['mcpServers'],
  value: (command) => ({ type: 'local', ...plainServer(command), tools: ['*'] }),
  afterwards: null,
};

const folder = (places: AgentPlaces): string => folderFrom(places, 'COPILOT_HOME', '.copilot');

/** It has a field for each kind of system. */
const fieldsOf = ({ by, command }: HookRun): object => (by === 'sh' ? { bash: command } : { powershell: command });

/** How hooks get into Copilot CLI: it reads each JSON file in `hooks/`, one of them Curfew's. */
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
