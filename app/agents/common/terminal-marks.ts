import { digest } from '../../format/digest.ts';
import type { MarkerEnvironment } from '../../process/facts.ts';

/**
 * Variables that a terminal, multiplexer or editor puts into the environment of what is started in
 * it. They differ from one terminal, pane or window to the next. Described in tmux(1), screen(1),
 * sshd(8), the manuals of zellij, WezTerm, kitty, Alacritty, Konsole and GNOME Terminal (VTE), of
 * Emacs and Neovim (`:help $NVIM`), and the shell integration of Visual Studio Code.
 */
export const terminalNames = [
  'TERM_PROGRAM',
  'TERM_SESSION_ID',
  'TERMINAL_EMULATOR',
  'WINDOWID',
  'SSH_TTY',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOW',
  'ZELLIJ',
  'ZELLIJ_PANE_ID',
  'ZELLIJ_SESSION_NAME',
  'ABDUCO_SESSION',
  'BYOBU_TTY',
  'WEZTERM_PANE',
  'KITTY_PID',
  'KITTY_WINDOW_ID',
  'ALACRITTY_WINDOW_ID',
  'VTE_VERSION',
  'GNOME_TERMINAL_SCREEN',
  'GNOME_TERMINAL_SERVICE',
  'KONSOLE_DBUS_SESSION',
  'KONSOLE_DBUS_WINDOW',
  'KONSOLE_VERSION',
  'TILIX_ID',
  'TERMINATOR_UUID',
  'GUAKE_TAB_UUID',
  'XTERM_VERSION',
  'GHOSTTY_BIN_DIR',
  'GHOSTTY_RESOURCES_DIR',
  'WARP_IS_LOCAL_SHELL_SESSION',
  'WAVETERM_BLOCKID',
  'TABBY_CONFIG_DIRECTORY',
  'ITERM_SESSION_ID',
  'WT_SESSION',
  'WT_PROFILE_ID',
  'VSCODE_CWD',
  'VSCODE_PID',
  'VSCODE_IPC_HOOK',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
  'VSCODE_INJECTION',
  'VSCODE_NONCE',
  'VSCODE_CRASH_REPORTER_PROCESS_TYPE',
  'ZED_TERM',
  'IDEA_INITIAL_DIRECTORY',
  'INSIDE_EMACS',
  'NVIM',
  'VIM_TERMINAL',
] as const;

/** Returns an environment's terminal variables, each with a digest of its value. */
export const terminalMarksOf = (environment: MarkerEnvironment): readonly string[] =>
  terminalNames.flatMap((name) => {
    const value = environment[name] ?? '';
    return value === '' ? [] : [`${name}#${digest(value)}`];
  });
