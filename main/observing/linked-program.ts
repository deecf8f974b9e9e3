import { kept } from '../../app/format/kept.ts';
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { programName } from '../../app/agents/common/program-name.ts';
import { programOf } from '../../app/agents/signatures.ts';
import type { Evidence } from '../../app/jobs/lineage/evidence.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { realPath } from '../os/files/other-machine.ts';

const runsPackages = /^(?:node|nodejs|bun)$/;
/** Where npm, pnpm, bun and version managers put links to the programs of packages. */
const inLinkFolder = /\/(?:\.?bin)\/[^/]+$/;

/** The script by which a link may tell an agent; null for none. */
const linkOf = (row: ProcessRow): string | null => {
  const { name, script } = programName(row);
  return script !== null && runsPackages.test(name) && isAbsolute(script) && inLinkFolder.test(script) ? script : null;
};

/**
 * Returns the agent that a process is by the package into which the link leads that its command
 * line names: `node /usr/local/bin/NAME` is what a package manager's link makes of it.
 * @param resolve where a path leads; null: it can't be told
 */
export const linkedProgramOf = (
  row: ProcessRow,
  resolve: (path: string) => string | null = realPath,
): AgentId | null => {
  const script = linkOf(row);
  if (script === null) return null;
  const target = resolve(script);
  if (target === null || target === script || !target.includes('/node_modules/')) return null;
  return programOf({ comm: row.comm, argv: [row.argv[0] ?? 'node', target] });
};

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** More than any path has whose links the kernel follows. */
const maxParts = 512;

/**
 * True where a path may lead elsewhere than it did at a moment. What was put into a folder since
 * then has changed, and so has the folder: the kernel notes both (st_ctime, inode(7)), also where
 * it was only moved there, and no user can set that time. Links are followed one by one, because
 * any of them can be the one that was replaced.
 */
export const mayLeadElsewhereSince = (path: string, sinceMs: number): boolean => {
  try {
    let folder = '/';
    let left = partsOf(path);
    for (let parts = 0; parts < maxParts; parts += 1) {
      const [name, ...rest] = left;
      if (name === undefined) return false;
      const entry = name === '..' ? dirname(folder) : join(folder, name);
      const found = lstatSync(entry);
      if (name !== '..' && Math.min(found.ctimeMs, lstatSync(folder).ctimeMs) > sinceMs) return true;
      const target = found.isSymbolicLink() ? readlinkSync(entry) : null;
      left = target === null ? rest : [...partsOf(target), ...rest];
      if (target === null) folder = entry;
      else if (isAbsolute(target)) folder = '/';
    }
  } catch {
    // What can't be looked at may have led there.
  }
  return true;
};

/** Whether the link may have been led there since, for each row of which that can be told. */
const relinkedOf = (startedMs: (row: ProcessRow) => number | null): ((row: ProcessRow) => boolean) => {
  const known = new WeakMap<ProcessRow, boolean>();
  return (row) => {
    const script = linkOf(row);
    const since = startedMs(row);
    return since === null || script === null || kept(known, row, () => mayLeadElsewhereSince(script, since));
  };
};

/**
 * Which agent a process of this machine is, each worked out once for a row.
 * @param startedMs when it began, by the clock of files; null: it is not known
 */
export const programEvidence = (
  startedMs: (row: ProcessRow) => number | null,
): Pick<Evidence, 'program'> & Required<Pick<Evidence, 'mayBeRelinked'>> => {
  const known = new WeakMap<ProcessRow, AgentId | null>();
  const isRelinked = relinkedOf(startedMs);
  const asked = (row: ProcessRow) => programOf(row) ?? linkedProgramOf(row);
  const program = (row: ProcessRow): AgentId | null => kept(known, row, asked);
  return {
    program,
    // Asked after the link was followed: a change before that is seen, too.
    mayBeRelinked: (row) => program(row) !== null && programOf(row) === null && isRelinked(row),
  };
};
