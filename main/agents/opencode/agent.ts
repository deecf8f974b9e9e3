import { existsSync } from 'node:fs';
import { say } from '../../../app/text/say.ts';
import { isAbsolutePath } from '../../../app/paths/path.ts';
import { type AgentHookInstaller, type AgentPlaces, type OwnHookFile, folderFrom } from '../hooks/form/agent-hooks.ts';
import type { HookRun } from '../hooks/form/hook-run.ts';
import type { McpForm } from '../entries/form/entry.ts';

/** The file with comments is read where it is there (https://opencode.ai/docs/config). */
const file = (places: AgentPlaces): string => {
  const plain = `${opencodeInstaller.folder(places)}/opencode.json`;
  return existsSync(`${plain}c`) && !existsSync(plain) ? `${plain}c` : plain;
};

const folder = (places: AgentPlaces): string =>
  isAbsolutePath(places.environment['OPENCODE_CONFIG_DIR'] ?? '')
    ? folderFrom(places, 'OPENCODE_CONFIG_DIR', '')
    : `${folderFrom(places, 'XDG_CONFIG_HOME', '.config')}/opencode`;

/** Asks the guard before a command, which runs as it is without a sensible answer. */
const asking = `

const ask = async (args) => {
  try {
    return JSON.parse(await tell('pre-tool-use', { tool_name: 'bash', tool_input: { command: args.command } })) ?? {};
  } catch {
    return {};
  }
};
const warnings = new Map();`;

/** Throwing keeps opencode from running it and tells the model; changed arguments are run. */
const before = `'tool.execute.before': async ({ tool, callID }, output) => {
      if (tool !== 'bash' || typeof output?.args?.command !== 'string') return;
      const { kind, text, command } = await ask(output.args);
      if (kind === 'deny') throw new Error(text);
      if (kind === 'rewrite') output.args.command = command;
      if (kind === 'warn' || kind === 'rewrite') warnings.set(callID, text);
    },
    `;

const after = `
      if (warnings.has(callID) && typeof output?.output === 'string') output.output += '\\n\\n' + warnings.get(callID);
      warnings.delete(callID);`;

/**
 * opencode has no hooks but plugins (https://opencode.ai/docs/plugins): a module that calls the
 * same script. It waits for the script, which takes milliseconds, and at the end of opencode
 * doesn't.
 */
const plugin = (
  { script, witness, guard }: OwnHookFile,
  run: HookRun,
): string => `// Curfew's plugin: tells curfew-hook what a session does. Written by "curfew hooks install", removed by "curfew hooks uninstall".
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';

const script = ${JSON.stringify(script)};
const witness = ${JSON.stringify(witness)};

const tell = (event, payload) =>
  new Promise((resolve) => {
    try {
      if (!existsSync(script)) return resolve('');
      const child = spawn(${run.by === 'program' ? JSON.stringify(run.command) : `'/bin/sh'`}, [script, 'opencode', event], { stdio: ['pipe', 'pipe', 'ignore']${run.by === 'program' ? ', windowsHide: true' : ''} });
      let answer = '';
      child.on('error', () => resolve(''));
      child.stdout.on('data', (part) => (answer += part));
      child.on('close', () => resolve(answer));
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(payload));
      setTimeout(() => resolve(''), 2000).unref?.();
    } catch {
      resolve('');
    }
  });${guard ? asking : ''}

export const Curfew = async ({ directory }) => {
  const sessions = new Set();
  const about = (id) => ({ session_id: id, cwd: directory });
  return {
    event: async ({ event }) => {
      const info = event.properties?.info;
      if (event.type === 'session.created' && info?.id && !info.parentID) {
        sessions.add(info.id);
        await tell('session-start', { ...about(info.id), source: 'startup' });
      }
      if (event.type === 'session.idle' && sessions.has(event.properties?.sessionID))
        await tell('stop', about(event.properties.sessionID));
      if (event.type === 'session.deleted' && sessions.delete(info?.id))
        await tell('session-end', { ...about(info.id), reason: 'deleted' });
      if (event.type === 'server.instance.disposed')
        for (const id of sessions) await tell('session-end', { ...about(id), reason: 'exit' });
    },
    // With --witness each tool shell notes itself. A terminal of the user's in it has no call,
    // and a user who has set the variable needs it.
    'shell.env': async ({ callID }, { env }) => {
      if (!callID || process.env.BASH_ENV || env.BASH_ENV || /(?:zsh|fish|nu)$/.test(process.env.SHELL ?? '')) return;
      if (existsSync(witness)) env.BASH_ENV = witness;
    },
    ${guard ? before : ''}'tool.execute.after': async ({ sessionID${guard ? ', callID }, output' : ' }'}) => {${guard ? after : ''}
      if (sessions.has(sessionID)) await tell('tool', about(sessionID));
    },
  };
};
`;

export const opencodeInstaller: AgentHookInstaller = {
  agent: 'opencode',
  folder,
  file: (places) => `${folder(places)}/plugin/curfew.js`,
  content: { kind: 'own', text: (run, files) => plugin(files, run('stop')) },
  onWindows: 'own',
  // https://opencode.ai/v2/docs/build/plugins/migrate-v1: plugins of version 1 have to be written
  // anew for it.
  afterwards: say('The plugin is for opencode 1; opencode 2 does not load it, and is watched from outside.'),
};

/** How a server gets into opencode's `opencode.json` (1.18.33, observed). */
export const opencodeMcp: McpForm = {
  agent: 'opencode',
  folder: opencodeInstaller.folder,
  file,
  format: 'json',
  path: ['mcp'],
  value: ({ command, environment }) => ({
    type: 'local',
    command: [...command],
    enabled: true,
    ...(Object.keys(environment).length === 0 ? {} : { environment }),
  }),
  afterwards: null,
};
