import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { ProcessRow } from '../../process/row.ts';
import { hasEnded } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import type { Evidence } from './evidence.ts';

/** What one process is to the assembling of jobs. */
export interface Origin {
  readonly row: ProcessRow;
  readonly program: AgentId | null;
  readonly personal: boolean;
  /** Only claims that can make a job: tool shells and tool or bare markers. A harness marker makes none. */
  readonly claims: readonly Claim[];
  readonly rule: string | null;
}

/** Agents and a person's programs end the search upward: what is below them is theirs. */
export const isBoundary = (origin: Origin): boolean => origin.program !== null || origin.personal;

const canMakeJob = (claim: Claim): boolean =>
  claim.shell !== null || (claim.marker !== null && claim.marker.kind !== 'harness');

/** Origins of the rows of one table, each worked out when first asked for. */
export const originsOf = (table: ProcessTable, evidence: Evidence): ((row: ProcessRow) => Origin) => {
  const known = new Map<ProcessRow, Origin>();
  const ruleOf = evidence.rules();
  const nobodys = (row: ProcessRow): Origin => ({ row, program: null, personal: false, claims: [], rule: null });
  return (row) => {
    let origin = known.get(row);
    if (origin === undefined) {
      const candidate = !row.kernelThread && !hasEnded(row) && row.pid !== 1;
      origin = candidate
        ? {
            row,
            program: evidence.program(row),
            personal: evidence.personal(row),
            claims: row.uid === table.uid ? evidence.claims(row).filter(canMakeJob) : [],
            rule: row.uid === table.uid ? ruleOf(row) : null,
          }
        : nobodys(row);
      known.set(row, origin);
    }
    return origin;
  };
};
