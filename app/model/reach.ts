import type { Said } from '../format/said.ts';
import type { Pid, ProcessIdentity } from '../process/identity.ts';

/** Where standard input or output of an agent leads, as the kernel tells it at one look. */
export type StandardEnd =
  /**
   * A pseudo-terminal of this machine's own /dev/pts.
   *
   * - `hung-up`: its master was closed; the kernel refuses to open it (EIO).
   * - `held`: a process holds its master.
   */
  | {
      readonly kind: 'terminal';
      readonly state: 'hung-up' | 'held';
      readonly number: number;
      /**
       * Wall clock, milliseconds, of the last byte in either direction and of the last one typed,
       * in steps of 8 s. Left out where only the number is told.
       */
      readonly usedMs?: number;
      readonly typedMs?: number;
    }
  /** A pipe or a paired socket. `target`: the other side's link in /proc, to find holders. */
  | {
      readonly kind: 'channel';
      readonly far: 'open' | 'closed';
      readonly target: string | null;
      /** What the other side does with it: a socket does both. */
      readonly side: 'read' | 'write' | 'both';
    }
  | { readonly kind: 'null' }
  | { readonly kind: 'file' }
  /** It can't be read, or proves nothing: another devpts, a named pipe, a network connection. */
  | { readonly kind: 'unknown'; readonly why: Said };

/** What one look reads of an agent's process. */
export interface AgentEnds {
  readonly input: StandardEnd;
  readonly output: StandardEnd;
  /** Device number of the controlling terminal; 0 for none. */
  readonly tty: number;
  /** The foreground process group of that terminal; -1 for none. */
  readonly foreground: number;
  /** Bytes read and written through system calls so far; null when not readable. */
  readonly ioBytes: number | null;
}

/** A process at the other end of an agent's terminal or channel. */
export interface EndHolder {
  readonly pid: Pid;
  readonly name: string;
}

/** Why an agent may be at work although no user can reach it. */
export type AgentWork = 'input-output' | 'processor' | 'command' | 'transcript' | 'remote-control' | 'connection';

/** What cut an agent off from its user for ever. */
export type Unreached = 'hung-up' | 'client-gone';

/** Whether a user can reach an agent. See docs/deciding.md. */
export type Reach =
  | {
      readonly state: 'unreachable';
      readonly why: Unreached;
      /** Time awake in which it was observed to do nothing, seconds. */
      readonly quietSeconds: number;
      /** It was observed for long enough, in that state and quiet all the time. */
      readonly settled: boolean;
      /** It only uses the processor, and has for longer than any turn takes. */
      readonly spinning: boolean;
    }
  /** The same proof, but it may still finish something. */
  | { readonly state: 'finishing'; readonly why: Unreached; readonly work: AgentWork }
  /** Both ends are closed, for a shorter time than proves that no client comes. */
  | { readonly state: 'closed-lately'; readonly closedSeconds: number }
  | { readonly state: 'cut-off' }
  | { readonly state: 'held'; readonly holder: EndHolder }
  | { readonly state: 'detached'; readonly holder: EndHolder }
  | { readonly state: 'headless' }
  | { readonly state: 'service' }
  /** What an idle agent is ended as; never the state of one that runs. */
  | { readonly state: 'idle'; readonly idle: Resting; readonly resume: string | null }
  | { readonly state: 'reachable' }
  | { readonly state: 'unknown'; readonly why: Said };

export type ReachState = Reach['state'];

/** What tells when an agent did something last. `watched`: its bytes and processor time. */
export type IdleSign = 'status' | 'transcript' | 'terminal' | 'watched';

/** Whether the last turn of a session has ended. `open`: it works, or waits for its user. */
export type TurnState = 'ended' | 'open';

/** Why an agent that a user could reach is not idle. */
export type IdleUse = 'lately' | 'busy' | 'answer' | 'command' | 'remote-control' | 'wake-up';

/** An agent of which nothing was seen for a while. */
export interface Resting {
  /** `suspended`: its user stopped it (state T). `spinning`: busy without a sign of life. */
  readonly state: 'idle' | 'suspended' | 'spinning';
  /** The latest sign: wall clock, milliseconds. */
  readonly sinceMs: number;
  readonly by: IdleSign;
  /** It says itself that it is idle. */
  readonly told: boolean;
  /** Its bytes and its processor time were watched for long enough to count. */
  readonly watched: boolean;
  /** Seconds awake that a watch saw it idle; null: unknown, or something may still wake it. */
  readonly dueSeconds: number | null;
}

/** Whether an agent is in use. */
export type Idle =
  | Resting
  | { readonly state: 'in-use'; readonly why: IdleUse; readonly sinceMs: number | null }
  | { readonly state: 'unknown' };

/** An agent that runs, with whether a user can reach it. */
export interface SeenReach {
  readonly process: ProcessIdentity;
  readonly reach: Reach;
}
