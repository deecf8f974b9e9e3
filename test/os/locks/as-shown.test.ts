import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { worktreeView } from '../../../app/documents/files.ts';
import { type AsShown, asShown } from '../../../main/clean-up/clean-up.ts';
import { findWorktrees, type JudgedWorktree, removeWorktrees } from '../../../main/worktrees/worktrees.ts';
import { hasProgram } from '../../needs.ts';
import { ownTable } from './own-table.ts';

const skipped = hasProgram('git') ? '' : ' (SKIPPED: git is not here)';
const none = { nowMs: 0, found: [], heaps: [], passedOver: [] };

let root: string;
let shop: string;
let tree: string;

const git = (cwd: string, ...args: readonly string[]): void => {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const env = { PATH: process.env['PATH'], HOME: root };
  execFileSync('git', [...author, ...args], { cwd, env, stdio: 'ignore' });
};

const engine = (): Parameters<typeof removeWorktrees>[0] =>
  ({
    // That namespace sees all processes: the one of this test stands for it.
    source: { pidNamespace: '4026531836', environment: () => null },
    places: { state: root },
    history: { query: () => [] },
    observer: { look: () => ({ table: ownTable(), sessions: [], jobs: new Map(), tookMs: 0 }) },
    home: root,
    log: { info: () => undefined },
    recordRemovals: () => undefined,
  }) as unknown as Parameters<typeof removeWorktrees>[0];

const seen = (): JudgedWorktree => {
  const [one] = findWorktrees(engine(), [shop], new Set());
  if (one === undefined) throw new Error('no worktree was found');
  return one;
};

const since = ({ id }: JudgedWorktree): AsShown =>
  asShown({ files: none, locks: [], worktrees: [seen()], picked: new Set() }, [id]);

const removed = ({ plan: { worktrees, picked } }: AsShown): ReturnType<typeof removeWorktrees> =>
  removeWorktrees(engine(), worktrees, picked, 'person');

const add = (branch: string): void => git(shop, 'worktree', 'add', '-q', '-b', branch, tree);

const remake = (branch: string): void => {
  git(shop, 'worktree', 'remove', tree);
  add(branch);
};

/** A session of an agent that has ended, and could go on in the worktree. */
const leaveSession = (): void => {
  const folder = join(root, '.claude/projects', tree.replaceAll(/[^a-zA-Z0-9]/gu, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '0b1f3c7e-6c1d-4f0a-9d53-1f2a3b4c5d6e.jsonl'), '{}\n');
};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-shown-')));
  shop = join(root, 'shop');
  // Its name is hidden where it is shown.
  tree = join(shop, '.claude/worktrees/password=hunter2-of-a-tree');
  if (skipped !== '') return;
  git(root, 'init', '-q', '-b', 'main', shop);
  git(shop, 'commit', '-q', '--allow-empty', '-m', 'one');
  add('shown');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(skipped !== '')(`a worktree that the user was shown${skipped}`, () => {
  test('goes for the reasons that were shown, though its name is not', () => {
    const shown = seen();
    expect(shown.keeps).toEqual(['young']);
    expect(JSON.stringify(worktreeView(shown, undefined))).not.toContain('hunter2');
    const found = since(shown);
    expect(found.changed).toEqual([]);
    expect(removed(found)).toMatchObject([{ keep: null, failed: null }]);
    expect(existsSync(tree)).toBe(false);
  });

  test.for([
    ['made anew on another branch', () => remake('another')],
    ['made anew on a branch at the same commit', () => git(shop, 'worktree', 'remove', tree), () => add('anew')],
    ['on another branch', () => git(tree, 'checkout', '-q', '-b', 'another')],
    ['one in which a session could go on', leaveSession],
    ['one with work in it', () => writeFileSync(join(tree, 'work'), 'x')],
  ] as const)('stays where it is %s by now', ([, ...changes]) => {
    const shown = seen();
    for (const change of changes) change();
    expect(since(shown)).toMatchObject({ plan: { worktrees: [] }, changed: [shown.id] });
  });

  test.for([
    ['made anew', () => remake('another')],
    ['one in which a session could go on', leaveSession],
  ] as const)('stays where it becomes %s after the look', ([, change]) => {
    const found = since(seen());
    expect(found.changed).toEqual([]);
    change();
    expect(removed(found)).toMatchObject([{ keep: 'not-as-shown', failed: null }]);
    expect(existsSync(tree)).toBe(true);
  });
});
