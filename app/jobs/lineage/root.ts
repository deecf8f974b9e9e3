import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import { plainCommandOf } from '../../agents/common/command-shell.ts';
import type { ProcessRow } from '../../process/row.ts';
import { compatible, isOnEverything, ownerPidOf, sessionOf } from './claims.ts';
import type { OutputOrigin } from './evidence.ts';
import type { LedgerEntry, ProcessRef } from '../ledger/ledger.ts';
import { isInheritedFromUser, isHelper } from './inherited-markers.ts';
import { type Lineage, lineageOf } from './lineage.ts';
import { endsLineage, type ProcessProfile } from './profile.ts';
import type { TableView } from './table-view.ts';

/** Why a process is the root of a job, or of a part of one that has come loose from the rest. */
export type RootProof =
  | { readonly kind: 'claim'; readonly claim: Claim; readonly others: readonly Claim[] }
  | { readonly kind: 'output'; readonly output: OutputOrigin }
  | { readonly kind: 'ledger'; readonly entry: LedgerEntry }
  /** `ended`: see `PlainCall`. */
  | { readonly kind: 'parent'; readonly agent: AgentId; readonly ended: ProcessRef | null }
  | { readonly kind: 'rule'; readonly rule: string };

export interface Root {
  readonly row: ProcessRow;
  readonly proof: RootProof;
  readonly lineage: Lineage;
  /** An agent or the user's program started by a tool call: kept apart, never followed down. */
  readonly endsLineage: boolean;
}

/**
 * Returns the claim that counts for a process, by what it descends from. Below an agent: that
 * agent's claim, unless it was inherited through the agent, which then carries it too. Below the
 * user's program, which can be a subreaper: a tool shell only. Else: the strongest that the user's
 * program did not hand on.
 */
const countingClaim = (
  profile: ProcessProfile,
  lineage: Lineage,
  isOthers: (claim: Claim) => boolean,
): Claim | null => {
  const { end } = lineage;
  if (end === null) return profile.claims.find((claim) => !isOthers(claim)) ?? null;
  if (end.program === null) return profile.claims.find((claim) => claim.shell !== null) ?? null;
  const own = profile.claims.find((claim) => claim.agent === end.program);
  if (own === undefined) return null;
  const inherited =
    own.shell === null && end.claims.some((claim) => compatible(claim, own) && sessionOf(claim) === sessionOf(own));
  return inherited ? null : own;
};

/**
 * The claims of a process that it only has because the user's program or its agent handed them on.
 * Worked out once for each process.
 */
export const claimsInheritedFromUser = (view: TableView): ((row: ProcessRow) => readonly Claim[]) => {
  const known = new Map<ProcessRow, readonly Claim[]>();
  return (row) => {
    let claims = known.get(row);
    if (claims === undefined) {
      claims = view
        .profileOf(row)
        .claims.filter((claim) => isInheritedFromUser(view, row, claim) || isHelper(view, row, claim));
      known.set(row, claims);
    }
    return claims;
  };
};

/** An agent whose marks name its pid carries them itself, as observed (opencode, Kilo). */
const isEverywhere = (claim: Claim): boolean => isOnEverything(claim) || ownerPidOf(claim) !== null;

/**
 * A shell with a command that can be asked nothing more, and whose output is captured: as agents
 * run their tool calls, also where these share their session. A server is spoken to through its
 * input, and what the user was given a terminal for has its output there.
 */
const isRunAsCall = ({ evidence }: TableView, { pid, argv }: ProcessRow): boolean => {
  if (plainCommandOf(argv) === null) return false;
  const [input, output] = evidence.channels?.().of(pid)?.standard ?? [];
  return input?.kind === 'other' && (output?.kind === 'pipe' || output?.kind === 'file');
};

/**
 * The root that a claimed process belongs to: the highest ancestor below the agent, program of the
 * user or adopter whose claim agrees with its own. null when the claim doesn't count where the
 * process hangs.
 */
export const claimedRoot = (
  view: TableView,
  inheritedClaims: (row: ProcessRow) => readonly Claim[],
  profile: ProcessProfile,
): Root | null => {
  const { profileOf, evidence } = view;
  const lineage = lineageOf(view, profile.row);
  const others = [profile.row, ...lineage.chain].flatMap(inheritedClaims);
  const isOthers = (claim: Claim): boolean => others.some((other) => compatible(other, claim));
  const claim = countingClaim(profile, lineage, isOthers);
  if (claim === null) return null;
  let row = profile.row;
  let rootClaim = claim;
  for (const ancestor of lineage.chain) {
    const agreeing = profileOf(ancestor).claims.find((other) => compatible(other, claim));
    if (agreeing === undefined) continue;
    row = ancestor;
    rootClaim = agreeing;
  }
  // An agent's own children that share its kernel session are its servers and helpers: tool calls
  // get a session of their own. Where there are none, the mark itself has to tell, or the shell.
  const parentIsAgent = lineage.end?.program === claim.agent && row.ppid === lineage.end.row.pid;
  const signature = evidence.signature(claim.agent);
  const tellsCalls =
    evidence.sessions === 'apparent' &&
    rootClaim.marker?.kind === 'tool' &&
    (signature?.marksCallsAlone === true || isRunAsCall(view, row));
  if (
    parentIsAgent &&
    !tellsCalls &&
    rootClaim.shell === null &&
    Number(row.sid) === Number(lineage.end?.row.sid) &&
    (signature?.toolShells === 'child-session' || isEverywhere(rootClaim))
  )
    return null;
  return {
    row,
    proof: {
      kind: 'claim',
      claim: rootClaim,
      others: profileOf(row).claims.filter((other) => other !== rootClaim && !isOthers(other)),
    },
    lineage: lineageOf(view, row),
    endsLineage: endsLineage(profileOf(row)),
  };
};
