import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { locksOf } from '../../../main/locks/find-locks.ts';
import { LinuxSource } from '../../../main/os/linux/source.ts';
import { repositoryAt } from '../../../main/repositories/repository.ts';
import { type Git, newPatience, openGit } from '../../../main/worktrees/git.ts';
import { findWorktrees, removeWorktrees } from '../../../main/worktrees/worktrees.ts';
import { hasProgram } from '../../needs.ts';
import { isRootOfMachine } from '../machine-facts.ts';
import { ownTable } from './own-table.ts';

/** That namespace sees all processes: the one of this test stands for it. */
const seeing = { pidNamespace: '4026531836', environment: (): Record<string, string> | null => null };
const uid = process.getuid?.() ?? 0;
const skipped = hasProgram('git') ? '' : ' (SKIPPED: git is not here)';

let root: string;
let shop: string;
let tree: string;
let marker: string;

const git = (cwd: string, ...args: readonly string[]): string => {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const env = { PATH: process.env['PATH'], HOME: root };
  return execFileSync('git', [...author, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
};

const made = (at: string): void => {
  git(root, 'init', '-q', '-b', 'main', at);
  writeFileSync(join(at, 'one'), 'one\n');
  git(at, 'add', 'one');
  git(at, 'commit', '-q', '-m', 'one');
};

/** Git reads a file anew, through its filters, whose time is another than the index says. */
const touched = (path: string): void => utimesSync(path, 1_700_000_000, 1_700_000_000);

const engine = (): Parameters<typeof removeWorktrees>[0] => {
  const look = () => ({
    table: { ...ownTable(), takenAtMs: Date.now() + 2 * 3_600_000 },
    sessions: [],
    jobs: new Map(),
    tookMs: 0,
  });
  return {
    source: seeing,
    places: { state: root },
    history: { query: () => [] },
    observer: { look },
    home: root,
    log: { info: () => undefined },
    recordRemovals: () => undefined,
  } as unknown as Parameters<typeof removeWorktrees>[0];
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-hostile-git-'));
  [shop, tree, marker] = [join(root, 'shop'), join(root, 'tree'), join(root, 'it-ran')];
  if (skipped !== '') return;
  made(shop);
  git(shop, 'worktree', 'add', '-q', '-b', 'side', tree);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(skipped !== '')(`a repository that wants to run a program${skipped}`, () => {
  const seen = (): ReturnType<typeof findWorktrees> => findWorktrees(engine(), [shop], new Set([tree]));

  test('by a filter in the configuration of its worktree alone, which git removes', () => {
    git(shop, 'config', 'extensions.worktreeConfig', 'true');
    git(tree, 'config', '--worktree', 'filter.evil.clean', `touch ${marker}; cat`);
    writeFileSync(join(shop, '.git/info/attributes'), '* filter=evil\n');
    touched(join(tree, 'one'));
    const found = seen();
    expect(found.map(({ keeps }) => keeps)).toEqual([[]]);
    expect(removeWorktrees(engine(), found, new Set([tree]), 'command')).toMatchObject([{ keep: null, failed: null }]);
    expect({ tree: existsSync(tree), marker: existsSync(marker) }).toEqual({ tree: false, marker: false });
  });

  test.each([
    ['an empty name', '', []],
    ['a name that is no UTF-8', '\xff', null],
  ])('by a filter of %s', (_which, name, keeps) => {
    appendFileSync(join(shop, '.git/config'), `[filter "${name}"]\n\tclean = touch ${marker}; cat\n`, 'latin1');
    writeFileSync(join(shop, '.git/info/attributes'), `* filter=${name}\n`, 'latin1');
    touched(join(tree, 'one'));
    const found = seen();
    expect(found.map((one) => one.keeps)).toEqual(keeps === null ? [] : [keeps]);
    removeWorktrees(engine(), found, new Set([tree]), 'command');
    expect({ tree: existsSync(tree), marker: existsSync(marker) }).toEqual({ tree: keeps === null, marker: false });
  });

  test('by a program called git in it, where the path begins with a folder of the current one', () => {
    const evil = join(root, 'bin/git');
    mkdirSync(dirname(evil));
    writeFileSync(evil, `#!/bin/sh\n: > ${marker}\nexit 1\n`, { mode: 0o755 });
    const path = process.env['PATH'];
    process.env['PATH'] = `${relative(process.cwd(), dirname(evil))}:${path}`;
    try {
      expect(seen().map(({ keeps }) => keeps)).toEqual([[]]);
    } finally {
      process.env['PATH'] = path;
    }
    expect(existsSync(marker)).toBe(false);
  });

  test('by a filter of a repository in its worktree', () => {
    const inner = join(tree, 'inner');
    made(inner);
    git(tree, '-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
    git(tree, 'commit', '-q', '-m', 'inner');
    git(inner, 'config', 'filter.evil.clean', `touch ${marker}; cat`);
    writeFileSync(join(inner, '.git/info/attributes'), '* filter=evil\n');
    touched(join(inner, 'one'));
    expect(seen()[0]?.keeps).toContain('submodules');
    expect(existsSync(marker)).toBe(false);
  });

  test('by a signature in its stash', () => {
    const evil = join(root, 'evil');
    writeFileSync(evil, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    writeFileSync(join(tree, 'one'), 'two\n');
    git(tree, 'stash', '-q');
    const lines = git(tree, 'cat-file', 'commit', 'stash').split('\n');
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----';
    const signed = lines.flatMap((line) => (line.startsWith('committer ') ? [line, signature] : [line])).join('\n');
    writeFileSync(join(root, 'commit'), signed);
    const stash = git(tree, 'hash-object', '-t', 'commit', '-w', join(root, 'commit')).trim();
    git(tree, 'stash', 'store', '-m', 'WIP on side: x', stash);
    git(shop, 'config', 'log.showSignature', 'true');
    git(shop, 'config', 'gpg.program', evil);
    expect(seen()[0]?.facts.stashes).toBe(2);
    expect(existsSync(marker)).toBe(false);
  });
});

describe.skipIf(skipped !== '' || !isRootOfMachine)(
  'an agent in a container (SKIPPED but as root of a machine)',
  () => {
    test('that locked its worktree by the pid which it has in there is not taken for dead', async () => {
      // No process of this namespace has that pid.
      const inner = 32_001;
      const inside = `echo ${inner - 1} > /proc/sys/kernel/ns_last_pid; (exec -a claude sleep 600) & echo $!; wait`;
      const words = ['--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', inside];
      const container = spawn('unshare', words, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        expect(String((await once(container.stdout, 'data'))[0])).toBe(`${inner}\n`);
        git(shop, 'worktree', 'lock', '--reason', `claude agent x (pid ${inner})`, tree);
        const source = new LinuxSource({ environmentNames: [], uid });
        const table = source.scan(new Set());
        const look = () => ({ table, sessions: [], jobs: new Map() });
        const found = findWorktrees(
          {
            ...engine(),
            source: { ...seeing, namespaces: source.namespaces },
            observer: { look },
          } as never,
          [shop],
          new Set([tree]),
        );
        expect(found[0]?.facts.locked?.verdict).toEqual({ state: 'held', reason: 'holder-alive', pids: [inner] });
      } finally {
        container.kill('SIGKILL');
      }
    });
  },
);

describe.skipIf(skipped !== '')(`a repository in which git gives no answer${skipped}`, () => {
  const opened = (timeoutMs: number): Git => {
    const patience = newPatience();
    const found = openGit(tree, [], patience);
    if (found === null) throw new Error('git is not here');
    patience.timeoutMs = timeoutMs;
    return found;
  };

  test('is not asked again in the same look', () => {
    execFileSync('mkfifo', [join(tree, '.gitignore')]);
    const asked = opened(300);
    expect([asked.text('status'), asked.text('rev-parse', 'HEAD')]).toEqual([null, null]);
  });

  test('is not asked more of one with worktrees without end', () => {
    const asked = openGit(shop, [], { timeoutMs: 30_000, leftMs: 0 });
    expect([asked === null, asked?.text('rev-parse', 'HEAD')]).toEqual([false, null]);
    git(shop, 'worktree', 'add', '-q', '-b', 'other', join(root, 'other'));
    const named = findWorktrees(engine(), [shop], new Set([tree]));
    expect(named.map(({ facts }) => facts.path)).toEqual([tree]);
  });

  test('says why it did not do something, and nothing else', () => {
    writeFileSync(join(tree, 'mine'), '');
    const why = opened(30_000).change('worktree', 'remove', tree);
    expect(why).toMatch(/^fatal: '.*' contains modified or untracked files/u);
  });

  test('names no beginning of a token where its own words are cut', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const long = `${'x '.repeat(135)}${token} ${'x '.repeat(60)}`;
    const why = opened(30_000).change('worktree', 'lock', '--reason', 'x', long);
    expect(why).toContain(`x x ***`);
    expect(why).not.toContain('ghp_a1');
  });

  test('is given longer where it deletes', () => {
    const asked = opened(1);
    expect([asked.text('status'), asked.change('worktree', 'lock', tree)]).toEqual([null, null]);
  });
});

describe.skipIf(skipped !== '')(`a repository that came from a system without upper and lower case${skipped}`, () => {
  test('hides no file beside one of the same letters', () => {
    git(shop, 'config', 'core.ignoreCase', 'true');
    writeFileSync(join(tree, 'ONE'), 'mine\n');
    expect(findWorktrees(engine(), [shop], new Set([tree]))[0]?.keeps).toContain('untracked');
  });
});

// Each folder below another was looked at through all above it: 2,000 took longer than two minutes.
test.skipIf(skipped !== '')(`a lock far below other folders is not searched for${skipped}`, () => {
  const near = join(shop, '.git/refs', ...Array<string>(60).fill('a'));
  const far = join(near, ...Array<string>(10).fill('a'));
  mkdirSync(far, { recursive: true });
  for (const folder of [near, far]) writeFileSync(join(folder, 'x.lock'), '');
  const repository = repositoryAt(shop, uid);
  expect(repository === null ? [] : locksOf(repository, uid).map(({ lock }) => lock.path)).toEqual([
    join(near, 'x.lock'),
  ]);
});

describe.skipIf(process.platform !== 'linux')('a repository that leads into a sandbox (SKIPPED but on Linux)', () => {
  test.each([
    ['by the file in the place of its folder', (at: string) => `gitdir: ${at.replace(/^\//u, '../../../../../')}`],
    ['by its whole path', (at: string) => `gitdir: ${at}`],
  ])('%s is none', (_how, text) => {
    const led = join(root, 'led');
    mkdirSync(led);
    writeFileSync(join(led, '.git'), `${text(`/proc/${process.pid}/root${shop}/.git`)}\n`);
    expect(repositoryAt(led, uid)).toBeNull();
    writeFileSync(join(led, '.git'), `gitdir: ${shop}/.git\n`);
    expect(repositoryAt(led, uid)).not.toBeNull();
    // The folder that all worktrees share.
    writeFileSync(join(shop, '.git/worktrees/tree/commondir'), `/proc/${process.pid}/root${shop}/.git\n`);
    expect(repositoryAt(tree, uid)).toBeNull();
  });
});
