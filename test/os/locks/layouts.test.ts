import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { locksOf } from '../../../main/locks/find-locks.ts';
import { folderUsers, lockWorld, witnessOf } from '../../../main/locks/witness.ts';
import { repositoryAt } from '../../../main/repositories/repository.ts';
import { seenFolders } from '../../../main/store/seen-list.ts';
import { findLocks } from '../../../main/sweep/locks.ts';
import { findWorktrees, removeWorktrees } from '../../../main/worktrees/worktrees.ts';
import { hasProgram } from '../../needs.ts';
import { isRootOfMachine } from '../machine-facts.ts';
import { ownTable } from './own-table.ts';

const skipped = hasProgram('git') ? '' : ' (SKIPPED: git is not here)';

const uid = process.getuid?.() ?? 0;

let root: string;
let shop: string;
let tree: string;
let moved: Record<string, string> | null;
let project: string | null;
let putForwardMs: number;

/** A process of which nothing is known. */
const idle = {
  pid: 4242,
  inner: [],
  stopped: false,
  cwd: null,
  places: [],
  pointsElsewhere: false,
};

const env = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: root,
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
});

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd, env: env(), encoding: 'latin1', stdio: ['ignore', 'pipe', 'pipe'] });

const engine = (): Parameters<typeof removeWorktrees>[0] & Parameters<typeof findLocks>[0] =>
  ({
    // That namespace sees all processes: the one of this test stands for it.
    source: { pidNamespace: '4026531836', environment: () => moved },
    places: { state: root },
    history: { query: () => [] },
    observer: {
      look: () => ({
        table: { ...ownTable(), takenAtMs: Date.now() + 2 * 3_600_000 },
        sessions: project === null ? [] : [{ agent: 'claude-code', state: 'gone', project, source: '' }],
        jobs: new Map(),
        tookMs: 0,
      }),
    },
    home: root,
    log: { info: () => undefined },
    recordRemovals: () => undefined,
    putForwardMs: () => putForwardMs,
  }) as never;

const keepsOf = (path: string, picked = true): readonly string[] | undefined =>
  findWorktrees(engine(), [shop], new Set(picked ? [path] : [])).find(({ facts }) => facts.path === path)?.keeps;

const added = (path: string): string => {
  git(shop, 'worktree', 'add', '-q', '-b', `branch-${path.length}`, path);
  return path;
};

const write = (path: string | Buffer, text = 'mine\n'): void => writeFileSync(path, text);

const inLatin1 = (folder: string, name: string): Buffer => Buffer.from(join(folder, name), 'latin1');

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-layouts-')));
  [shop, tree, moved, project, putForwardMs] = [join(root, 'shop'), join(root, 'tree'), null, null, 0];
  if (skipped !== '') return;
  git(root, 'init', '-q', '-b', 'main', shop);
  write(join(shop, 'one'), 'one\n');
  git(shop, 'add', 'one');
  git(shop, 'commit', '-q', '-m', 'one');
  git(shop, 'worktree', 'add', '-q', '-b', 'side', tree);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(skipped !== '')(`a worktree stays${skipped}`, () => {
  test('in which a file that git does not look at has a name of an older system', () => {
    write(inLatin1(tree, 'caf\xe9'), 'as committed\n');
    git(tree, 'add', '-A');
    git(tree, 'commit', '-q', '-m', 'two');
    git(shop, 'merge', '-q', 'side');
    expect(keepsOf(tree)).toEqual(['not-counted']);
    const index =
      git(tree, 'ls-files', '-z')
        .split('\0')
        .find((name) => name.startsWith('caf')) ?? '';
    execFileSync('git', ['update-index', '-z', '--skip-worktree', '--stdin'], {
      cwd: tree,
      env: env(),
      input: Buffer.from(`${index}\0`, 'latin1'),
    });
    write(inLatin1(tree, 'caf\xe9'));
    expect(git(tree, 'status', '--porcelain')).toBe('');
    expect(keepsOf(tree)).toEqual(['not-counted']);
  });

  test('in which a repository lies below a name that is no UTF-8', () => {
    write(join(shop, '.git/info/exclude'), 'node_modules\n');
    const inner = inLatin1(tree, 'node_modules/\xff');
    mkdirSync(inner, { recursive: true });
    mkdirSync(Buffer.concat([inner, Buffer.from('/.git')]));
    expect(keepsOf(tree)).toEqual(['not-counted']);
  });

  test('of which a ref of its own alone names a commit, or in which notes are merged', () => {
    const only = git(tree, 'commit-tree', '-m', 'only here', 'HEAD^{tree}').trim();
    git(tree, 'update-ref', 'SAVED_HEAD', 'HEAD');
    expect(keepsOf(tree)).toEqual([]);
    git(tree, 'update-ref', 'SAVED_HEAD', only);
    expect(keepsOf(tree)).toEqual(['only-in-log']);
    git(tree, 'update-ref', '-d', 'SAVED_HEAD');
    mkdirSync(join(shop, '.git/worktrees/tree/NOTES_MERGE_WORKTREE'));
    write(join(shop, '.git/worktrees/tree/NOTES_MERGE_WORKTREE', only));
    expect(keepsOf(tree)).toEqual(['operation']);
  });

  test.each(['SAVED-HEAD', 'A-'])('of which a ref called %s alone names a commit', (name) => {
    git(tree, 'update-ref', name, git(tree, 'commit-tree', '-m', 'only here', 'HEAD^{tree}').trim());
    expect(keepsOf(tree)).toEqual(['only-in-log']);
  });

  test('of which the log of a ref of its own alone names a commit', () => {
    const logged = ['-c', 'core.logAllRefUpdates=always', 'update-ref', 'SAVED_HEAD'];
    git(tree, ...logged, 'HEAD');
    expect(keepsOf(tree)).toEqual([]);
    git(tree, ...logged, git(tree, 'commit-tree', '-m', 'only here', 'HEAD^{tree}').trim());
    git(tree, ...logged, 'HEAD');
    expect(keepsOf(tree)).toEqual(['only-in-log']);
  });

  test('in whose own folder another program keeps something', () => {
    const own = join(shop, '.git/worktrees/tree/git-crypt');
    mkdirSync(own);
    write(join(own, 'key'));
    expect(keepsOf(tree)).toEqual(['not-read']);
  });

  test('of which a copy uses the same entry, also one in a folder that is known from a session', () => {
    cpSync(tree, `${tree}-copy`, { recursive: true });
    expect(keepsOf(tree)).toEqual(['not-read']);
    mkdirSync(join(root, 'far'));
    renameSync(`${tree}-copy`, join(root, 'far/copy'));
    expect(keepsOf(tree)).toEqual([]);
    project = join(root, 'far/copy');
    expect(keepsOf(tree)).toEqual(['not-read']);
  });

  test.each([
    ['a socket', (path: string) => `require('node:net').createServer().listen('${path}', () => process.exit())`],
    ['a pipe', (path: string) => `require('node:child_process').execFileSync('mkfifo', ['${path}'])`],
  ])('in which %s lies, of which git does not tell', (_which, script) => {
    // The server ends without closing: its socket stays.
    execFileSync(process.execPath, ['-e', script(join(tree, 'app'))]);
    expect(existsSync(join(tree, 'app'))).toBe(true);
    expect(keepsOf(tree)).toEqual(['not-counted']);
  });

  test('in a folder that a container has which can’t be looked into, by its mounts that are written', () => {
    const seen = witnessOf(engine().observer.look(), '4026531836');
    const usersWith = (mounted: readonly string[], denied = true): readonly number[] | null => {
      const uses = [{ ...idle, uid: uid + 1, names: ['sleep'], denied, writesAsOthers: false, mounted }];
      return folderUsers(tree, { ...seen, all: seen.all === null ? null : { ...seen.all, uses } });
    };
    const [place, around] = [tree, root].map((path) => seen.all?.placeOf(path) ?? '');
    const below = `${place}/one`;
    expect([place, around, below].map((one) => usersWith([one ?? '']))).toEqual([null, null, null]);
    expect([usersWith([]), usersWith([`${place}-2`]), usersWith([around ?? ''], false)]).toEqual([[], [], []]);
  });

  test('in which a folder can’t be emptied: git would remove the rest', () => {
    write(join(shop, '.git/info/exclude'), 'node_modules\n');
    mkdirSync(join(tree, 'node_modules/x'), { recursive: true });
    expect(keepsOf(tree)).toEqual([]);
    chmodSync(join(tree, 'node_modules/x'), 0o555);
    expect(keepsOf(tree)).toEqual(['not-counted']);
  });

  test('whose path ends like that of one which may go', () => {
    const [link, other] = [join(root, 'link'), join(root, 'x', tree)];
    symlinkSync(root, link);
    git(shop, 'worktree', 'add', '-q', '-b', 'other', other);
    write(join(shop, '.git/info/exclude'), '*.env\n');
    write(join(other, 'my.env'));
    // Git takes a path for one that ends so.
    const entries = join(shop, '.git/worktrees');
    write(join(entries, 'tree/gitdir'), `${link}/tree/.git\n`);
    write(join(entries, 'tree1/gitdir'), `${join(root, 'x')}/${tree}/.git\n`);
    const due = findWorktrees(engine(), [shop], new Set([tree])).filter(({ keeps }) => keeps.length === 0);
    expect(due.map(({ facts }) => facts.path)).toEqual([tree]);
    expect(removeWorktrees(engine(), due, new Set([tree]), 'command')).toMatchObject([{ keep: null, failed: null }]);
    expect([tree, join(other, 'my.env')].map((path) => existsSync(path))).toEqual([false, true]);
  });

  test.each(['.hg', '.jj', '.svn'])('in which a repository of another system lies: %s', (name) => {
    write(join(shop, '.git/info/exclude'), 'node_modules\n');
    mkdirSync(join(tree, 'node_modules/x', name), { recursive: true });
    expect(keepsOf(tree)).toEqual(['nested']);
  });

  test.each([
    [
      'a commit that stands in for another',
      (only: string) => {
        const text = git(shop, 'cat-file', 'commit', 'main').replace(/^author/mu, `parent ${only}\nauthor`);
        write(join(root, 'commit'), text);
        git(shop, 'replace', 'main', git(shop, 'hash-object', '-t', 'commit', '-w', join(root, 'commit')).trim());
      },
    ],
    [
      'a graft',
      (only: string) => write(join(shop, '.git/info/grafts'), `${git(shop, 'rev-parse', 'main').trim()} ${only}\n`),
    ],
  ])('of which a branch has the commit by %s alone', (_how, stand) => {
    git(tree, 'checkout', '-q', '--detach');
    git(tree, 'commit', '-q', '--allow-empty', '-m', 'only here');
    stand(git(tree, 'rev-parse', 'HEAD').trim());
    expect(keepsOf(tree)).toEqual(['unpushed', 'only-in-log']);
  });

  test('of which another branch has the commit by a forged commit-graph alone', () => {
    git(tree, 'checkout', '-q', '--detach');
    git(tree, 'commit', '-q', '--allow-empty', '-m', 'only here');
    const only = git(tree, 'rev-parse', 'HEAD').trim();
    git(shop, 'update-ref', 'refs/heads/other', git(shop, 'commit-tree', '-m', 'other', 'HEAD^{tree}').trim());
    const input = `${only}\n${git(shop, 'rev-parse', 'other')}`;
    execFileSync('git', ['commit-graph', 'write', '--stdin-commits'], { cwd: shop, env: env(), input });
    const graph = join(shop, '.git/objects/info/commit-graph');
    const bytes = readFileSync(graph);
    // The names of commits in order, and of each: 20 bytes of a tree, two parents, its generation.
    const [names, data] = ['OIDL', 'CDAT'].map((chunk) => Number(bytes.readBigUInt64BE(bytes.indexOf(chunk) + 4)));
    const entryOf = (commit: string): number => (bytes.indexOf(commit, 'hex') - (names ?? 0)) / 20;
    const other = (data ?? 0) + 36 * entryOf(git(shop, 'rev-parse', 'other').trim());
    bytes.writeUInt32BE(entryOf(only), other + 20);
    bytes.writeUInt32BE(9 << 2, other + 28);
    chmodSync(graph, 0o644);
    writeFileSync(graph, bytes);
    expect(git(shop, 'log', '--format=%s', 'other')).toContain('only here');
    expect(keepsOf(tree)).toEqual(['unpushed', 'only-in-log']);
  });

  const folderOf = (path: string): string => path.replaceAll(/[^a-zA-Z0-9]/gu, '-');

  test.each([
    ['a folder of Claude Code beside its own', '.claude-work', () => undefined],
    ['a folder that a process names', 'moved', (at: string) => void (moved = { CLAUDE_CONFIG_DIR: at })],
    [
      'a folder that a look saw once',
      'moved',
      (at: string) => seenFolders({ state: root }).add([{ agent: 'claude-code', seen: at }]),
    ],
    [
      'one of more folders than are remembered',
      'nowhere',
      () => seenFolders({ state: root }).add([{ agent: 'claude-code', seen: '/dev/null/further' }]),
    ],
  ])('where its session has its transcript in %s', (_where, name, known) => {
    const path = added(join(shop, '.claude/worktrees/x'));
    expect(keepsOf(path, false)).toEqual([]);
    mkdirSync(join(root, name, 'projects', folderOf(path)), { recursive: true });
    known(join(root, name));
    expect(keepsOf(path, false)).toEqual(['resumable']);
  });

  test('that a clock put forward made old, or of a path longer than the names of folders of transcripts', () => {
    const path = added(join(shop, '.claude/worktrees', 'a'.repeat(120), 'b'.repeat(120)));
    putForwardMs = 2 * 3_600_000;
    expect(keepsOf(path, false)).toEqual(['young']);
    mkdirSync(join(root, '.claude/projects', `${folderOf(path).slice(0, 200)}-1x2y3z`), { recursive: true });
    expect(keepsOf(path, false)).toEqual(['resumable', 'young']);
  });
});

describe.skipIf(!isRootOfMachine)('a folder of another user (SKIPPED but as root of a machine)', () => {
  test('is not searched for worktrees', () => {
    const path = added(join(root, '.cursor/worktrees/shop/x'));
    const found = (): readonly string[] => findWorktrees(engine(), null, new Set()).map(({ facts }) => facts.path);
    expect(found()).toContain(path);
    chownSync(join(root, '.cursor/worktrees'), 4242, 4242);
    expect(found()).toEqual([]);
  });
});

describe.skipIf(skipped !== '')(`locks${skipped}`, () => {
  const stale = (folder: string): readonly string[] =>
    findLocks(engine(), [folder]).flatMap(({ lock, verdict }) => (verdict.state === 'stale' ? [lock.path] : []));

  test('are none of git where a project has files as a bare repository beside them', () => {
    for (const name of ['HEAD', 'yarn.lock']) write(join(shop, name));
    for (const name of ['objects', 'refs']) mkdirSync(join(shop, name));
    write(join(shop, '.git/index.lock'), '');
    expect(stale(shop)).toEqual([join(shop, '.git/index.lock')]);
    const bare = join(root, 'bare');
    git(root, 'init', '-q', '--bare', bare);
    for (const name of ['Cargo.lock', 'packed-refs.lock']) write(join(bare, name));
    expect(stale(bare)).toEqual([join(bare, 'packed-refs.lock')]);
    // They are young, but for a clock that was put forward.
    putForwardMs = 2 * 3_600_000;
    expect([stale(shop), stale(bare)]).toEqual([[], []]);
  });

  // GitPython closes `config.lock` and keeps it as long as its writer lives.
  test.each(['python3', 'java'])('are held by %s, which may have a git inside, where it works there', async (name) => {
    const lock = join(shop, '.git/config.lock');
    write(lock, '');
    utimesSync(lock, 1_700_000_000, 1_700_000_000);
    const working = async (cwd: string): Promise<readonly string[]> => {
      const child = spawn('bash', ['-c', `exec -a ${name} sleep 600`], { cwd, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const words = (): string => readFileSync(`/proc/${child.pid}/cmdline`, 'latin1');
      for (let turn = 0; turn < 3000 && !words().startsWith(name); turn += 1) spawnSync('sleep', ['0.02']);
      try {
        return stale(shop);
      } finally {
        child.kill('SIGKILL');
        await ended;
      }
    };
    expect([await working(shop), await working(root)]).toEqual([[], [lock]]);
  });

  test('are not known where a repository has more worktrees than are read', () => {
    expect(repositoryAt(shop, uid)?.worktrees).toHaveLength(2);
    for (let count = 0; count < 2_000; count += 1) mkdirSync(join(shop, '.git/worktrees', `more${count}`));
    expect(repositoryAt(shop, uid)).toBeNull();
  });

  test('are held by a git of another user that writes there as this one, as in a container', () => {
    const lock = join(shop, '.git/index.lock');
    write(lock, '');
    const repository = repositoryAt(shop, uid);
    const [found] = repository === null ? [] : locksOf(repository, uid);
    if (found === undefined) throw new Error('no lock was found');
    const seen = witnessOf(engine().observer.look(), '4026531836');
    const heldBy = (writesAsOthers: boolean): readonly number[] | null => {
      const strange = { ...idle, uid: uid + 1, names: ['git'], denied: true, writesAsOthers, mounted: [] };
      const all = seen.all === null ? null : { ...seen.all, uses: [strange] };
      return lockWorld(found, { ...seen, all }, false).gits;
    };
    expect([heldBy(false), heldBy(true)]).toEqual([[], [idle.pid]]);
  });

  test.each([
    [
      'a submodule',
      () => {
        git(root, 'init', '-q', '-b', 'main', 'around');
        git(join(root, 'around'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', shop, 'sub');
        const main = join(root, 'around/sub');
        return { main, common: join(root, 'around/.git/modules/sub'), at: main };
      },
    ],
    [
      'a repository with its folder elsewhere',
      () => {
        git(root, 'init', '-q', '-b', 'main', '--separate-git-dir', join(root, 'apart'), 'main');
        git(join(root, 'main'), 'commit', '-q', '--allow-empty', '-m', 'one');
        return { main: join(root, 'main'), common: join(root, 'apart'), at: join(root, 'main') };
      },
    ],
    [
      'a repository that names another folder',
      () => {
        const main = join(root, 'main');
        mkdirSync(main);
        git(shop, 'config', 'core.worktree', main);
        return { main, common: join(shop, '.git'), at: shop };
      },
    ],
    [
      'a repository that names another folder on the line of the section',
      () => {
        const main = join(root, 'main');
        mkdirSync(main);
        appendFileSync(join(shop, '.git/config'), `[core] worktree = ${main}\n`);
        return { main, common: join(shop, '.git'), at: shop };
      },
    ],
  ])('of the main worktree of %s are held while git is at work there, also for a linked one', async (_which, make) => {
    const { main, common, at } = make();
    const linked = join(root, 'linked');
    git(at, 'worktree', 'add', '-q', '-b', 'linked', linked);
    write(join(main, 'one'));
    git(at, 'add', '-A');
    const [lock, go] = [join(common, 'index.lock'), join(root, 'go')];
    execFileSync('mkfifo', [go]);
    // The editor of its message waits.
    const editing = { ...env(), GIT_EDITOR: `cat ${go}; false` };
    const commit = spawn('git', ['commit', '-q', '-a'], { cwd: at, env: editing, stdio: 'ignore' });
    const ended = new Promise((resolve) => commit.once('exit', resolve));
    try {
      for (let turn = 0; turn < 3000 && !existsSync(lock); turn += 1) spawnSync('sleep', ['0.02']);
      utimesSync(lock, 1_700_000_000, 1_700_000_000);
      expect([at, linked, common].map((folder) => [folder, stale(folder)])).toEqual([
        [at, []],
        [linked, []],
        [common, []],
      ]);
    } finally {
      writeFileSync(go, '');
      await ended;
    }
    write(lock, '');
    utimesSync(lock, 1_700_000_000, 1_700_000_000);
    expect(stale(linked)).toEqual([lock]);
  });
});
