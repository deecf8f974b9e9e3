import type { AgentHookInstaller, AgentPlaces } from './agent-hooks.ts';
import { folderFrom } from './agent-hooks.ts';

const folder = (places: AgentPlaces): string =>
  places.environment['OPENCODE_CONFIG_DIR']?.startsWith('/') === true
    ? folderFrom(places, 'OPENCODE_CONFIG_DIR', '')
    : `${folderFrom(places, 'XDG_CONFIG_HOME', '.config')}/opencode`;

/**
 * opencode has no hooks but plugins (https://opencode.ai/docs/plugins): a module that calls the same script. It waits for the script,
 * which takes milliseconds, and at the end of opencode doesn't.
 */
const plugin = (
  script: string,
): string => `// Curfew's plugin: tells curfew-hook what a session does. Written by "curfew hooks install", removed by "curfew hooks uninstall".
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';

const script = ${JSON.stringify(script)};

const tell = (event, payload) =>
  new Promise((resolve) => {
    try {
      if (!existsSync(script)) return resolve();
      const child = spawn('/bin/sh', [script, 'opencode', event], { stdio: ['pipe', 'ignore', 'ignore'] });
      child.on('error', () => resolve());
      child.on('close', () => resolve());
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(payload));
      setTimeout(resolve, 2000).unref?.();
    } catch {
      resolve();
    }
  });

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
    'tool.execute.after': async ({ sessionID }) => {
      if (sessions.has(sessionID)) await tell('tool', about(sessionID));
    },
  };
};
`;

/** opencode, a plugin in its folder of plugins. */
export const opencodeHooks: AgentHookInstaller = {
  agent: 'opencode',
  folder,
  file: (places) => `${folder(places)}/plugin/curfew.js`,
  content: { kind: 'own', text: (_, script) => plugin(script) },
  afterwards: null,
};
