import { isWindowsPath } from '../../paths/path.ts';
import { type CommandShell, commandShell } from '../common/command-shell.ts';
import { readShellWord } from '../common/shell-word.ts';
import type { ShellMatch } from '../common/signature.ts';

/*
 * What Claude Code puts around a command, read in and observed on 2.0.28, 2.1.197 and 2.1.329:
 * steps joined by ` && `,
 *
 * [steps in front] source …/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh [2>/dev/null ||
 * true] [steps between: shell options, and whatever SessionStart hooks wrote into CLAUDE_ENV_FILE,
 * newlines included] eval '<command>' [< /dev/null] pwd -P >| /tmp/claude-88d4-cwd
 *
 * Both ends are anchored: it begins with one of the heads below and ends with the file for the
 * working folder. A text that merely mentions it (a grep, an editor, a logger, `bash -c "grep
 * '…'"`) has neither.
 */

/** `$HOME/.claude` can be anywhere (CLAUDE_CONFIG_DIR); a path with blanks or signs is quoted. */
const snapshot = String.raw`source (?:'[^'\n]*|[^\s'"]*)/shell-snapshots/snapshot-(?:bash|zsh|sh)-\d+-[a-z0-9]+\.sh'?(?: 2>/dev/null \|\| true)?`;

/**
 * Steps that 2.1.329 puts in front of `source`: closing the descriptor through which the sandbox
 * started the shell, refusing a bash that is too old, a variable that must not be exported, a
 * command that comes in pieces. They only ever stand there as one braced group each.
 */
const front = String.raw`(?:exec \d+<&-(?: \|\| exit \d+)?; )?(?:\{ (?:case "\$\{BASH_VERSINFO-\}" in |\\builtin typeset \+x '|__CLAUDE_CC_COMMAND_TEXT=; )[^\n]*?\} && ){0,3}`;

const withSnapshot = new RegExp(`^${front}${snapshot} && `);

/** Without a snapshot the shell is a login shell, and its script begins with a later step. */
const withoutSnapshot = new RegExp(
  String.raw`^${front}(?:eval |(?:\\builtin )?shopt -u extglob 2>/dev/null \|\| true && |(?:\\builtin )?setopt NO_EXTENDED_GLOB |\{ (?:\\builtin )?shopt -u extglob \|\| |export (?:TMPDIR|TEMP)=)`,
);

/** The working folder's file: `/tmp/claude-88d4-cwd`; sandboxed `/tmp/claude-1000/cwd-d89f`. */
const end = /^(?:'[^'\n]*|[^\s'"]*)\/(?:claude-[0-9a-f]{4,8}-cwd|cwd-[0-9a-f]{4,8})'?$/;
const beforeEnd = ' && pwd -P >| ';

/** 2.0 passes the redirection to eval as a second argument, with the sign escaped. */
const redirections = [String.raw` < /dev/null`, String.raw` \< /dev/null`];

/** 2.1.329 rewrites a long `sleep` to watch it; what the agent asked for is the sleep. */
const watchedSleep =
  /\{ CLAUDE_CODE_WATCHED_SLEEP=1 (sleep [^|{}]*?) \|\| \( case \$\? in 141\) ;; \*\) \\builtin exit "\$\?";; esac \); \}/;

/** 2.0 moved the redirection to the first part of a pipe. */
const asAsked = (command: string, login: boolean): string =>
  login && command.includes('|')
    ? command.replace(/^([^|]*?) < \/dev\/null \|/, '$1 |')
    : command.replace(watchedSleep, '$1');

/** A command line is text from outside: one that is slow to take apart is given up. */
const maxTries = 64;
const maxHead = 8192;

/** The word evaluated between `eval ` and `to`, if one whole word: by the first such `eval `. */
const evaluated = (script: string, to: number): string | null => {
  let tries = 0;
  for (let at = script.indexOf('eval '); at !== -1 && at < to; at = script.indexOf('eval ', at + 1)) {
    if (at !== 0 && !script.startsWith(' && ', at - 4)) continue;
    if ((tries += 1) > maxTries) return null;
    const word = readShellWord(script, at + 'eval '.length);
    if (word !== null && (word.end === to || redirections.includes(script.slice(word.end, to)))) return word.value;
  }
  return null;
};

/** The wrapped script of a tool call, taken apart; null if it isn't one from first to last byte. */
const unwrapScript = (script: string, login: boolean): { readonly command: string | null } | null => {
  const tail = script.lastIndexOf(beforeEnd);
  if (tail === -1 || !end.test(script.slice(tail + beforeEnd.length))) return null;
  const head = script.slice(0, maxHead);
  if (!withSnapshot.test(head) && !(login && withoutSnapshot.test(head))) return null;
  const command = evaluated(script, tail);
  return { command: command === null ? null : asAsked(command, login) };
};

const isLogin = (shell: CommandShell): boolean => shell.flags.some((flag) => /^-[a-z]*l[a-z]*$/.test(flag));

/**
 * Linux sandbox of 2.1.329, outermost first: a shell that waits on a pipe for its agent's end,
 * bubblewrap, a shell that starts the proxies, a helper that is run from a descriptor, and in it
 * the shell with the usual wrapper.
 */
const leaderHead =
  '{\n  set +euvx\n  unset TMOUT\n  read -r line <&7\n  [ "$?" != 1 ] || kill -KILL "$$"\n} 2>/dev/null &\n';
const proxyHead = /^\{ socat TCP6?-LISTEN:\d+,[^\n]* UNIX-CONNECT:[^\s;]*\/claude-(?:http|socks|mux)-[0-9a-f]+\.sock/;
const helper = /(?:^|\n)(?:[A-Z0-9_]+=\S+ )*(?:\/proc\/self\/fd\/\d+|\S*\/apply-seccomp) \S+ -c /g;

const lastWord = (text: string): string | null => {
  let last: string | null = null;
  let at = 0;
  while (at < text.length) {
    if (text.charAt(at) === ' ') {
      at += 1;
      continue;
    }
    const word = readShellWord(text, at);
    if (word === null) return null;
    last = word.value;
    at = word.end;
  }
  return last;
};

const insideProxyShell = (script: string): string | null => {
  for (const match of script.matchAll(helper)) {
    const word = readShellWord(script, match.index + match[0].length);
    const inner = word === null ? null : unwrapScript(word.value, false);
    if (inner !== null) return inner.command;
  }
  return null;
};

const sandboxShell = (argv: readonly string[]): ShellMatch | null => {
  const [first = ''] = argv;
  if (/^\/proc\/self\/fd\/\d+$|\/apply-seccomp$|^apply-seccomp$/.test(first)) {
    const inner = commandShell(argv.slice(1));
    const found = inner === null ? null : unwrapScript(inner.script, isLogin(inner));
    return found === null ? null : { rule: 'claude-sandbox', command: found.command, project: null };
  }
  const outer = commandShell(argv);
  if (outer === null) return null;
  if (outer.script.startsWith(leaderHead)) {
    // bwrap … -- /bin/bash -c "/bin/bash -c '<proxies>'"
    let inner: string | null = argv.slice(4).join(' ');
    for (let depth = 0; depth < 3 && inner !== null && !proxyHead.test(inner); depth += 1) inner = lastWord(inner);
    return { rule: 'claude-sandbox', command: inner === null ? null : insideProxyShell(inner), project: null };
  }
  if (!proxyHead.test(outer.script)) return null;
  return { rule: 'claude-sandbox', command: insideProxyShell(outer.script), project: null };
};

/** What follows the script of a command in pieces, as bash's own name. */
const piecesName = '/usr/bin/bash';

/**
 * A piece has a blank at both ends, and of each row of backslashes one less than twice as many, but
 * before a quotation mark (2.1.329, read in its bundle).
 */
const pieceOf = (word: string): string | null => {
  if (word.length < 2 || !word.startsWith(' ') || !word.endsWith(' ')) return null;
  return word
    .slice(1, -1)
    .replaceAll(/\\+"?/g, (found) => (found.endsWith('"') ? found : found.slice(0, (found.length + 1) / 2)));
};

const commandOfPieces = (words: readonly string[]): string | null => {
  const pieces = words.map(pieceOf);
  const text = pieces.includes(null) ? '' : pieces.join('');
  const word = readShellWord(text, 0);
  return word !== null && (word.end === text.length || redirections.includes(text.slice(word.end))) ? word.value : null;
};

/**
 * On Windows a long command doesn't fit into the script, and follows it in pieces. Elsewhere what
 * has further arguments is no tool shell.
 */
const shellWithPieces = (argv: readonly string[]): ShellMatch | null => {
  const at = isWindowsPath(argv[0] ?? '') ? argv.indexOf(piecesName, 3) : -1;
  const shell = at === -1 ? null : commandShell(argv.slice(0, at));
  if (shell === null || unwrapScript(shell.script, isLogin(shell)) === null) return null;
  return { rule: 'claude-shell', command: commandOfPieces(argv.slice(at + 1)), project: null };
};

/**
 * Recognises a tool shell of Claude Code by its whole argv and gives back the command as the agent
 * asked for it, newlines, quotes and here-documents included. A subshell of it has the same argv
 * and matches too. Not covered: a shell behind CLAUDE_CODE_SHELL_PREFIX, which may be any program;
 * its environment tells.
 */
export const claudeShell = (argv: readonly string[]): ShellMatch | null => {
  const shell = commandShell(argv);
  const found = shell === null ? null : unwrapScript(shell.script, isLogin(shell));
  return found === null
    ? (sandboxShell(argv) ?? shellWithPieces(argv))
    : { rule: 'claude-shell', command: found.command, project: null };
};
