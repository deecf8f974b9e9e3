import { programFile } from '../../paths/path.ts';
import type { MarkerEnvironment } from '../../process/facts.ts';
import { type AgentDossier, noRecords } from '../common/dossier.ts';
import { isSet } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm } from '../common/server-form.ts';
import { type AgentSignature, type MarkerMatch, type ShellMatch, noParts } from '../common/signature.ts';

/** Not observed in Cursor's agent: servers are known only when a look saw them below it. */
const cursorServers: ServerForm = { rule: 'cursor-server', mark: () => null };

const stateIn = 'snap=$(command cat <&3)';
const stateOut = /\bdump_(?:zsh|bash)_state >&4/;
const evaluates = 'builtin eval "$1"';

/**
 * `/bin/zsh -o extendedglob -c 'snap=$(command cat <&3); … builtin eval "$1" < /dev/null; …
 * dump_zsh_state >&4; …' -- <command>`: the shell's state comes in through descriptor 3 and goes
 * out through 4. Public reports only, not run here (https://github.com/cursor/cursor/issues/3588
 * and shell listings in other issues).
 */
const shell = (argv: readonly string[]): ShellMatch | null => {
  if (!/^(?:zsh|bash)$/.test(programFile(argv[0] ?? ''))) return null;
  const at = argv.indexOf('-c');
  const script = at === -1 || at > 3 ? undefined : argv[at + 1];
  if (script === undefined || !script.startsWith(stateIn)) return null;
  if (!script.includes(evaluates) || !stateOut.test(script)) return null;
  return { rule: 'cursor-shell', command: argv.length > at + 2 ? (argv.at(-1) ?? null) : null, project: null };
};

/** CURSOR_AGENT names no process, and Cursor's ways to end a session were not observed. */
const marker = (environment: MarkerEnvironment): MarkerMatch | null =>
  isSet(environment, 'CURSOR_AGENT') ? { kind: 'bare', rule: 'cursor-marker', named: true } : null;

/** Cursor: the editor's agent and the command line, as far as publicly known. */
const cursorSignature: AgentSignature = {
  ...noParts,
  id: 'cursor',
  name: 'Cursor',
  environmentNames: ['CURSOR_AGENT'],
  program: (row) =>
    isProgram(
      {
        names: ['cursor', 'cursor-agent', 'cursor-server', 'Cursor', 'cursor.AppImage'],
        paths: ['/cursor-agent/versions/', '/Cursor.app/Contents/', '/.cursor-server/'],
      },
      row,
    ),
  shell,
  marker,
  // Without a kernel session of its own (reports).
  ownGroups: true,
};

export const cursor: AgentDossier = {
  signature: cursorSignature,
  names: {
    short: 'cursor',
    command: 'cursor-agent',
    others: ['cursor-agent', 'cursor-cli'],
    // Drawn for Curfew: a text cursor.
    glyph: 'M5 2.5h6M5 13.5h6M8 2.5v11',
    containedAs: 'none',
    resume: ['cursor-agent', '--resume'],
  },
  ...noRecords,
  servers: cursorServers,
};
