import type { MarkerEnvironment } from '../../process/facts.ts';
import type { LeftForm } from '../../sweep/left-form.ts';
import { commandShell } from '../common/command-shell.ts';
import { type AgentDossier, noRecords } from '../common/dossier.ts';
import { isSet, sessionIdFrom } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm } from '../common/server-form.ts';
import {
  type AgentSignature,
  type MarkerMatch,
  type OutputMatch,
  type ShellMatch,
  noParts,
} from '../common/signature.ts';

/** Copilot CLI 1.0.102's servers carry its session id but not COPILOT_CLI (observed). */
const copilotServers: ServerForm = {
  rule: 'copilot-server',
  mark: (environment) => {
    const session = sessionIdFrom(environment['COPILOT_AGENT_SESSION_ID']);
    if (session === null || isSet(environment, 'COPILOT_CLI')) return null;
    return { rule: 'copilot-server', role: 'server', ownerPid: null, session, project: null };
  },
};

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
const copilotSignature: AgentSignature = {
  ...noParts,
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
};

/**
 * What Copilot CLI leaves (observed on 1.0.102): pid and exit code of shells that it detached.
 * Their output, the `.log` beside, stays: a resumed session is told its path. `inuse.<pid>.lock`
 * stays after a normal end too; it is Copilot's to remove.
 */
const copilotLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'scratch-file',
    place: 'temporary',
    path: [/^copilot-detached-[A-Za-z0-9_-]{1,200}\.(?:pid|exit)$/],
    dead: { ended: 'agent' },
  },
  { may: 'report', heap: 'packages', place: 'home', path: ['.cache', 'copilot', 'pkg'] },
  { may: 'never', heap: 'transcripts', place: 'agent-folder', path: ['session-state'] },
];

export const copilot: AgentDossier = {
  ...noRecords,
  signature: copilotSignature,
  names: {
    short: 'copilot',
    command: 'copilot',
    others: ['github-copilot', 'copilot-cli'],
    // Drawn for Curfew: a robot with an antenna.
    glyph: 'M2.5 8.5a3 3 0 0 1 3-3h5a3 3 0 0 1 3 3v1.2a3 3 0 0 1-3 3h-5a3 3 0 0 1-3-3ZM6 8.4v1.6M10 8.4v1.6M8 5.5V3',
    containedAs: /(?:^|[^a-z])copilot(?:$|[^a-z])/,
    resume: ['copilot', '--resume'],
  },
  registry: { folderVariable: 'COPILOT_HOME', folder: '.copilot', sessionVariables: ['COPILOT_AGENT_SESSION_ID'] },
  leftFiles: copilotLeftFiles,
  servers: copilotServers,
};
