import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import { isAdopter } from './adopter.ts';
import { ownerPidOf, sessionOf } from './claims.ts';
import type { Evidence } from './evidence.ts';
import { lineageOf } from './lineage.ts';
import { tableViewOf, type TableView } from './table-view.ts';

/**
 * A mark that names neither a session nor a process, on something whose argv is no tool shell, or
 * the name of an agent: any process can have set it.
 */
const namesNothing = (claim: Claim): boolean => {
  const { shell, marker } = claim;
  if (shell !== null || marker === null) return false;
  if (marker.kind === 'bare') return marker.named === true;
  return marker.kind === 'tool' && sessionOf(claim) === null && ownerPidOf(claim) === null;
};

const leadsOnTerminal = (row: ProcessRow): boolean =>
  (row.tty !== 0 || row.windows?.console === true) && Number(row.sid) === Number(row.pid);

/**
 * True for the user's own shell, for what was started in its kernel session with no agent in
 * between, and for an adopter, below which everything of the user hangs.
 */
const isInUserShell = (view: TableView, row: ProcessRow): boolean => {
  if (isAdopter(row)) return true;
  const profile = view.profileOf(row);
  if (profile.isUserProgram && profile.program === null && leadsOnTerminal(row)) return true;
  const { end } = lineageOf(view, row);
  return (
    end !== null &&
    end.program === null &&
    profile.program === null &&
    leadsOnTerminal(end.row) &&
    row.sid === end.row.sid
  );
};

/**
 * Downgrades marks without an id to bare ones where they are exported: in the environment of init,
 * of the user's manager, of the user's shell or of what the user started there. Then GEMINI_CLI or
 * CODEX_CI is set in a profile, a container or a CI job, and a process that carries it is as little
 * an agent's as the shell is. Returns the same evidence where there is nothing of the kind.
 */
export const downgradeExportedMarkers = (table: ProcessTable, evidence: Evidence): Evidence => {
  let view: TableView | null = null;
  const exported = new Set<AgentId>();
  for (const row of table.rows.values()) {
    if (row.uid !== table.uid || row.kernelThread || hasEnded(row)) continue;
    const claims = evidence.claims(row);
    if (claims.length === 0) continue;
    const found = claims.filter((claim) => namesNothing(claim) && !exported.has(claim.agent));
    if (found.length > 0 && isInUserShell((view ??= tableViewOf(table, evidence)), row))
      for (const { agent } of found) exported.add(agent);
  }
  if (exported.size === 0) return evidence;
  const bare = (claim: Claim): Claim =>
    claim.marker !== null && namesNothing(claim) && exported.has(claim.agent)
      ? { ...claim, marker: { kind: 'bare', rule: claim.marker.rule } }
      : claim;
  return { ...evidence, claims: (row) => evidence.claims(row).map(bare) };
};
