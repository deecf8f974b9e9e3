import type { LeftForm } from '../../sweep/left-form.ts';

/** What Codex CLI leaves (observed on 0.169): snapshots of shells and sockets after a KILL. */
export const codexLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'shell-snapshot',
    place: 'agent-folder',
    path: ['shell_snapshots', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.\d{1,20})?\.sh$/],
    dead: { ended: 'agent' },
    emptied: 0,
  },
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [/^codex-daemon-(?<uid>\d{1,10})$/, /^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.sock$/],
    dead: { ended: 'agent' },
    emptied: 1,
  },
  { may: 'report', heap: 'packages', place: 'agent-folder', path: ['packages'] },
  { may: 'report', heap: 'worktrees', place: 'agent-folder', path: ['worktrees'] },
  { may: 'never', heap: 'transcripts', place: 'agent-folder', path: ['sessions'] },
];
