import type { RunEnding } from '../record/record.ts';
import type { SparedMember } from '../members/sparer.ts';

export interface EndingResult {
  readonly outcome: NonNullable<RunEnding['outcome']>;
  readonly survivors: readonly number[];
  readonly spared: readonly SparedMember[];
}
