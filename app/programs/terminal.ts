import { nameIn, programNames, type Program } from './program.ts';
import { windowsTerminalName } from './windows-names.ts';

const terminals = programNames(
  `gnome-terminal gnome-terminal-server kgx gnome-console ptyxis ptyxis-agent konsole yakuake alacritty Alacritty kitty wezterm
  wezterm-gui WezTerm foot footclient xterm uxterm urxvt urxvtd rxvt rxvt-unicode st terminator tilix guake tilda terminology
  xfce4-terminal lxterminal mate-terminal qterminal deepin-terminal cool-retro-term ghostty Ghostty rio warp warp-terminal Warp hyper
  Hyper tabby Tabby contour blackbox-terminal black-box sakura termite mlterm eterm Eterm waveterm x-terminal-emulator iTerm2 iTerm
  iTermServer Terminal`,
);

/** The name of the terminal emulator that this program is; null when it is none. */
export const terminalName = (program: Program): string | null =>
  nameIn(program, terminals) ?? windowsTerminalName(program);
