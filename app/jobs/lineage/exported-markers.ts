import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { ProcessRow } from '../../process/row.ts';
import { hasEnded } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import { isAdopter } from './adopter.ts';
import { ownerPidOf, sessionOf } from './claims.ts';
import type { Evidence } from './evidence.ts';
import { lineageOf } from './lineage.ts';
import type { Origin } from './profile.ts';
import { originsOf } from './profile.ts';

/** A mark that names neither a session nor a process, on something whose argv is no tool shell: anybody can have set it. */
const namesNothing = (claim: Claim): boolean =>
  claim.shell === null && claim.marker?.kind === 'tool' && sessionOf(claim) === null && ownerPidOf(claim) === null;

const leadsOnTerminal = (row: ProcessRow): boolean => row.tty !== 0 && Number(row.sid) === Number(row.pid);

/** A person's own shell, or what was started in its kernel session with no agent in between; or what everything of the person hangs below. */
const isPersons = (tree: ProcessTree, originOf: (row: ProcessRow) => Origin, row: ProcessRow): boolean => {
  if (isAdopter(row)) return true;
  const origin = originOf(row);
  if (origin.personal && origin.program === null && leadsOnTerminal(row)) return true;
  const { boundary } = lineageOf(tree, originOf, row);
  return (
    boundary !== null &&
    boundary.program === null &&
    origin.program === null &&
    leadsOnTerminal(boundary.row) &&
    row.sid === boundary.row.sid
  );
};

/**
 * Takes marks without an id for bare where they are all around: in the environment of init, of the user's manager, of a person's shell or
 * of what the person started there. Somebody set GEMINI_CLI or CODEX_CI in a profile, a container or a CI job then, and a process that
 * carries it is as little an agent's as the shell is. Gives back the same evidence where there is nothing of the kind.
 */
export const withoutAmbientMarks = (table: ProcessTable, tree: ProcessTree, evidence: Evidence): Evidence => {
  const originOf = originsOf(table, evidence);
  const ambient = new Set<AgentId>();
  for (const row of table.rows.values()) {
    if (row.uid !== table.uid || row.kernelThread || hasEnded(row)) continue;
    const found = evidence.claims(row).filter((claim) => namesNothing(claim) && !ambient.has(claim.agent));
    if (found.length > 0 && isPersons(tree, originOf, row)) for (const { agent } of found) ambient.add(agent);
  }
  if (ambient.size === 0) return evidence;
  const bare = (claim: Claim): Claim =>
    claim.marker !== null && namesNothing(claim) && ambient.has(claim.agent)
      ? { ...claim, marker: { kind: 'bare', rule: claim.marker.rule } }
      : claim;
  return { ...evidence, claims: (row) => evidence.claims(row).map(bare) };
};
