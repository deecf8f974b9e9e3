import type { MarkerEnvironment } from '../../process/facts.ts';
import { commandShell } from '../common/command-shell.ts';
import { type AgentDossier, noRecords } from '../common/dossier.ts';
import { folderValue, isSet } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm } from '../common/server-form.ts';
import { readShellWord } from '../common/shell-word.ts';
import {
  type AgentSignature,
  type MarkerMatch,
  type OutputMatch,
  type ShellMatch,
  noParts,
} from '../common/signature.ts';

/** Not observed in mux: servers are known only when a look saw them below it. */
const muxServers: ServerForm = { rule: 'mux-server', mark: () => null };

/*
 * `nohup bash -c <steps><command>`, the steps joined by ` && ` and, in later versions, ended by `
 * || exit; `:
 *
 * __MUX_EXIT_CODE_PATH='<folder>/exit_code' && trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT [&&
 * trap 'exit 143' TERM] && cd '<project>' && export MUX_PROJECT_PATH='…' && … <command>
 *
 * https://github.com/coder/mux, src/node/runtime/backgroundCommands.ts (2025-12 and 2026-08). The
 * markers are exported inside the shell, so the children's environment has them and the shell's own
 * has not.
 */
const head = '__MUX_EXIT_CODE_PATH=';
const exitTrap = ` && trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT`;
const plainStep =
  /^(?:trap 'exit \d+' TERM|__MUX_CWD="\$[A-Z0-9_]+"|unset [A-Z0-9_]+|cd "\$__MUX_CWD")(?= && | \|\| exit; )/;
const valueStep = /^(?:cd (?:-- )?|export (?<name>[A-Za-z_][A-Za-z0-9_]*)=)/;

interface Steps {
  readonly command: string | null;
  readonly project: string | null;
  readonly runtime: string | null;
}

/**
 * Where mux has the shell run: `worktree` (the default), `local`, `ssh`
 * (https://github.com/coder/mux, src/common/types/runtime.ts). Over SSH mux itself is on another
 * machine, and that none runs here says nothing. Whatever else comes is taken for elsewhere.
 */
const isHere = (runtime: string | null): boolean =>
  runtime === null || runtime === '' || runtime === 'local' || runtime === 'worktree';

/** Walks the steps up to the command, which an older version marks by nothing but being no step. */
const readSteps = (script: string, start: number): Steps => {
  let at = start;
  let folder: string | null = null;
  let project: string | null = null;
  let runtime: string | null = null;
  const steps = (command: string | null): Steps => ({ command, project: project ?? folder, runtime });
  for (;;) {
    if (script.startsWith(' || exit; ', at)) return steps(script.slice(at + ' || exit; '.length));
    if (!script.startsWith(' && ', at)) return steps(null);
    const rest = script.slice(at + 4);
    const plain = plainStep.exec(rest);
    if (plain !== null) {
      at += 4 + plain[0].length;
      continue;
    }
    const value = valueStep.exec(rest);
    const word = value === null ? null : readShellWord(rest, value[0].length);
    const joins = word !== null && / && | \|\| exit; /.test(rest.slice(word.end, word.end + 10));
    if (value === null || word === null || !joins) return steps(rest);
    const name = value.groups?.['name'];
    if (name === undefined) folder ??= word.value;
    else if (name === 'MUX_PROJECT_PATH' || name === 'XUM_PROJECT_PATH') project ??= word.value;
    else if (name === 'MUX_RUNTIME' || name === 'XUM_RUNTIME') runtime ??= word.value;
    at += 4 + word.end;
  }
};

const shell = (argv: readonly string[]): ShellMatch | null => {
  const found = commandShell(argv[0] === 'nohup' ? argv.slice(1) : argv);
  if (found === null || !found.script.startsWith(head)) return null;
  const path = readShellWord(found.script, head.length);
  if (path === null || !path.value.endsWith('/exit_code') || !found.script.startsWith(exitTrap, path.end)) return null;
  const { command, project, runtime } = readSteps(found.script, path.end + exitTrap.length);
  return { rule: 'mux-shell', command, project, ...(isHere(runtime) ? {} : { elsewhere: true as const }) };
};

const marker = (environment: MarkerEnvironment): MarkerMatch | null => {
  if (!isSet(environment, 'MUX_WORKSPACE_ID') && !isSet(environment, 'XUM_WORKSPACE_ID')) return null;
  if (!isHere(environment['MUX_RUNTIME'] ?? environment['XUM_RUNTIME'] ?? null))
    return { kind: 'bare', rule: 'mux-marker' };
  return {
    kind: 'tool',
    rule: 'mux-marker',
    // A workspace is no run of the program: it goes on when mux is started again.
    session: null,
    ownerPid: null,
    project: folderValue(environment, 'MUX_PROJECT_PATH') ?? folderValue(environment, 'XUM_PROJECT_PATH'),
  };
};

/** `<tmp>/mux-bashes/<workspace>/<process>/output.log`; at first `stdout.log` and `stderr.log`. */
const output = (path: string): OutputMatch | null => {
  const found = /\/(?:mux|xum)-bashes\/([^/]{1,128})\/([^/]{1,255})\/(?:output|stdout|stderr)\.log$/.exec(path);
  return found === null
    ? null
    : { session: null, task: found[2] ?? null, projectSlug: found[1] ?? null, base: path.slice(0, found.index) };
};

/** mux, lately Xum. Its background shells are orphans from the start, also when all is well. */
const muxSignature: AgentSignature = {
  ...noParts,
  id: 'mux',
  name: 'mux',
  environmentNames: [
    'MUX_WORKSPACE_ID',
    'XUM_WORKSPACE_ID',
    'MUX_PROJECT_PATH',
    'XUM_PROJECT_PATH',
    'MUX_RUNTIME',
    'XUM_RUNTIME',
  ],
  program: (row) =>
    isProgram(
      {
        names: ['mux', 'xum', 'mux.AppImage', 'xum.AppImage'],
        paths: [
          '/mux.app/Contents/',
          '/Mux.app/Contents/',
          '/xum.app/Contents/',
          '/Xum.app/Contents/',
          '/mux/dist/cli/',
        ],
      },
      row,
    ),
  shell,
  marker,
  output,
  // `(set -m; nohup bash -c … &)`.
  ownGroups: true,
};

/** What is known of mux. It keeps no sessions: a workspace goes on when mux is started again. */
export const mux: AgentDossier = {
  ...noRecords,
  signature: muxSignature,
  names: {
    short: 'mux',
    others: ['cmux', 'coder-mux'],
    // Drawn for Curfew: panes.
    glyph: 'M2.5 3h11v10h-11ZM8 3v10M8 8h5.5',
    containedAs: /(?:^|[^a-z])(?:mux|xum)(?:$|[^a-z])/,
    resume: 'none',
  },
  // mux takes a command for running as long as the file is not there. A trap of its shell, or mux
  // itself, writes the number with a line end (https://github.com/coder/mux,
  // src/node/runtime/backgroundCommands.ts).
  exitCode: { file: 'exit_code' },
  servers: muxServers,
};
