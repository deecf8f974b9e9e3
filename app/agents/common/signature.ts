import type { MarkerEnvironment } from '../../process/facts.ts';
import type { Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { AgentId, AgentSessionId } from './agent-id.ts';
import type { CallGroupForm } from './call-group.ts';

/** A tool shell recognised by the anchored grammar of its whole argv, never by a substring. */
export interface ShellMatch {
  /** Stable name of the grammar that matched, shown and recorded: `claude-shell`, `mux-shell` … */
  readonly rule: string;
  /** The command as the agent wrote it, unwrapped; null where the grammar doesn't carry it. */
  readonly command: string | null;
  /** Set where argv itself names the project folder (mux). */
  readonly project: string | null;
  /** Its agent runs on another machine, and no process here can be its owner (mux over SSH). */
  readonly elsewhere?: true;
}

/**
 * What the environment says. `tool`: put there for what a tool call starts. `harness`: put there
 * for the agent's own parts (hooks, sockets, daemons, servers), which carry almost the same names
 * and are no jobs. `bare`: only a name that any program can set or inherit; it shows an agent was
 * involved and proves no session, so its owner is never taken for gone.
 */
export type MarkerMatch =
  | {
      readonly kind: 'tool';
      readonly rule: string;
      readonly session: AgentSessionId | null;
      /** The agent's pid as it was told to the child; in the pid namespace of the agent. */
      readonly ownerPid: Pid | null;
      readonly project: string | null;
      /** Its environment was made in a sandbox with its own pids: `ownerPid` means nothing. */
      readonly sandboxed?: true;
      /** A part of its agent, not what a tool call started: no job while its agent may live. */
      readonly isDependent?: true;
    }
  | {
      readonly kind: 'bare';
      readonly rule: string;
      /**
       * The agent has it in its own environment, so that its servers and helpers carry it as well
       * as its commands, and gives each command a kernel session of its own: what shares the
       * agent's is no command.
       */
      readonly everywhere?: true;
      /**
       * It is the agent's own name, by the convention of `AI_AGENT` or a variable of its own that
       * only what it starts has. What carries it is probably left over once nothing that lives
       * could be that agent.
       */
      readonly named?: true;
    }
  | { readonly kind: 'harness'; readonly rule: string };

/** What a part of an agent forwards, and is of no use once no process listens on that port. */
export interface Forwarded {
  readonly socket: string;
  readonly port: number;
}

/** What the path of an output file tells: it belongs to one task of one session of one project. */
export interface OutputMatch {
  readonly session: AgentSessionId | null;
  readonly task: string | null;
  /** The project as the agent encodes it, not always a path (Claude turns separators into `-`). */
  readonly projectSlug: string | null;
  /**
   * The folder for temporary files at which the path begins; left out where the path lies in no
   * folder of a session or workspace, and then proves nothing.
   */
  readonly base?: string;
}

/** What tells an agent's processes from others'. Signatures are data; each has a test. */
export interface AgentSignature {
  readonly id: AgentId;
  /** The name as its makers write it. It isn't translated. */
  readonly name: string;
  /**
   * Names of the variables that `marker` looks at, and of those that say where the agent's files
   * lie. Nothing else of an environment is ever read.
   */
  readonly environmentNames: readonly string[];
  /** The process *is* the agent (or a part never to be signalled): main program, daemon, worker. */
  readonly program: (row: Pick<ProcessRow, 'argv' | 'comm'>) => boolean;
  readonly shell: (argv: readonly string[]) => ShellMatch | null;
  /**
   * The command of a tool shell that has it in its environment and not in argv. Text of the user,
   * as that of argv: it is redacted before it is shown or kept.
   */
  readonly carriedCommand?: (environment: MarkerEnvironment) => string | null;
  readonly marker: (environment: MarkerEnvironment) => MarkerMatch | null;
  /**
   * A part of the agent that is of no use without it, and is left behind when the agent is killed:
   * marked as its owner's, not as harness.
   */
  readonly dependent?: (argv: readonly string[], environment: MarkerEnvironment) => MarkerMatch | null;
  /**
   * What such a part forwards, by its command line: from a socket to a port of its agent. null for
   * every other command line; left out where the agent has no such part.
   */
  readonly forwardsTo?: (argv: readonly string[]) => Forwarded | null;
  /** `path` is the target of fd 1 or 2. */
  readonly output: (path: string) => OutputMatch | null;
  /**
   * How its tool shells relate to it. `child-session`: each tool call is a setsid child of the
   * agent, so a marked child of the agent that shares the agent's kernel session is one of its
   * servers and helpers, no tool call. `child`: a `shell -c` child of the agent is a tool call, and
   * nothing else gives it away (aider). `none`: parentage alone proves nothing.
   */
  readonly toolShells: 'child-session' | 'child' | 'none';
  /**
   * Flags of a tool call's shell, where parentage alone tells tool calls: the agent may start a
   * server through a shell as well. Left out: any.
   */
  readonly callFlags?: readonly string[];
  /**
   * How the script of a tool call's shell begins, where an agent marks nothing and gives each call
   * a kernel session. Such a child is a call if the agent has closed its input; that of a server
   * stays open. Left out: no call is recognised so.
   */
  readonly callScript?: RegExp;
  /**
   * Its mark of a tool call is on nothing but what tool calls start: no server, hook or helper
   * carries it. Then a marked child is a tool call also where no kernel session tells (Windows).
   */
  readonly marksCallsAlone: boolean;
  /**
   * When a `shell -c COMMAND`, which the agent started as the leader of a kernel session, is a tool
   * call where the system hides the environment that would tell (macOS). `always`: nothing else of
   * the agent looks so. `without-input`: only with no standard input, or a terminal; hooks get a
   * pipe. `none`: nothing is concluded.
   */
  readonly plainCalls: 'always' | 'without-input' | 'none';
  /** How it names the control group of its tool calls. Left out: it gives them none. */
  readonly callGroup?: CallGroupForm;
  /**
   * The name of what comes into the folder for temporary files as a tool call begins, or as its
   * shell is about to end. Left out: nothing does.
   */
  readonly callFile?: RegExp;
  /** Every background command has its own process group, as with a user's job control. */
  readonly ownGroups: boolean;
  /** Keeps the agent up to date: runs no commands, has no session, and lives on without one. */
  readonly updater: ((argv: readonly string[]) => boolean) | 'none';
  /** Runs the commands of sessions that other processes show, and outlives those. */
  readonly sharedServer: ((argv: readonly string[]) => boolean) | 'none';
  /** A process kept ready for a session to come: it has none yet, and resumes none. */
  readonly idleSpare: ((argv: readonly string[]) => boolean) | 'none';
}

/**
 * What a signature says of what its agent does not have or do: parts that run no commands, serve
 * many sessions or wait for one, output files, shells and groups of its calls that can be told.
 */
export const noParts = {
  updater: 'none',
  sharedServer: 'none',
  idleSpare: 'none',
  shell: () => null,
  output: () => null,
  toolShells: 'none',
  marksCallsAlone: false,
  plainCalls: 'none',
  ownGroups: false,
} as const;
