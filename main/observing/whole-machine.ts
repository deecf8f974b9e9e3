import { opendirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { shortagesOf, type MachineCeilings, type Shortage } from '../../app/diagnose/ceilings.ts';
import { pileUpsOf, type PileUp, type SocketFolder } from '../../app/diagnose/whole-machine.ts';
import { isAgentSocket } from '../../app/sweep/forms.ts';
import { readCeilings } from '../os/containment/ceilings.ts';
import type { Look } from './look.ts';

/**
 * Names of a temporary folder that are read: tens of milliseconds, and a folder with more has other
 * troubles.
 */
const maxNames = 100_000;

/** Sockets of agents by their names; nothing is opened. null where the folder can't be listed. */
const socketsIn = (folder: string): SocketFolder | null => {
  let sockets = 0;
  try {
    const listing = opendirSync(folder);
    try {
      for (let names = 0; names < maxNames; names += 1) {
        const entry = listing.readSync();
        if (entry === null) break;
        if (entry.isSocket() && isAgentSocket(entry.name)) sockets += 1;
      }
    } finally {
      listing.closeSync();
    }
  } catch {
    // Not there, or not ours to list: then nothing is said of it.
    return null;
  }
  return { folder, sockets };
};

/** What is short on this machine as of a look, whatever the jobs do. Never throws. */
export const shortages = ({ table }: Pick<Look, 'table'>): readonly Shortage[] =>
  shortagesOf(table.rows, readCeilings());

/**
 * What piles up on this machine without any one job being stuck, as of a look: many commands of one
 * session, sockets that sessions left behind, outputs past a size. For doctor, `scan --explain` and
 * the status; `sayPileUp` has the words. Lists the temporary folders, so it is not for every look.
 * Never throws.
 */
export const wholeMachineProblems = (
  look: Pick<Look, 'jobs' | 'sessions' | 'table'>,
  {
    temporaryFolders = ['/tmp', tmpdir()],
    ceilings = readCeilings(),
  }: { readonly temporaryFolders?: readonly string[]; readonly ceilings?: MachineCeilings } = {},
): readonly PileUp[] => [
  ...shortagesOf(look.table.rows, ceilings),
  ...pileUpsOf(
    [...look.jobs.values()].map(({ job }) => job),
    look.sessions,
    [...new Set(temporaryFolders)].map(socketsIn).filter((one) => one !== null),
  ),
];
