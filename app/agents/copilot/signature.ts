import type { MarkerEnvironment } from '../../process/facts.ts';
import { commandShell } from '../common/command-shell.ts';
import { isSet, sessionIdFrom } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { AgentSignature, MarkerMatch, OutputMatch, ShellMatch } from '../common/signature.ts';

/**
 * Every command gets COPILOT_CLI=1 and the session's id, MCP servers get the id alone, hooks get
 * neither (observed on 1.0.102).
 */
const marker = (environment: MarkerEnvironment): MarkerMatch | null => {
  const session = sessionIdFrom(environment['COPILOT_AGENT_SESSION_ID']);
  if (session !== null && !isSet(environment, 'COPILOT_CLI')) return { kind: 'harness', rule: 'copilot-marker' };
  if (session !== null) return { kind: 'tool', rule: 'copilot-marker', session, ownerPid: null, project: null };
  return isSet(environment, 'COPILOT_CLI') ? { kind: 'bare', rule: 'copilot-marker' } : null;
};

const detachedHead = '__copilot_pid_path=$1; ';
const detachedName = 'copilot-detached-supervisor';

/**
 * `detach: true` puts a supervisor around the command: `sh -c '__copilot_pid_path=$1; …'
 * copilot-detached-supervisor <pid file> <exit file> <shell> --norc --noprofile -c <command>`. What
 * isn't detached is wrapped in nothing.
 */
const shell = (argv: readonly string[]): ShellMatch | null => {
  if (argv[1] !== '-c' || !(argv[2] ?? '').startsWith(detachedHead) || commandShell(argv) === null) return null;
  const at = argv.indexOf(detachedName, 3);
  if (at === -1) return null;
  const command = argv[argv.lastIndexOf('-c') + 1];
  return { rule: 'copilot-detached', command: at < argv.lastIndexOf('-c') ? (command ?? null) : null, project: null };
};

/** `/tmp/copilot-detached-<shell id>-<milliseconds>-<uuid>.log`. */
const output = (path: string): OutputMatch | null => {
  const task = /\/copilot-detached-([A-Za-z0-9_-]+)-\d{10,16}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.log$/.exec(
    path,
  )?.[1];
  return task === undefined ? null : { session: null, task, projectSlug: null };
};

/** GitHub Copilot CLI 1.0.102. */
export const copilotSignature: AgentSignature = {
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  environmentNames: ['COPILOT_HOME', 'COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'],
  program: (row) =>
    isProgram({ names: ['copilot', 'copilot-runtime'], paths: ['/@github/copilot/', '/copilot/pkg/'] }, row),
  shell,
  marker,
  output,
  toolShells: 'child-session',
  marksCallsAlone: true,
  // Its hooks share its kernel session (observed on 1.0.102).
  plainCalls: 'always',
  ownGroups: false,
  updater: 'none',
  sharedServer: 'none',
  idleSpare: 'none',
};
