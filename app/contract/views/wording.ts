import type { Diagnosis, Provenance } from '../../jobs/model/job.ts';
import type { Objection } from '../../judge/stop-reason.ts';
import type { Reason } from '../../judge/verdict.ts';

/**
 * The sentences that the views carry, in one language. `app/text` has the English ones; a second language is a second
 * value of this type.
 */
export interface Wording {
  readonly reason: (reason: Reason) => string;
  readonly veto: (veto: Objection) => string;
  readonly diagnosis: (diagnosis: Diagnosis) => string;
  readonly provenance: (provenance: Provenance) => string;
  /** A command line from argv, secrets replaced. */
  readonly args: (argv: readonly string[], comm: string) => string;
}
