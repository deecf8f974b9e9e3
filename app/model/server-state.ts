import type { IoCounts } from '../process/facts.ts';

/**
 * Why a server is only shown and never ended by itself.
 *
 * - `owner-unknown`: it can't be told whether its agent has ended.
 * - `agent-lives`: its agent lives and has closed a part of its ends.
 * - `own-session`: it made a kernel session of its own, as deliberate daemons do.
 * - `no-channel`: its standard input or output is no private channel.
 * - `weak-mark`, `harness`: its marks don't tell a server from what else the agent starts.
 * - `configured`: it has no marks; it runs a command that its agent's settings name as a server.
 * - `ends-open`, `ends-unknown`: an end may still be held by a process.
 * - `ends-untold`: the same, on a system that tells it of no process (Windows).
 * - `connected`: another process holds the other end of one of its further channels.
 * - `listens`: it waits for clients on a port or a socket.
 * - `works`: it reads or writes.
 * - `parent`: a process that is no adopter is its parent.
 */
export const serverReports = [
  'owner-unknown',
  'agent-lives',
  'own-session',
  'no-channel',
  'weak-mark',
  'harness',
  'configured',
  'ends-open',
  'ends-unknown',
  'ends-untold',
  'connected',
  'listens',
  'works',
  'parent',
] as const;

export type ServerReport = (typeof serverReports)[number];

/**
 * What a server is to its session. `living`: its agent is above it. `abandoned`: its agent has
 * ended, and no process can speak to it again. `replaced`: its agent lives, is no longer above it
 * and has closed its input (a restart of MCP). `reported`: what it is can't be told for certain.
 * `detached`: it left its session on purpose, as a daemon does, and that session is proved gone.
 */
export type ServerState =
  | { readonly standing: 'living' | 'abandoned' | 'replaced' }
  /** `freeSeconds`: time awake in which looks saw no client and no work of it, without a gap. */
  | { readonly standing: 'detached'; readonly why: Reports; readonly freeSeconds: number }
  | { readonly standing: 'reported'; readonly why: Reports };

type Reports = readonly [ServerReport, ...ServerReport[]];

/** What is remembered of a server from look to look, in its ledger entry. */
export interface ServerMemory {
  /** Bytes that its processes had read and written, by pid and start time. */
  readonly bytes: Readonly<Record<string, number>>;
  /** The same with the system calls, where the machine tells them. */
  readonly counts?: Readonly<Record<string, IoCounts>>;
  /** Ticks of the latest look that saw bytes move; null: none did. */
  readonly movedAtTicks: number | null;
  /** Looks that measured it, at most 2. */
  readonly looks: number;
  /** Set for one that detached itself. */
  readonly free?: FreeTime;
}

/** How long looks saw no client and no work of a process. Time without looks is not counted. */
export interface FreeTime {
  /** Seconds awake. */
  readonly seconds: number;
  /** Ticks of the latest look. */
  readonly atTicks: number;
  /** Processor time of its processes at that look, milliseconds. Not set by earlier releases. */
  readonly cpuMs?: number;
  /** The lowest rates between two looks without a client. Left out where none told any. */
  readonly idle?: { readonly bytesPerSecond: number; readonly cpuMsPerSecond: number };
}

/** Seconds without a client after which a detached helper is offered to the user. */
export const freeHelperSeconds = 2 * 3600;

/**
 * One percent of a core is work, however even. Idle, playwright-cli 0.1.22 needs 0.04 % (observed).
 */
export const maxIdleCpuMsPerSecond = 10;
