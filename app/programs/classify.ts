import type { MemberFacts } from '../process/facts.ts';
import type { Pid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import { parentsOf } from '../process/tree.ts';
import { browserName } from './browser.ts';
import { loginShellName } from './login-shell.ts';
import { multiplexerName } from './multiplexer.ts';
import { type Program, nameIn, programNames, programOf, windowsNameIn } from './program.ts';
import { sharedDaemonName } from './shared-daemon.ts';
import { desktopName, windowsEditorName, windowsTerminalName } from './windows-names.ts';

const editors = programNames(
  `vi vim vim.basic vim.tiny vim.nox vim.gtk vim.gtk3 vim.athena gvim rvim rview view vimdiff nvim nvim-qt neovide macvim MacVim
  emacs emacs-gtk emacs-nox emacs-pgtk emacs-x emacsclient Emacs nano pico rnano micro hx helix kak joe jed jmacs mg ne mcedit tilde
  code code-insiders code-oss code-tunnel codium vscodium code-server openvscode-server cursor Cursor windsurf Windsurf antigravity
  Antigravity kiro Kiro trae Trae zed zeditor zed-editor zed-remote-server Zed subl sublime_text plugin_host lapce lite-xl
  idea idea64 intellij pycharm webstorm phpstorm goland clion rider rubymine datagrip dataspell rustrover studio64
  android-studio jetbrains_client jetbrains-gateway remote-dev-server fsnotifier
  kate kwrite gedit gnome-text-editor xed pluma mousepad leafpad geany bluefish kdevelop gnome-builder qtcreator eclipse netbeans
  rstudio spyder Xcode TextEdit BBEdit CotEditor Nova RubyMine PyCharm WebStorm GoLand CLion`,
  [
    'Visual Studio Code',
    'Visual Studio Code - Insiders',
    'Sublime Text',
    'IntelliJ IDEA',
    'IntelliJ IDEA CE',
    'Android Studio',
  ],
);

/** Editors that run on a server under their own Node: Visual Studio Code and its kin. */
const serverPath =
  /\/\.(?:vscode|cursor|windsurf|antigravity|kiro|trae)-server(?:-insiders|-oss)?\/(?:bin|cli|code)[/-]/u;
/** The IDEs of JetBrains run under a Java of their own where their native launcher isn't used. */
const javaClass = /^com\.(?:intellij\.idea\.Main|jetbrains\.[\w.]*Main)$/u;

/** Java without a console, on Windows. */
const java = programNames('java javaw');

/**
 * The name of the editor that this program is; null when it is none. Every mode of it, also
 * headless: unsaved work can't be seen.
 */
const editorName = (program: Program): string | null => {
  const name = nameIn(program, editors) ?? windowsEditorName(program);
  if (name !== null) return name;
  if (program.paths.some((path) => serverPath.test(path))) return 'code-server';
  const isJava = program.names.has('java') || windowsNameIn(program, java) !== null;
  return isJava && program.argv.some((argument) => javaClass.test(argument)) ? 'idea' : null;
};

const terminals = programNames(
  `gnome-terminal gnome-terminal-server kgx gnome-console ptyxis ptyxis-agent konsole yakuake alacritty Alacritty kitty wezterm
  wezterm-gui WezTerm foot footclient xterm uxterm urxvt urxvtd rxvt rxvt-unicode st terminator tilix guake tilda terminology
  xfce4-terminal lxterminal mate-terminal qterminal deepin-terminal cool-retro-term ghostty Ghostty rio warp warp-terminal Warp hyper
  Hyper tabby Tabby contour blackbox-terminal black-box sakura termite mlterm eterm Eterm waveterm x-terminal-emulator iTerm2 iTerm
  iTermServer Terminal`,
);

/** The name of the terminal emulator that this program is; null when it is none. */
const terminalName = (program: Program): string | null => nameIn(program, terminals) ?? windowsTerminalName(program);

/**
 * A kind of program that the user works in or relies on. A browser that the user works with counts
 * as a shared daemon. `desktop`: the desktop of Windows and what starts programs there.
 */
export type UserProgramKind = 'editor' | 'terminal' | 'multiplexer' | 'login-shell' | 'shared-daemon' | 'desktop';

export interface UserProgram {
  readonly kind: UserProgramKind;
  readonly name: string;
}

const named = (kind: UserProgramKind, name: string | null): UserProgram | null =>
  name === null ? null : { kind, name };

/** Each process's program is an object of its own that lasts while nothing of it changes. */
const alone = new WeakMap<Program, UserProgram | 'none'>();

const classifyAlone = (row: ProcessRow, program: Program): UserProgram | null => {
  let found = alone.get(program);
  if (found === undefined) {
    found =
      named('desktop', desktopName(program)) ??
      named('multiplexer', multiplexerName(program)) ??
      named('terminal', terminalName(program)) ??
      named('shared-daemon', sharedDaemonName(program)) ??
      named('editor', editorName(program)) ??
      named('login-shell', loginShellName(row, program)) ??
      'none';
    alone.set(program, found);
  }
  return found === 'none' ? null : found;
};

const classify = (row: ProcessRow, program: Program, rows: ReadonlyMap<Pid, ProcessRow>): UserProgram | null =>
  classifyAlone(row, program) ??
  named(
    'shared-daemon',
    browserName(program, () => parentsOf(row, rows).map((parent) => programOf(parent))),
  );

/**
 * Returns which program of the user a process is; null for none. A tool call can start such a
 * program, which then carries the call's markers and is still no part of its job.
 * @param rows the process table, for the parents of a browser's process
 */
export const userProgramOf = (
  row: ProcessRow,
  facts: MemberFacts | null,
  rows: ReadonlyMap<Pid, ProcessRow>,
): UserProgram | null => classify(row, programOf(row, facts), rows);

/** True for a program in which users start others: all of theirs but daemons; browsers too. */
export const opensPrograms = (row: ProcessRow, rows: ReadonlyMap<Pid, ProcessRow>): boolean => {
  const program = programOf(row);
  const found = classify(row, program, rows);
  return found !== null && (found.kind !== 'shared-daemon' || sharedDaemonName(program) === null);
};
