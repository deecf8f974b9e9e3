import { nameIn, programNames, windowsNameIn, type Program } from './program.ts';
import { windowsEditorName } from './windows-names.ts';

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

/**
 * Editors that run on a server, under a Node of their own: Visual Studio Code and those made from
 * it.
 */
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
export const editorName = (program: Program): string | null => {
  const name = nameIn(program, editors) ?? windowsEditorName(program);
  if (name !== null) return name;
  if (program.paths.some((path) => serverPath.test(path))) return 'code-server';
  const isJava = program.names.has('java') || windowsNameIn(program, java) !== null;
  return isJava && program.argv.some((argument) => javaClass.test(argument)) ? 'idea' : null;
};
