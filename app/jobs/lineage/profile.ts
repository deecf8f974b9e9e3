import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import { kept } from '../../format/kept.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import type { Evidence } from './evidence.ts';

export interface ProcessProfile {
  readonly row: ProcessRow;
  readonly program: AgentId | null;
  readonly isUserProgram: boolean;
  /** Only claims that can make a job: tool shells, tool and bare markers; no harness marker. */
  readonly claims: readonly Claim[];
  readonly rule: string | null;
}

/** True for an agent or a user's program: the search upward ends, what is below is no other's. */
export const endsLineage = (profile: ProcessProfile): boolean => profile.program !== null || profile.isUserProgram;

const canMakeJob = (claim: Claim): boolean =>
  claim.shell !== null || (claim.marker !== null && claim.marker.kind !== 'harness');

type ProfileOf = (row: ProcessRow) => ProcessProfile;

const ofTables = new WeakMap<ProcessTable, Map<Evidence, ProfileOf>>();

/** Origins of the rows of one table, each worked out once for all who ask by the same evidence. */
export const profilesOf = (table: ProcessTable, evidence: Evidence): ProfileOf =>
  kept(
    kept(ofTables, table, () => new Map<Evidence, ProfileOf>()),
    evidence,
    () => profilesBy(table, evidence),
  );

const profilesBy = (table: ProcessTable, evidence: Evidence): ProfileOf => {
  const known = new Map<ProcessRow, ProcessProfile>();
  const ruleOf = evidence.rules();
  const claimsOf = (row: ProcessRow): readonly Claim[] => {
    const claims = evidence.claims(row);
    return claims.length === 0 ? claims : claims.filter(canMakeJob);
  };
  const unclaimed = (row: ProcessRow): ProcessProfile => ({
    row,
    program: null,
    isUserProgram: false,
    claims: [],
    rule: null,
  });
  return (row) => {
    let profile = known.get(row);
    if (profile === undefined) {
      const candidate = !row.kernelThread && !hasEnded(row) && row.pid !== 1;
      profile = candidate
        ? {
            row,
            program: evidence.program(row),
            isUserProgram: evidence.isUserProgram(row),
            claims: row.uid === table.uid ? claimsOf(row) : [],
            rule: row.uid === table.uid ? ruleOf(row) : null,
          }
        : unclaimed(row);
      known.set(row, profile);
    }
    return profile;
  };
};
