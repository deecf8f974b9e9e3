import { nameIn, programNames, type Program } from './program.ts';

const multiplexers = programNames(
  'tmux screen SCREEN zellij dtach abduco byobu tmate shpool dvtm mosh-server wezterm-mux-server',
);

/**
 * The titles that tmux gives itself: `tmux: server`, `tmux: client`; in argv where it can, else in
 * the kernel's name.
 */
const tmuxTitle = /^tmux: (?:server|client)/u;

/**
 * The name of the terminal multiplexer that this program is; null when it is none. They outlive
 * their terminals by design.
 */
export const multiplexerName = (program: Program): string | null => {
  if (tmuxTitle.test(program.title) || [...program.names].some((name) => tmuxTitle.test(name))) return 'tmux';
  return nameIn(program, multiplexers);
};
