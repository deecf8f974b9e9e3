import type { Place } from './places.ts';
import type { Script } from './script.ts';

/** A process as its own words show it. */
export interface GuardedProcess {
  /** As `pgrep` and `killall` see it, at most 15 characters on Linux. */
  readonly name: string;
  /** The arguments with blanks between, as `pgrep -f` sees them. */
  readonly commandLine: string;
}

/** What matters to the rules about how an agent runs its commands. Each agent's is in its dossier. */
export interface AgentShell {
  /** The command is an argument of the shell (`bash -c "…"`), so that it stands in the shell's own command line. */
  readonly commandInArguments: boolean;
  /** The shell may be one that has run commands before, so that their jobs are its jobs. */
  readonly mayGoOn: boolean;
  /**
   * What a command reads on standard input: `empty` is /dev/null, `empty-unless-redirected` is a socket on which nothing comes as soon as
   * the script redirects input anywhere, `unknown` has nothing or waits.
   */
  readonly standardInput: 'empty' | 'empty-unless-redirected' | 'unknown';
  /** The agent or its user can type into a running command. */
  readonly takesTyping: boolean;
}

/** What is known of the machine a command is to run on. */
export interface GuardFacts {
  readonly shell: AgentShell;
  readonly platform: 'linux' | 'darwin' | 'other';
  /** The commands run as root. */
  readonly root: boolean;
  /** The agent itself and what it runs in, the nearest first. */
  readonly agentProcesses: readonly GuardedProcess[];
}

/** A command that an agent is about to run, read. */
export interface GuardCall extends GuardFacts {
  readonly script: Script;
  readonly places: readonly Place[];
  readonly functions: ReadonlySet<string>;
  /** The agent starts it in the background. */
  readonly background: boolean;
}

/** What a rule found. */
export interface Finding {
  /** What is wrong, and what to do instead: a whole sentence for the agent. */
  readonly sentence: string;
  /** Where `timeout N ` can be put in front of a program, as offsets into the source; empty where that would help nothing. */
  readonly bounds: readonly number[];
}

/** A rule of the guard: pure, and silent (null) wherever it isn't sure. */
export type Rule = (call: GuardCall) => Finding | null;

/** Words that end jobs, and one that waits for them, wherever in a script they stand: in a function, in a trap. */
const ends = /\b(?:kill|pkill|killall|trap|fg)\b/u;
const waits = /\bwait\b/u;

/**
 * Whether a command is left running in the background: the agent starts all of it there, or it ends with `&`; and nothing in the script
 * looks as if it waited for it or ended it.
 */
export const isLeftRunning = ({ background, script }: GuardCall, place: Place): boolean => {
  if (place.substituted) return false;
  if (!place.ampersand) return background;
  return !ends.test(script.source) && (background || !waits.test(script.source));
};
