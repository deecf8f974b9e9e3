import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Look } from '../../../main/observing/look.ts';
import { findWorktrees, removeWorktrees } from '../../../main/worktrees/worktrees.ts';
import { hasProgram } from '../../needs.ts';
import { ownTable } from './own-table.ts';

const skipped = hasProgram('git') ? '' : ' (SKIPPED: git is not here)';
const hours = 2 * 3_600_000;
/** That namespace sees all processes: the one of this test stands for it. */
const seesAll = '4026531836';

test.skipIf(skipped !== '')(
  `where the home is a link, worktrees that orchestrators list below it stay, and one that claude-squad lists no more goes${skipped}`,
  () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-listed-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [disk, home, shop] = [join(root, 'disk/mara'), join(root, 'mara'), join(root, 'shop')];
    mkdirSync(disk, { recursive: true });
    symlinkSync(disk, home);
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    const env = { PATH: process.env['PATH'], HOME: home };
    const git = (...args: readonly string[]): void => {
      execFileSync('git', [...who, ...args], { cwd: root, env, stdio: 'ignore' });
    };
    git('init', '-q', '-b', 'main', shop);
    git('-C', shop, 'commit', '-q', '--allow-empty', '-m', 'one');
    const trees = [
      '.claude-squad/worktrees/w1',
      '.claude-squad/worktrees/this & that',
      'w2',
      '.claude-squad/worktrees/w3',
    ].map((name) => join(home, name));
    for (const [index, tree] of trees.entries()) git('-C', shop, 'worktree', 'add', '-q', '-b', `branch${index}`, tree);
    const [first = '', second = '', elsewhere = ''] = trees;
    const list = join(home, '.claude-squad/state.json');
    mkdirSync(dirname(list), { recursive: true });
    const instances = [first, second].map((path) => ({ title: 'x', worktree: { worktree_path: path } }));
    // As Go writes it.
    writeFileSync(list, JSON.stringify({ instances }).replaceAll('&', String.raw`\u0026`));
    mkdirSync(join(home, '.crystal'));
    writeFileSync(join(home, '.crystal/sessions.db'), `\0${elsewhere}\0`);
    const look = (): Look => {
      const table = ownTable();
      return {
        table: { ...table, takenAtMs: Date.now() + hours },
        sessions: [],
        jobs: new Map(),
        tookMs: 0,
      };
    };
    const engine = {
      source: { pidNamespace: seesAll, environment: () => null },
      places: { state: root },
      history: { query: () => [] },
      observer: { look },
      home,
      log: { info: () => undefined },
      recordRemovals: () => undefined,
    } as unknown as Parameters<typeof removeWorktrees>[0];
    const picked = new Set(trees.map((tree) => realpathSync(tree)));
    const found = findWorktrees(engine, [shop], picked);
    const keeps = new Map(found.map((one) => [one.facts.path, [one.facts.origin, one.facts.declaredBy, one.keeps]]));
    expect(trees.map((tree) => keeps.get(realpathSync(tree)))).toEqual([
      ['claude-squad', 'claude-squad', ['declared']],
      ['claude-squad', 'claude-squad', ['declared']],
      [null, 'Crystal', ['declared']],
      ['claude-squad', null, []],
    ]);
    const due = found.filter((one) => one.keeps.length === 0);
    removeWorktrees(engine, due, picked, 'command');
    expect(trees.map((path) => existsSync(path))).toEqual([true, true, true, false]);
  },
);
