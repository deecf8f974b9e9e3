import type { LeftForm } from '../../sweep/left-form.ts';

/** What Gemini CLI leaves (observed on 0.61): the folder in which a command noted its jobs. */
export const geminiLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'scratch-file',
    place: 'temporary',
    path: [/^gemini-shell-[A-Za-z0-9]{6}$/, 'bgpids.tmp'],
    dead: { ended: 'agent' },
    emptied: 1,
  },
  { may: 'never', heap: 'transcripts', place: 'home', path: ['.gemini', 'tmp'] },
];
