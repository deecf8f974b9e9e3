import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { isUpdater, programOf } from '../../app/agents/signatures.ts';
import { type ProcessRow, hasEnded } from '../../app/process/row.ts';
import type { SweepWorld } from '../../app/sweep/stale-file.ts';
import { baseName, isAbsolutePath } from '../../app/paths/path.ts';
import { boundSockets } from '../os/bound-sockets.ts';
import { partsInUse } from '../os/parts-in-use.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { Look } from '../observing/look.ts';
import { couldBeAgent } from '../agents/could-be-agent.ts';

const shell = /^-?(?:ba|z|da|k|fi)?sh$/;
const snapshotName = /[A-Za-z0-9.-]{1,120}\.sh/g;

const livingOf = ({ table }: Look): readonly ProcessRow[] => [...table.rows.values()].filter((row) => !hasEnded(row));

/**
 * Returns the names of snapshots in command lines, and of files that shells and members of jobs
 * hold open.
 */
const namesInUse = (source: ProcessSource, look: Look, living: readonly ProcessRow[]): ReadonlySet<string> | null => {
  const names = new Set<string>();
  for (const { argv } of living)
    for (const argument of argv) for (const [name] of argument.matchAll(snapshotName)) names.add(name);
  const members = new Set([...look.jobs.values()].flatMap(({ job }) => job.members.map(({ row }) => row.pid)));
  const asked = living.filter(
    (row) => row.uid === look.table.uid && (shell.test(row.comm) || members.has(row.pid) || programOf(row) !== null),
  );
  const facts = source.facts(asked);
  for (const row of asked) {
    const fact = facts.get(row.pid);
    const files = fact?.furtherFiles === true ? null : fact?.openFiles;
    // It has ended and uses nothing.
    if (files === null || files === undefined) {
      if (source.read(row.pid)?.startTicks === row.startTicks) return null;
      continue;
    }
    for (const { target } of files) if (isAbsolutePath(target)) names.add(baseName(target));
  }
  return names;
};

export interface Agents {
  readonly look: Look;
  /** Those that no registry and no list of names knows. */
  readonly possible: readonly ProcessRow[];
  /**
   * When those started at the earliest that are one by their program, because a registry names
   * them, or possibly: by the clock of files, epoch milliseconds; 0: not known.
   */
  readonly sinceMs: readonly number[];
}

/** Returns the living processes that are an agent, or could be. */
export const agentsOf = (
  agent: AgentId,
  look: Look,
  folders: readonly string[],
  startedMs: (row: ProcessRow) => number | null,
): Agents => {
  const own = look.sessions.filter((one) => one.agent === agent && one.state !== 'gone');
  const named = new Set(own.flatMap(({ pid }) => (pid === null ? [] : [pid])));
  const living = livingOf(look).filter((row) => !isUpdater(agent, row.argv));
  const certain = living.filter((row) => programOf(row) === agent || named.has(row.pid));
  const possible = living.filter(
    (row) => row.uid === look.table.uid && !named.has(row.pid) && couldBeAgent(agent, row, folders),
  );
  return { look, possible, sinceMs: [...certain, ...possible].map((row) => startedMs(row) ?? 0) };
};

/** The part of a world that is the same for the files of all agents. */
export type CommonWorld = Omit<SweepWorld, 'agentsSinceMs' | 'usedElsewhere'>;

/**
 * Returns what a scan says about users of files.
 * @throws ProcessTableUnreadable
 */
export const commonWorld = (source: ProcessSource, look: Look): CommonWorld => {
  const { table } = look;
  const living = livingOf(look);
  return {
    nowMs: table.takenAtMs,
    complete: table.complete,
    pids: new Set(table.rows.keys()),
    namesInUse: namesInUse(source, look, living),
    partsInUse: partsInUse(living, table.uid),
    boundSockets: boundSockets(living, table.uid),
  };
};

/** Returns what a scan says about the files of one agent. */
export const worldOf = (agent: AgentId, common: CommonWorld, { look, sinceMs }: Agents): SweepWorld => {
  const { sessions, directory } = look;
  return {
    ...common,
    agentsSinceMs: sinceMs,
    usedElsewhere:
      // A registry names sessions of other machines without a process.
      sessions.some((one) => one.agent === agent && one.state === 'unknown' && one.pid === null) ||
      // What an agent keeps for later may be wanted although no process is as old.
      (directory?.keptByAgent.some((one) => one.agent === agent) ?? false),
  };
};
