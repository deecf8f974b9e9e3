import type { LeftForm } from '../../sweep/left-form.ts';

/**
 * What opencode leaves (observed on 1.18.33): the library that its runtime unpacks into the
 * temporary folder at every start, 5.6 MB each. A running opencode has it mapped.
 */
export const opencodeLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'library',
    place: 'temporary',
    path: [/^\.[0-9a-f]{16}-00000000\.so$/],
    dead: { ended: 'holders' },
    emptied: 0,
  },
  { may: 'never', heap: 'transcripts', place: 'home', path: ['.local', 'share', 'opencode'] },
];
