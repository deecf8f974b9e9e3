import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { hasEnded } from '../../../app/process/row.ts';
import type { Look } from '../../../main/observing/look.ts';
import { findWorktrees, removeWorktrees } from '../../../main/worktrees/worktrees.ts';
import { hasProgram } from '../../needs.ts';
import { ownTable } from './own-table.ts';

/** `CURFEW_TEST_WORLDS=300` plays more. */
const worlds = Number(process.env['CURFEW_TEST_WORLDS'] ?? 4);
const skipped = hasProgram('git') ? '' : ' (SKIPPED: git is not here)';
/** That namespace sees all processes: the one of this test stands for it. */
const seesAll = '4026531836';
const hours = 2 * 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'curfew-worktrees-'));

const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  GIT_EDITOR: 'true',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_ALLOW_PROTOCOL: 'file',
};

const git = (cwd: string, ...args: readonly string[]): string => {
  const config = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...config, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
};

/** A step that git may refuse, as a commit without a change. */
const tries = (cwd: string, ...args: readonly string[]): void => {
  spawnSync('git', ['-c', 'protocol.file.allow=always', ...args], { cwd, env, stdio: 'ignore' });
};

interface World {
  readonly root: string;
  readonly shop: string;
  readonly living: ChildProcess[];
  readonly mounts: string[];
  readonly sessions: { agent: 'claude-code'; state: 'live'; project: string; id: null }[];
}

let counter = 0;
/** Some machines let no test mount anything. */
let canMount = true;

const write = (path: string, text = `${(counter += 1)}\n`): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

const commit = (at: string): void => {
  write(join(at, `file${(counter += 1)}`));
  tries(at, 'add', '-A');
  tries(at, 'commit', '-q', '-m', `commit ${counter}`);
};

/** A process that has ended: its number is free, or another's. */
const deadPid = (): number => spawnSync('true').pid;

const inside = (world: World, cwd: string, ...command: readonly [string, ...string[]]): ChildProcess => {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd, env, stdio: 'ignore' });
  world.living.push(child);
  return child;
};

type Step = (at: string, world: World, name: string) => void;

/** What happens in a worktree. */
const steps: Readonly<Record<string, Step>> = {
  commit,
  push: (at, _world, name) => tries(at, 'push', '-q', 'origin', `HEAD:refs/heads/${name}`),
  merge: (at, { shop }) => {
    tries(shop, 'merge', '-q', git(at, 'rev-parse', 'HEAD').trim());
  },
  change: (at) => write(join(at, 'one')),
  stage: (at) => {
    write(join(at, 'one'));
    tries(at, 'add', 'one');
  },
  untracked: (at) => write(join(at, 'notes/mine')),
  secret: (at) => write(join(at, 'secret.env')),
  output: (at) => write(join(at, 'node_modules/x/y')),
  builds: (at) => write(join(at, 'dist/y')),
  stash: (at) => {
    write(join(at, 'one'));
    tries(at, 'stash');
  },
  detach: (at) => tries(at, 'checkout', '-q', '--detach'),
  amend: (at) => {
    write(join(at, 'two'));
    tries(at, 'add', '-A');
    tries(at, 'commit', '-q', '--amend', '-m', 'amended');
  },
  reset: (at) => tries(at, 'reset', '-q', '--hard', 'HEAD~1'),
  away: (at, _world, name) => tries(at, 'checkout', '-q', '-B', `${name}-2`, 'main'),
  byHand: (at) => tries(at, 'worktree', 'lock', '--reason', 'mine', at),
  byDead: (at) => tries(at, 'worktree', 'lock', '--reason', `claude agent x (pid ${deadPid()})`, at),
  byLiving: (at, world) => {
    const { pid } = inside(world, '/', 'bash', '-c', 'exec -a claude sleep 600');
    tries(at, 'worktree', 'lock', '--reason', `claude session x (pid ${pid})`, at);
  },
  works: (at, world) => void inside(world, at, 'sleep', '600'),
  opens: (at, world) => void inside(world, '/', 'tail', '-f', join(at, 'one')),
  session: (at, { sessions }) => void sessions.push({ agent: 'claude-code', state: 'live', project: at, id: null }),
  submodule: (at, { root }) => {
    tries(at, 'submodule', '--quiet', 'add', join(root, 'origin'), 'sub');
    tries(at, 'commit', '-q', '-m', 'sub');
  },
  nested: (at) => tries(at, 'worktree', 'add', '-q', '-b', `nested${(counter += 1)}`, join(at, 'node_modules/nested')),
  repository: (at) => {
    const own = join(at, 'node_modules/own');
    mkdirSync(own, { recursive: true });
    tries(own, 'init', '-q');
    commit(own);
  },
  assumed: (at) => {
    tries(at, 'update-index', '--assume-unchanged', 'one');
    write(join(at, 'one'));
  },
  skipped: (at) => {
    tries(at, 'update-index', '--skip-worktree', 'one');
    write(join(at, 'one'));
  },
  rebase: (at) => {
    write(join(at, 'conflict'), 'mine\n');
    tries(at, 'add', '-A');
    tries(at, 'commit', '-q', '-m', 'mine');
    tries(at, 'rebase', '-q', 'other');
  },
  bisect: (at) => tries(at, 'bisect', 'start', 'HEAD', 'HEAD~1'),
  mounted: (at, { root, mounts }) => {
    const point = join(at, 'node_modules/mounted');
    mkdirSync(point, { recursive: true });
    if (spawnSync('mount', ['--bind', join(root, 'elsewhere'), point]).status === 0) mounts.push(point);
    else canMount = false;
  },
  ownRef: (at) => tries(at, 'update-ref', 'refs/worktree/kept', 'HEAD'),
};

/** What the configuration of a repository does that an agent wrote; it comes last. */
const hostile: Readonly<Record<string, (shop: string, marker: string) => void>> = {
  none: () => undefined,
  filter: (shop, marker) => {
    git(shop, 'config', 'filter.x.clean', `touch ${marker}; cat`);
    git(shop, 'config', 'filter.x.smudge', `touch ${marker}; cat`);
    write(join(shop, '.git/info/attributes'), '* filter=x\n');
  },
  monitor: (shop, marker) => void git(shop, 'config', 'core.fsmonitor', `touch ${marker}; false`),
  hooks: (shop, marker) => {
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction'])
      writeFileSync(join(shop, '.git/hooks', name), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  },
  untracked: (shop) => void git(shop, 'config', 'status.showUntrackedFiles', 'no'),
  ignoring: (shop) => write(join(shop, '.git/info/exclude'), '*\n'),
  minimal: (shop) => {
    git(shop, 'config', 'core.checkStat', 'minimal');
    git(shop, 'config', 'core.trustctime', 'false');
    git(shop, 'config', 'core.ignoreStat', 'true');
  },
};

const places = ['shop/.claude/worktrees', 'shop/worktrees', '.'] as const;

const made = (shallow: boolean): World => {
  const root = mkdtempSync(join(folder, 'world-'));
  const [first, origin, shop] = [join(root, 'first'), join(root, 'origin'), join(root, 'shop')];
  git(root, 'init', '-q', '-b', 'main', first);
  write(join(first, '.gitignore'), '*.env\nnode_modules\ndist\n.claude\nworktrees\n');
  write(join(first, 'one'), 'one\n');
  commit(first);
  commit(first);
  git(first, 'checkout', '-q', '-b', 'other');
  write(join(first, 'conflict'), 'theirs\n');
  commit(first);
  git(first, 'checkout', '-q', 'main');
  git(root, 'clone', '-q', '--bare', first, origin);
  git(root, 'clone', '-q', ...(shallow ? ['--depth', '1', '--no-single-branch'] : []), `file://${origin}`, shop);
  git(shop, 'branch', '-q', 'other', 'origin/other');
  mkdirSync(join(root, 'elsewhere'));
  write(join(root, 'elsewhere/kept'));
  return { root, shop, living: [], mounts: [], sessions: [] };
};

const worktreesOf = (shop: string): readonly string[] =>
  git(shop, 'worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice('worktree '.length));

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

const filesBelow = (at: string, top = true): readonly string[] =>
  readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    const status = lstatSync(path);
    if (top && name === '.git') return [];
    if (status.isDirectory()) return filesBelow(path, false);
    // The `.git` of a worktree is a link to it.
    return status.isFile() && name !== '.git' ? [path] : [];
  });

/** Everything that is reachable: commits and blobs, from refs, their logs, the stash and HEADs. */
const reachable = (shop: string): ReadonlySet<string> =>
  new Set([
    ...lines(git(shop, 'rev-list', '--objects', '--all', '--reflog')).map((line) => line.split(' ')[0] ?? ''),
    ...worktreesOf(shop)
      .filter((path) => existsSync(path))
      .flatMap((path) => lines(git(path, 'rev-list', '--objects', 'HEAD')).map((line) => line.split(' ')[0] ?? '')),
  ]);

interface Existing {
  readonly commits: ReadonlySet<string>;
  readonly files: readonly { readonly path: string; readonly text: string; readonly blob: string }[];
}

/** What a build makes again, by its folder; what is a repository's or a mount's is none of it. */
const isOutput = (path: string): boolean => /\/node_modules\/x\//u.test(path);

const existing = (shop: string): Existing => {
  const paths = worktreesOf(shop).flatMap((path) => filesBelow(path));
  const files = [...new Set(paths)].filter((path) => !isOutput(path));
  const blobs = lines(
    execFileSync('git', ['hash-object', '--no-filters', '--stdin-paths'], {
      cwd: shop,
      env,
      input: files.join('\n'),
      encoding: 'utf8',
    }),
  );
  return {
    commits: reachable(shop),
    files: files.map((path, index) => ({ path, text: readFileSync(path, 'latin1'), blob: blobs[index] ?? '' })),
  };
};

const lost = (before: Existing, shop: string): readonly string[] => {
  const now = reachable(shop);
  return [
    ...[...before.commits].filter((object) => !now.has(object)),
    ...before.files
      .filter(({ path, text, blob }) => !now.has(blob) && !(existsSync(path) && readFileSync(path, 'latin1') === text))
      .map(({ path }) => path),
  ];
};

/** Node hears of an end only after this test: until then it is a zombie. */
const untilEnded = ({ pid }: ChildProcess): void => {
  for (let turn = 0; turn < 3000; turn += 1) {
    const row = [...ownTable().rows.values()].find((one) => Number(one.pid) === pid);
    if (row === undefined || hasEnded(row)) return;
    spawnSync('sleep', ['0.02']);
  }
  throw new Error('git worktree add did not end');
};

const end = ({ root, living, mounts }: World): void => {
  for (const child of living) child.kill('SIGKILL');
  for (const point of mounts) spawnSync('umount', [point]);
  rmSync(root, { recursive: true, force: true });
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const trees = fc.array(
  fc.record({
    place: fc.constantFrom(...places),
    isPicked: fc.boolean(),
    happens: fc.oneof(
      { weight: 1, arbitrary: fc.constant<readonly string[]>([]) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<readonly string[]>(['commit', 'push'], ['commit', 'merge'], ['output'], ['byDead']),
      },
      { weight: 3, arbitrary: fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 1, maxLength: 4 }) },
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

type Tree = readonly { place: (typeof places)[number]; isPicked: boolean; happens: readonly string[] }[];

/** What each run must meet: a step that git refuses would make no such world. */
const met = [
  'changed',
  'untracked',
  'ignored',
  'hidden',
  'submodules',
  'nested',
  'not-counted',
  'operation',
  'unpushed',
  'only-in-log',
  'locked',
  'in-use',
  'session-open',
  'stash',
  'detached',
  'shallow',
  'added beside',
];

/** One whose history is cut, and in which a worktree is added meanwhile. */
const shallow: [Tree, boolean, string, boolean] = [
  [[], ['commit', 'push'], ['commit']].map((happens) => ({
    place: 'shop/.claude/worktrees',
    isPicked: true,
    happens,
  })),
  true,
  'none',
  true,
];

/** Each step by itself, and those that go together: so that each rule is asked in every run. */
const each: [Tree, boolean, string, boolean] = [
  [
    ...Object.keys(steps).map((step) => [step]),
    ['commit', 'push'],
    ['commit', 'reset'],
    ['detach', 'commit', 'away'],
  ].map((happens) => ({ place: 'shop/.claude/worktrees', isPicked: true, happens })),
  false,
  'filter',
  false,
];

test.skipIf(skipped !== '')(
  `random worlds of git: what is removed was nowhere only there, and no program of a repository runs${skipped}`,
  () => {
    let removed = 0;
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        trees,
        fc.boolean(),
        fc.constantFrom(...Object.keys(hostile)),
        fc.boolean(),
        (made4, isShallow, evil, adds) => {
          const world = made(isShallow);
          try {
            const { root, shop } = world;
            const picked = new Set<string>();
            for (const [index, { place, isPicked, happens }] of made4.entries()) {
              const [name, at] = [`w${index}`, join(root, place, `w${index}`)];
              git(shop, 'worktree', 'add', '-q', '-b', name, at);
              for (const step of happens) steps[step]?.(at, world, name);
              if (isPicked) picked.add(at);
            }
            const marker = join(root, 'it-ran');
            hostile[evil]?.(shop, marker);
            const before = existing(shop);
            rmSync(marker, { force: true });
            const look = (): Look => {
              const table = ownTable();
              return {
                table: { ...table, takenAtMs: Date.now() + hours },
                sessions: world.sessions,
                jobs: new Map(),
                tookMs: 0,
              } as unknown as Look;
            };
            const engine = {
              source: { pidNamespace: seesAll, environment: () => null },
              places: { state: folder },
              history: { query: () => [] },
              observer: { look },
              home: folder,
              log: { info: () => undefined },
              recordRemovals: () => undefined,
            } as unknown as Parameters<typeof removeWorktrees>[0];
            const adding = adds
              ? inside(world, shop, 'git', 'worktree', 'add', '-q', '-b', 'late', join(root, 'late'))
              : null;
            const found = findWorktrees(engine, [shop], picked);
            for (const { facts, keeps } of found) {
              for (const reason of keeps) seen.add(reason);
              if (facts.stashes > 0) seen.add('stash');
              if (facts.branch === null) seen.add('detached');
            }
            if (git(shop, 'rev-parse', '--is-shallow-repository').startsWith('true')) seen.add('shallow');
            const due = found.filter(({ keeps }) => keeps.length === 0);
            const done = removeWorktrees(engine, due, picked, 'command');
            const gone = done
              .filter(({ keep, failed }) => keep === null && failed === null)
              .map(({ facts }) => facts.path);
            removed += gone.length;
            // What adds a worktree beside runs what the repository says.
            expect(existsSync(marker) && adding === null).toBe(false);
            expect(gone.filter((path) => existsSync(path))).toEqual([]);
            if (adding !== null) {
              untilEnded(adding);
              if (existsSync(join(root, 'late/one'))) seen.add('added beside');
            }
            expect(lost(before, shop)).toEqual([]);
          } finally {
            end(world);
          }
        },
      ),
      { numRuns: worlds, endOnFailure: true, examples: [each, shallow] },
    );
    expect(removed).toBeGreaterThan(0);
    expect(met.filter((one) => !seen.has(one) && (canMount || one !== 'not-counted'))).toEqual([]);
  },
);
