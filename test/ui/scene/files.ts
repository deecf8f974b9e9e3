import type { FilesView } from '../../../app/contract/views/files-view.ts';
import { fileGroupView, lockView, removalView, worktreeView } from '../../../app/documents/files.ts';
import type { FoundLock, LockVerdict } from '../../../app/locks/lock.ts';
import type { FoundFile, SweepDecision } from '../../../app/sweep/stale-file.ts';
import { worktreeIsFree } from '../../../app/text/abandoned/worktrees.ts';
import { say } from '../../../app/text/say.ts';
import { keepReasons, type WorktreeFacts } from '../../../app/worktrees/worktree.ts';
import { moment } from '../../../app/format/moment.ts';

const [hour, day] = [3_600_000, 86_400_000];
const commit = '4f2c9e0d1b7a6c5e8f3d2a1b0c9e8d7f6a5b4c3d';

/** As long as those of the command, and another for each path. */
const idOf = (path: string): string =>
  Array.from(path.slice(-16), (one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** Files of a scene; what is removed leaves it. */
export class SceneFiles {
  #gone = new Set<string>();
  #removals: FilesView['removals'] = [];
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  #worktree(name: string, more: Partial<WorktreeFacts>): FilesView['worktrees'][number] {
    const facts: WorktreeFacts = {
      path: `/home/mara/work/shop/.claude/worktrees/${name}`,
      repository: '/home/mara/work/shop/.git',
      origin: 'Claude Code',
      declaredBy: null,
      branch: `worktree-${name}`,
      head: commit,
      isMissing: false,
      usedMs: this.#nowMs - 3 * day,
      bytes: 1_240_000_000,
      isCounted: true,
      hasNested: false,
      files: { changed: 0, untracked: 0, ignored: [], hidden: 0, hasSubmodules: false },
      inOperation: false,
      unpushed: 0,
      onlyInLog: 0,
      stashes: 0,
      locked: null,
      users: [],
      allSeen: true,
      localDisk: true,
      openSession: false,
      mayBeResumed: false,
      ...more,
    };
    return worktreeView({ id: idOf(facts.path), facts, keeps: keepReasons(facts, this.#nowMs, false) }, undefined);
  }

  #lock(path: string, kind: FoundLock['kind'], verdict: LockVerdict): FilesView['locks'][number] {
    const lock: FoundLock = {
      kind,
      path: `/home/mara/work/shop/${path}`,
      folder: '/home/mara/work/shop',
      type: 'file',
      ownedByUser: true,
      names: 1,
      bytes: 0,
      changedMs: this.#nowMs - 2 * hour,
      holder: { named: 'none' },
    };
    return lockView({ id: idOf(lock.path), lock, verdict, incident: null }, undefined);
  }

  #group(name: string, files: number, decision: Pick<SweepDecision, 'action' | 'reason'>): FilesView['groups'][number] {
    const path = `/tmp/claude-1000/-home-mara-work-shop/${name}/tasks`;
    const file: FoundFile = {
      path,
      name: 'b.output',
      type: 'file',
      ownedByUser: true,
      names: 1,
      bytes: 41_000_000,
      changedMs: this.#nowMs - 40 * day,
    };
    const owner = { kind: 'session', state: 'gone', transcript: 'gone' } as const;
    const one = {
      agent: 'claude-code',
      inMemory: true,
      decision: { ...decision, candidate: { kind: 'task-output', file, owner, mayDelete: true } },
    } as const;
    return fileGroupView(idOf(path), path, [one, ...Array.from({ length: files - 1 }, () => one)], this.#nowMs);
  }

  view(): FilesView {
    const stays = (id: string): boolean => !this.#gone.has(id);
    return {
      worktrees: [
        this.#worktree('fix-checkout', {}),
        this.#worktree('agent-a176', {
          bytes: 820_000_000,
          users: [4711],
          files: { changed: 3, untracked: 1, ignored: ['.env'], hidden: 0, hasSubmodules: false },
          unpushed: 2,
          usedMs: this.#nowMs - 20 * 60_000,
          locked: {
            reason: 'claude agent agent-a176 (pid 4711)',
            verdict: { state: 'held', reason: 'holder-alive', pids: [4711] },
          },
        }),
        this.#worktree('spike', { branch: null, mayBeResumed: true, bytes: 96_000_000 }),
      ].filter(({ id }) => stays(id)),
      locks: [
        this.#lock('.git/index.lock', 'git', { state: 'stale', reason: 'no-git', pids: [] }),
        this.#lock('.next/dev/lock', 'dev-server', { state: 'held', reason: 'holder-alive', pids: [5220] }),
      ].filter(({ id }) => stays(id)),
      groups: [
        this.#group('43c8e917', 12, { action: 'delete', reason: 'owner-dead' }),
        this.#group('8d01ab44', 3, { action: 'report', reason: 'resumable' }),
        this.#group('90ff10c2', 5, { action: 'keep', reason: 'in-use' }),
      ].filter(({ id }) => stays(id)),
      heaps: [
        {
          agent: 'codex',
          kind: 'packages',
          what: say('downloaded versions'),
          path: '/home/mara/.codex/packages',
          bytes: 612_000_000,
          files: 840,
          changedAt: moment(this.#nowMs - 2 * day),
          complete: true,
        },
      ],
      removals: [
        ...this.#removals,
        removalView({
          atMs: this.#nowMs - 5 * hour,
          kind: 'worktree',
          what: say('worktree'),
          path: '/home/mara/.cursor/worktrees/shop/old',
          files: 1,
          bytes: 402_000_000,
          why: worktreeIsFree({ branch: 'old', head: commit }),
          by: 'command',
        }),
      ],
      problems: [],
      changed: [],
    };
  }

  remove(ids: readonly string[]): FilesView {
    const found = this.view();
    for (const id of ids) this.#gone.add(id);
    this.#removals = [
      ...found.worktrees
        .filter(({ id }) => ids.includes(id))
        .map(({ path, bytes, branch, head }) =>
          removalView({
            atMs: Date.now(),
            kind: 'worktree',
            what: say('worktree'),
            path,
            files: 1,
            bytes,
            why: worktreeIsFree({ branch, head }),
            by: 'person',
          }),
        ),
      ...this.#removals,
    ];
    return {
      ...found,
      problems:
        ids.length === 1
          ? []
          : [{ path: '/home/mara/work/shop/.git/index.lock', said: say('it is another one by now, or in use') }],
    };
  }
}

/** A view with nothing in it. */
export const noFiles: FilesView = {
  worktrees: [],
  locks: [],
  groups: [],
  heaps: [],
  removals: [],
  problems: [],
  changed: [],
};
