import type { RunEnding } from '../record/record.ts';
import type { SparedMember } from '../members/sparer.ts';

/** What became of the processes of a run that was ended. */
export interface EndingResult {
  readonly outcome: NonNullable<RunEnding['outcome']>;
  readonly survivors: readonly number[];
  readonly spared: readonly SparedMember[];
}
