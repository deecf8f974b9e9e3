import { programOf } from '../../app/agents/signatures.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { hasEnded } from '../../app/process/row.ts';
import { startedAtMs } from '../../app/process/table.ts';
import type { SweepWorld } from '../../app/sweep/stale-file.ts';
import { boundSockets } from '../os/bound-sockets.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { Look } from '../observing/look.ts';

const shell = /^-?(?:ba|z|da|k|fi)?sh$/;
const snapshotName = /snapshot-(?:bash|zsh)-[A-Za-z0-9-]{1,100}\.sh/g;

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
    const files = facts.get(row.pid)?.openFiles;
    // It has ended and uses nothing.
    if (files === null || files === undefined) {
      if (source.read(row.pid)?.startTicks === row.startTicks) return null;
      continue;
    }
    for (const { target } of files) if (target.startsWith('/')) names.add(target.slice(target.lastIndexOf('/') + 1));
  }
  return names;
};

/**
 * Returns what a scan says about users and owners of files.
 * @throws ProcessTableUnreadable
 */
export const sweepWorld = (source: ProcessSource, look: Look): SweepWorld => {
  const { table, sessions } = look;
  const living = [...table.rows.values()].filter((row) => !hasEnded(row));
  const claude = sessions.filter(({ agent, state }) => agent === 'claude-code' && state !== 'gone');
  const named = new Set(claude.flatMap(({ pid }) => (pid === null ? [] : [pid])));
  const agents = living.filter((row) => programOf(row) === 'claude-code' || named.has(row.pid));
  return {
    nowMs: table.takenAtMs,
    complete: table.complete,
    agentsSinceMs: agents.map(({ startTicks }) => startedAtMs(table, startTicks)),
    // A registry names sessions of other machines without a process.
    usedElsewhere: claude.some(({ state, pid }) => state === 'unknown' && pid === null),
    pids: new Set(table.rows.keys()),
    namesInUse: namesInUse(source, look, living),
    boundSockets: boundSockets(living, table.uid),
  };
};
