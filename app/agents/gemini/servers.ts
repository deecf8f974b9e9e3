import type { ServerForm } from '../common/server-form.ts';

/** Servers of Gemini CLI 0.61: they carry what its commands carry, and no pid (observed). */
export const geminiServers: ServerForm = {
  rule: 'gemini-server',
  mark: (environment) =>
    environment['GEMINI_CLI'] === '1'
      ? { rule: 'gemini-server', role: 'shared', ownerPid: null, session: null, project: null }
      : null,
};
