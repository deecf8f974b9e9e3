import type { AgentSessionId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { Pid } from '../../process/identity.ts';

/** The session that a claim names, if any. */
export const sessionOf = (claim: Claim): AgentSessionId | null =>
  claim.marker?.kind === 'tool' ? claim.marker.session : null;

/** The agent's pid that a claim names, if any. */
export const ownerPidOf = (claim: Claim): Pid | null => (claim.marker?.kind === 'tool' ? claim.marker.ownerPid : null);

const agree = <Value>(left: Value | null, right: Value | null): boolean =>
  left === null || right === null || left === right;

/** Both could come from one tool call: same agent, and no session or owner that differs. */
export const compatible = (left: Claim, right: Claim): boolean =>
  left.agent === right.agent && agree(sessionOf(left), sessionOf(right)) && agree(ownerPidOf(left), ownerPidOf(right));

/** Both say the same: what one of them names, the other names too. */
export const sameClaim = (left: Claim, right: Claim): boolean =>
  left.agent === right.agent && sessionOf(left) === sessionOf(right) && ownerPidOf(left) === ownerPidOf(right);

/** True for a mark without an id that its agent has in its own environment, see `MarkerMatch`. */
export const isOnEverything = ({ shell, marker }: Claim): boolean =>
  shell === null && marker?.kind === 'bare' && marker.everywhere === true;
