import { kept } from '../../app/format/kept.ts';
import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { programName } from '../../app/agents/common/program-name.ts';
import { programOf } from '../../app/agents/signatures.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';

const runsPackages = /^(?:node|nodejs|bun)$/;
/** Where npm, pnpm, bun and version managers put links to the programs of packages. */
const inLinkFolder = /\/(?:\.?bin)\/[^/]+$/;

const realPath = (path: string): string | null => {
  if (leadsToOtherMachine(path)) return null;
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
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
  const { name, script } = programName(row);
  if (script === null || !runsPackages.test(name) || !isAbsolute(script) || !inLinkFolder.test(script)) return null;
  const target = resolve(script);
  if (target === null || target === script || !target.includes('/node_modules/')) return null;
  return programOf({ comm: row.comm, argv: [row.argv[0] ?? name, target] });
};

/** Which agent a process of this machine is, each worked out once for a row. */
export const programEvidence = (): ((row: ProcessRow) => AgentId | null) => {
  const known = new WeakMap<ProcessRow, AgentId | null>();
  return (row) => kept(known, row, () => programOf(row) ?? linkedProgramOf(row));
};
