import type { Said } from '../format/said.ts';
import type { Reach } from '../model/reach.ts';
import type { Veto } from '../judge/verdict.ts';
import type { LeftOpen } from '../left-open/left-open.ts';

/** Why something that was asked for is not ended; `app/text/refusals.ts` says it. */
export type EndRefusal =
  /** It is not there (any more). */
  | { readonly kind: 'not-found' }
  /** Was not there at the look before, or hung on another process: not what was asked for. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'busy' }
  | Unrecordable
  /** Curfew itself is ending. */
  | { readonly kind: 'stopping' }
  /** A process of it is not to be ended. */
  | { readonly kind: 'protected'; readonly veto: Veto }
  /** An agent that a user can reach, or could. `use`: why it is not idle. */
  | { readonly kind: 'within-reach'; readonly reach: Reach; readonly use?: Said }
  /** What a tool call left open may not be ended; it says why. */
  | { readonly kind: 'left-open'; readonly leftOpen: LeftOpen }
  /** The command that ends it was not run. */
  | { readonly kind: 'no-command'; readonly why: Said };

/** What can't be recorded isn't done. */
export interface Unrecordable {
  readonly kind: 'unrecordable';
  readonly problem: Error;
}
