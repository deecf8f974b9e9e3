import type { LeftOpenView } from '../../../app/contract/views/left-open-view.ts';
import { moment } from '../../../app/format/moment.ts';
import { safe } from './safe.ts';

/** A session that may be ended, and one that a user looks at. */
export const sceneLeftOpen = (nowMs: number): LeftOpenView[] => [
  {
    id: '21a772b9',
    keeper: 'tmux',
    openedBy: 'call',
    name: safe('build'),
    image: null,
    text: safe('tmux session build'),
    agent: 'claude-code',
    session: null,
    project: safe('/home/mara/work/shop-frontend'),
    owner: 'gone',
    evidence: safe('it has Claude Code’s environment marker'),
    startedAt: moment(nowMs - 90_000_000),
    canEnd: true,
    refusalCode: null,
    refusal: null,
    endWith: safe("tmux -S /tmp/tmux-1000/default kill-session -t '$0'"),
    rssBytes: 320_000_000,
    processes: [{ pid: 6100, ppid: 6099, args: safe('npm run dev'), rssBytes: 320_000_000 }],
  },
  {
    id: 'ca98f0be',
    keeper: 'podman',
    openedBy: 'call',
    name: safe('shop-db'),
    image: safe('docker.io/library/postgres:17'),
    text: safe('podman container shop-db'),
    agent: 'codex',
    session: null,
    project: null,
    owner: 'unknown',
    evidence: safe('the output of a tool call names it'),
    startedAt: moment(nowMs - 3_600_000),
    canEnd: false,
    refusalCode: 'may-belong',
    refusal: safe('Curfew does not end it: that a tool call opened it is likely and not proved.'),
    endWith: null,
    rssBytes: 96_000_000,
    processes: [{ pid: 6200, ppid: 6199, args: safe('postgres'), rssBytes: 96_000_000 }],
  },
];
