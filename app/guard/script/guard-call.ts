import type { Place } from './places.ts';
import type { Script } from './script.ts';

export interface GuardedProcess {
  /** Name for `pgrep` and `killall`, at most 15 characters on Linux. */
  readonly name: string;
  /** The arguments joined with blanks, as `pgrep -f` sees them. */
  readonly commandLine: string;
}

/** What the rules must know of how an agent runs its commands, from its dossier. */
export interface AgentShell {
  /** The command is an argument of the shell (`bash -c "…"`), seen in its command line. */
  readonly commandInArguments: boolean;
  /** The shell may be one that has run commands before, so that their jobs are its jobs. */
  readonly mayGoOn: boolean;
  /**
   * What a command reads on standard input: `empty` is /dev/null, `empty-unless-redirected` is a
   * socket on which nothing comes as soon as the script redirects input anywhere, `unknown` has
   * nothing or waits.
   */
  readonly standardInput: 'empty' | 'empty-unless-redirected' | 'unknown';
  /** The agent or its user can type into a running command. */
  readonly takesTyping: boolean;
}

/** What is known of the machine a command is to run on. */
export interface GuardFacts {
  readonly shell: AgentShell;
  readonly platform: 'linux' | 'darwin' | 'other';
  /** True if commands run as root. */
  readonly root: boolean;
  /** The agent and its ancestors, the nearest first. */
  readonly agentProcesses: readonly GuardedProcess[];
}

/** A parsed command that an agent is about to run. */
export interface GuardCall extends GuardFacts {
  readonly script: Script;
  readonly places: readonly Place[];
  readonly functions: ReadonlySet<string>;
  /** True if the agent starts it in the background. */
  readonly background: boolean;
}

export interface Finding {
  /** What is wrong, and what to do instead: a whole sentence for the agent. */
  readonly sentence: string;
  /** Offsets in the source at which `timeout N ` can be inserted; empty if that would not help. */
  readonly bounds: readonly number[];
}

/** A rule of the guard: pure; null unless it is sure. */
export type Rule = (call: GuardCall) => Finding | null;

/** Words that end jobs or wait for them, anywhere in a script: in a function, in a trap. */
const ends = /\b(?:kill|pkill|killall|trap|fg)\b/u;
const waits = /\bwait\b/u;

/**
 * True if a command is left running in the background (started there by the agent, or with `&`) and
 * nothing in the script seems to wait for it or end it.
 */
export const isLeftRunning = ({ background, script }: GuardCall, place: Place): boolean => {
  if (place.substituted) return false;
  if (!place.ampersand) return background;
  return !ends.test(script.source) && (background || !waits.test(script.source));
};
