import { agentSocketName, messagingSocketName, muxSocketName, snapshotName } from '../../sweep/forms.ts';
import type { LeftForm } from '../../sweep/left-form.ts';

const session = /^(?<session>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const transcript = /^(?<session>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;
const ownFolder = /^claude-(?<uid>\d{1,10})$/;
const daemonFolder = /^cc-daemon-(?<uid>\d{1,10})$/;
const daemon = /^[0-9a-f]{8}$/;
const anySocket = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.sock$/;

/**
 * What Claude Code leaves (observed on 2.0.28 to 2.1.329): task outputs after every end, of up to 5
 * GB each; sockets and shell snapshots after a KILL. A resumed session is told the paths of its
 * outputs, so they stay as long as its transcript.
 */
export const claudeLeftFiles: readonly LeftForm[] = [
  {
    may: 'remove',
    kind: 'task-output',
    place: 'temporary',
    path: [ownFolder, /^[A-Za-z0-9-]{1,255}$/, session, 'tasks', /^[A-Za-z0-9_-]{1,64}\.output$/],
    dead: { ended: 'session', transcript: ['projects', /^[A-Za-z0-9-]{1,255}$/, transcript] },
    emptied: 2,
  },
  {
    may: 'remove',
    kind: 'shell-snapshot',
    place: 'agent-folder',
    path: ['shell-snapshots', snapshotName],
    dead: { ended: 'agent' },
    emptied: 0,
  },
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [agentSocketName],
    dead: { ended: 'agent' },
    emptied: 0,
  },
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [muxSocketName],
    dead: { ended: 'process' },
    emptied: 0,
  },
  ...(['temporary', 'runtime'] as const).map((place): LeftForm => ({
    may: 'remove',
    kind: 'socket',
    place,
    path: [/^cc-socks(?:-(?<uid>\d{1,10}))?$/, messagingSocketName],
    dead: { ended: 'process' },
    emptied: 0,
  })),
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [daemonFolder, daemon, anySocket],
    dead: { ended: 'agent' },
    emptied: 1,
  },
  {
    may: 'remove',
    kind: 'socket',
    place: 'temporary',
    path: [daemonFolder, daemon, 'spare', anySocket],
    dead: { ended: 'agent' },
    emptied: 2,
  },
  {
    // 2.0.28 leaves one for every command.
    may: 'remove',
    kind: 'scratch-file',
    place: 'temporary',
    path: [/^claude-[0-9a-f]{4}-cwd$/],
    dead: { ended: 'agent' },
    emptied: 0,
  },
  {
    may: 'report',
    heap: 'debug-logs',
    place: 'home',
    path: ['.cache', 'claude-cli-nodejs'],
  },
  { may: 'report', heap: 'debug-logs', place: 'agent-folder', path: ['debug'] },
  { may: 'report', heap: 'worktrees', place: 'project', path: ['.claude', 'worktrees'] },
  { may: 'never', heap: 'transcripts', place: 'agent-folder', path: ['projects'] },
];
