import type { ServerState } from '../model/server-state.ts';
import { type Case, deferralReasons, verdictOf } from './case.ts';
import { claimedVerdict } from './claimed-verdict.ts';
import { witnessedCase } from './endable.ts';
import { ownerGoneVerdict } from './endings.ts';
import { reason } from './reasons.ts';
import type { Reason, Verdict } from './verdict.ts';

/** Nothing comes of it by itself, at no age. */
const spared = (
  subject: Case,
  state: 'within' | 'kept' | 'orphaned' | 'probable',
  reasons: readonly Reason[],
): Verdict => verdictOf(subject, [state, 'none', null], reasons);

/**
 * A server of a session. That of a living one is within every limit. One that is abandoned ends
 * like other leftovers. One that its living agent replaced is left over and only shown, and so is
 * what can't be told for certain: neither is ever ended, also not by the hard cap.
 */
export const serverVerdict = (subject: Case, server: ServerState): Verdict => {
  const { job } = subject;
  switch (server.standing) {
    case 'living':
      return spared(subject, 'within', [reason('server-of-session')]);
    case 'reported':
      return spared(
        subject,
        'kept',
        [...server.why].map((why) => reason('server-reported', { why })),
      );
    case 'replaced': {
      const deferred = deferralReasons(subject);
      return deferred.length > 0
        ? spared(subject, 'kept', deferred)
        : spared(subject, witnessedCase(subject) === null ? 'probable' : 'orphaned', [reason('server-replaced')]);
    }
    case 'abandoned': {
      const deferred = deferralReasons(subject);
      if (deferred.length > 0) return spared(subject, 'kept', deferred);
      if (job.owner.state !== 'gone')
        return spared(subject, 'kept', [reason('server-reported', { why: 'owner-unknown' })]);
      if (!subject.endsServers) return spared(subject, 'orphaned', [reason('servers-shown')]);
      const endable = witnessedCase(subject);
      if (endable === null) return claimedVerdict(subject);
      const wanted = ownerGoneVerdict(endable);
      return { ...wanted, reasons: [...wanted.reasons, reason('closed-ends')] };
    }
  }
};
