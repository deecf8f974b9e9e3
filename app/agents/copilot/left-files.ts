import type { LeftForm } from '../../sweep/left-form.ts';

/**
 * What Copilot CLI leaves (observed on 1.0.102): pid and exit code of shells that it detached.
 * Their output, the `.log` beside, stays: a resumed session is told its path. `inuse.<pid>.lock`
 * stays after a normal end too; it is Copilot's to remove.
 */
export const copilotLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'scratch-file',
    place: 'temporary',
    path: [/^copilot-detached-[A-Za-z0-9_-]{1,200}\.(?:pid|exit)$/],
    dead: { ended: 'agent' },
    emptied: 0,
  },
  { may: 'report', heap: 'packages', place: 'home', path: ['.cache', 'copilot', 'pkg'] },
  { may: 'never', heap: 'transcripts', place: 'agent-folder', path: ['session-state'] },
];
