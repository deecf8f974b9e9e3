import { nameIn, programNames, type Program } from './program.ts';

const multiplexers = programNames(
  'tmux screen SCREEN zellij dtach abduco byobu tmate shpool dvtm mosh-server wezterm-mux-server',
);

/** tmux's own titles, `tmux: server` and `tmux: client`: in argv if it can, else comm. */
const tmuxTitle = /^tmux: (?:server|client)/u;

/** The name of this terminal multiplexer, which outlives terminals by design; null: none. */
export const multiplexerName = (program: Program): string | null => {
  if (tmuxTitle.test(program.title) || [...program.names].some((name) => tmuxTitle.test(name))) return 'tmux';
  return nameIn(program, multiplexers);
};
