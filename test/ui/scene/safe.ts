import type { Found, SafeText } from '../../../app/format/secrets/safe-text.ts';

/** Text of a test that has no secret, or is to be taken for such. */
export const safe = <Text extends string | null | undefined>(text: Text): Text extends string ? SafeText : Text =>
  text as Text extends string ? SafeText : Text;

/** A view or a record of a test as if its texts were safe. */
export const asSafe = <Shown>(given: Found<Shown>): Shown => given as Shown;
