import type { SafeText } from '../../../app/format/secrets/safe-text.ts';

/** Text of a scene that has no secret. */
export const safe = (text: string): SafeText => text as SafeText;
