import type { Said } from '../../format/said.ts';
import type { LeftOpen } from '../../left-open/left-open.ts';
import type { Reach } from '../../model/reach.ts';
import type { Evidence } from '../../model/evidence.ts';
import type { Diagnosis } from '../../model/job.ts';
import type { Objection } from '../../judge/stop-reason.ts';
import type { Reason } from '../../judge/verdict.ts';
import type { SafeText } from '../../format/secrets/safe-text.ts';

/**
 * Sentences of the views in one language. `app/text` has the English ones; a second language is
 * another value of this type.
 */
export interface Wording {
  /** What is said by key. */
  readonly said: (said: Said) => string;
  readonly reason: (reason: Reason) => string;
  readonly veto: (veto: Objection) => string;
  readonly diagnosis: (diagnosis: Diagnosis) => string;
  /** What shows that an agent started it. */
  readonly evidence: (evidence: Evidence) => string;
  /** Returns a command line from argv, with secrets replaced. */
  readonly args: (argv: readonly string[], comm: string) => SafeText;
  /** Why a user can reach an agent or not, the state in a word or two, and why it is not ended. */
  readonly reach: (reach: Reach) => string;
  readonly reachWord: (state: Reach['state']) => string;
  readonly refusal: (reach: Reach, ownEnd: string | null) => string | null;
  /** What is left open, in a few words, and why it is not ended. */
  readonly leftOpen: (leftOpen: LeftOpen) => string;
  readonly leftOpenRefusal: (leftOpen: LeftOpen) => string | null;
  /** Returns a command as a user would write it. */
  readonly command: (command: readonly string[]) => string;
}
