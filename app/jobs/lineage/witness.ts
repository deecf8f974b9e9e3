import type { AgentId } from '../../agents/common/agent-id.ts';
import type { CallGroupKey } from '../../agents/common/call-group.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { IoCounts } from '../../process/facts.ts';
import { asPid } from '../../process/identity.ts';
import { type ProcessRow, hasEnded, mayStillLive } from '../../process/row.ts';
import type { ProcessTree } from '../../process/tree.ts';
import { ownerPidOf, sessionOf } from './claims.ts';
import type { ProcessRef } from '../ledger/ledger.ts';
import type { TableView } from './table-view.ts';

/**
 * A marked process of the user. It stays the user's as long as it lives, and so does what shares
 * its kernel session or hangs below it.
 */
export interface UserWitness extends ProcessRef {
  readonly kind: 'user';
  readonly sid: number;
}

/** A marked process the user may have started: its job's owner stays unknown from then on. */
export interface DoubtfulWitness extends ProcessRef {
  readonly kind: 'doubtful';
  readonly sid: number;
}

/**
 * A program in which the user starts others (editor, terminal, multiplexer, shell, browser) and
 * that carries the marks of a tool call, or is in a control group of tool calls.
 */
export interface OpenedWitness extends ProcessRef {
  readonly kind: 'opened';
  readonly claims: readonly string[];
  /** The control group of tool calls that it was seen in. Left out: none. */
  readonly callGroup?: CallGroupKey;
  /** Ticks of the first look that no longer saw it; null while it lives. */
  readonly endedTicks: number | null;
}

/**
 * A process in a control group of tool calls that its call has let go, or that made a kernel
 * session of its own: another process may have asked it for something while it lived.
 */
export interface DaemonWitness extends ProcessRef {
  readonly kind: 'daemon';
  readonly sid: number;
  readonly callGroup: CallGroupKey;
  /** Ticks of the first look that no longer saw it; null while it lives. */
  readonly endedTicks: number | null;
}

/** An agent's process, with what tells its tool calls from what a user starts. */
export interface AgentWitness extends ProcessRef {
  readonly kind: 'agent';
  readonly agent: AgentId;
  /** See `ProcessNumbers`. Left out where the kernel gives none. */
  readonly number?: number;
  /** Its parent when it was first seen, where that is a part of the same agent: its launcher. */
  readonly launcher?: ProcessRef;
  /** See `terminalMarksOf`; null: its environment could not be read. */
  readonly terminal: readonly string[] | null;
  readonly unit: string | null;
  /** The control group that it gives to its tool calls, see `callGroupGiven`. Left out: none. */
  readonly callGroup?: CallGroupKey;
  readonly adopts?: true;
  /** Ticks of the first look to see it where another process of its agent had ended. */
  readonly followsTicks?: number;
  /** Ticks of the first look that no longer saw it; null while it lives. */
  readonly endedTicks: number | null;
}

/**
 * An agent that no user may be able to reach, as far as earlier looks saw it. All moments are ticks
 * of the boot. A moment of work may lie up to a minute ahead, so that an agent at work is not
 * written down at every look.
 */
export interface ReachWitness extends ProcessRef {
  readonly kind: 'reach';
  /** What was found of its standard input and output. */
  readonly ends: 'hung-up' | 'client-gone' | 'other';
  /** The first look that found it so; every look since did. */
  readonly sinceTicks: number;
  /** The last look that saw it move bytes; null: none did. */
  readonly workTicks: number | null;
  /** The last look that saw it use the processor as no idle agent does; null: none did. */
  readonly busyTicks: number | null;
  /** Its running totals at one of the looks since, and when that was. */
  readonly measured: Totals;
  /** The same where the time began in which it can have started nothing. */
  readonly still: Totals;
}

/** Running totals of a process at one moment. `ioBytes` null: they could not be read. */
export interface Totals {
  readonly atTicks: number;
  readonly cpuMs: number;
  readonly ioBytes: number | null;
}

/**
 * A server, seen below a living agent that held its ends; `inner`: what such a server started.
 * Some agents clear the environment of their servers (Codex), and then nothing else tells whose
 * they were.
 */
export interface ServerWitness extends ProcessRef {
  readonly kind: 'server';
  /** Its kernel session when it was seen. Left out by versions before 0.7. */
  readonly sid?: number;
  readonly agent: AgentId;
  readonly inner: boolean;
  readonly owner: ProcessRef;
  /**
   * Measured of one of several that run the same command: its counters at a look, since which no
   * look saw a byte move. Left out: it was not measured.
   */
  readonly still?: Moved & { readonly sinceTicks: number; readonly computed?: Computed };
}

/** The processor time of a server at the latest measure. Earlier versions did not note it. */
export interface Computed {
  readonly atTicks: number;
  readonly cpuMs: number;
}

/** What tells whether a process moved a byte. */
export interface Moved {
  readonly counts: IoCounts;
  /** Its working folder. Left out: it can't be told, or an earlier version did not note it. */
  readonly folder?: string;
  /** A digest of its environment, to compare with those of the same look alone. Likewise. */
  readonly environment?: string;
  /**
   * How often each of its threads ran: what is received with recv(2) is counted nowhere else. Left
   * out of a process without a socket, whose counters tell all.
   */
  readonly ran?: string;
}

/**
 * The monitor of a container, and the server of a session that was seen attached to it (`podman run
 * -i`). Once that has ended, nothing else tells whose the container is.
 */
export interface ContainerWitness extends ProcessRef {
  readonly kind: 'container';
  /** 64 hexadecimal digits. */
  readonly container: string;
  /** Foreign text. */
  readonly name: string;
  /** Foreign text; null: not known. */
  readonly image: string | null;
  readonly agent: AgentId;
  readonly session: string | null;
  readonly project: string | null;
  readonly wrapper: ProcessRef;
  /** The agent's process; `gone`: it had ended by then; null: not known. */
  readonly owner: ProcessRef | 'gone' | null;
}

/**
 * A service of the user: an unmarked process of no agent that listened on ports. The same command
 * on the same port is the user's also where a tool call started it again.
 */
export interface ServiceWitness extends ProcessRef {
  readonly kind: 'service';
  readonly command: string;
  readonly ports: readonly number[];
}

/** What a look saw of a process that is no job, in the ledger: once ended, no table shows it. */
export type Witness =
  | UserWitness
  | DoubtfulWitness
  | OpenedWitness
  | DaemonWitness
  | AgentWitness
  | ReachWitness
  | ServerWitness
  | ServiceWitness
  | ContainerWitness;

/** The limit of each kind. Of more than this the youngest are remembered. */
export const maxWitnesses = 1024;

/** A claim as text, equal for claims that say the same (`sameClaim`). */
export const claimKey = (claim: Claim): string => `${claim.agent} ${sessionOf(claim) ?? ''} ${ownerPidOf(claim) ?? ''}`;

/** Returns the living process that a mark means; undefined when it has ended. */
export const livingOf = (tree: ProcessTree, { pid, startTicks }: ProcessRef): ProcessRow | undefined => {
  const row = tree.row(asPid(pid));
  return row !== undefined && row.startTicks === startTicks && !hasEnded(row) ? row : undefined;
};

/** Notes the end of what is not in the table; one that hides processes says nothing of ends. */
export const followed = <One extends AgentWitness | OpenedWitness | DaemonWitness>(
  { table, tree }: Pick<TableView, 'table' | 'tree'>,
  one: One,
): One =>
  one.endedTicks === null && table.complete && !mayStillLive(tree.row(asPid(one.pid)), one)
    ? { ...one, endedTicks: table.nowTicks }
    : one;

/** No process has this pid, nor one above it. */
const standInPid = 2 ** 31;

/** Stands for every command, see `standInsFor`. */
export const anyCommand = '*';

type Sparing = DaemonWitness | ServiceWitness | (OpenedWitness & Pick<DaemonWitness, 'callGroup'>);

const isSparing = (one: Witness): one is Sparing =>
  one.kind === 'daemon' || one.kind === 'service' || (one.kind === 'opened' && one.callGroup !== undefined);

/**
 * What stands for witnesses beyond the limit, and spares at least what they did: any process can
 * start programs without end, and what spares a program of the user's must not be pushed out by
 * them. One that lived counts as ended at the next look. What witnesses of other kinds spare is
 * written down elsewhere, or they spare nothing.
 */
const standInsFor = (beyond: readonly Witness[]): readonly Witness[] => {
  const groups = Map.groupBy(beyond.filter(isSparing), (one) =>
    one.kind === 'service' ? one.kind : `${one.kind} ${one.callGroup}`,
  );
  return [...groups.keys()].toSorted().flatMap((key, at): readonly Witness[] => {
    const [first, ...others] = groups.get(key) ?? [];
    if (first === undefined) return [];
    const all = [first, ...others];
    const startTicks = all.reduce((least, one) => Math.min(least, one.startTicks), first.startTicks);
    const mark = { pid: standInPid + at, startTicks };
    if (first.kind === 'service') {
      const ports = new Set(all.flatMap((one) => (one.kind === 'service' ? one.ports : [])));
      return [{ kind: 'service', ...mark, command: anyCommand, ports: [...ports] }];
    }
    const ends = all.flatMap((one) => (one.kind === 'service' ? [] : [one.endedTicks]));
    const endedTicks = ends.reduce((last, end) => (last === null || end === null ? null : Math.max(last, end)));
    const { callGroup } = first;
    return first.kind === 'daemon'
      ? [{ kind: 'daemon', ...mark, sid: 0, callGroup, endedTicks }]
      : [{ kind: 'opened', ...mark, claims: [], callGroup, endedTicks }];
  });
};

/** Returns at most `maxWitnesses` of each kind, the youngest, and what stands for the others. */
export const bounded = (witnesses: readonly Witness[]): readonly Witness[] => {
  if (witnesses.length <= maxWitnesses) return witnesses;
  const kinds = [...Map.groupBy(witnesses, ({ kind }) => kind).values()].map((all) =>
    all.length <= maxWitnesses ? all : all.toSorted((left, right) => right.startTicks - left.startTicks),
  );
  const beyond = kinds.flatMap((all) => all.slice(maxWitnesses));
  return [...kinds.flatMap((all) => all.slice(0, maxWitnesses)), ...standInsFor(beyond)];
};
