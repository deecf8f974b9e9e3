import { utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { oneDocument, runCurfew } from '../scene/curfew.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { gitIn, inScene } from '../scene/git.ts';

const listed = z.object({
  locks: z.array(
    z.object({
      kind: z.string(),
      path: z.string(),
      state: z.string(),
      reason: z.string(),
      pids: z.array(z.number()),
      removed: z.boolean(),
      incident: z.string().nullable(),
    }),
  ),
});

type Listed = z.infer<typeof listed>;

const swept = listed.extend({
  worktrees: z.array(
    z.object({ path: z.string(), removed: z.boolean(), keeps: z.array(z.object({ code: z.string() })) }),
  ),
  removals: z.array(z.object({ kind: z.string(), path: z.string(), by: z.string() })),
});

const sweep = async (stage: Scene, ...args: readonly string[]): Promise<z.infer<typeof swept>> =>
  swept.parse(oneDocument(await runCurfew(stage, ['sweep', '--json', ...args])));

const locks = async (stage: Scene, ...args: readonly string[]): Promise<Listed> =>
  listed.parse(oneDocument(await runCurfew(stage, ['locks', '--json', ...args])));

const verdicts = ({ locks: all }: Listed): Readonly<Record<string, string>> =>
  Object.fromEntries(all.map(({ path, state, reason }) => [path, `${state}: ${reason}`]));

const aged = (stage: Scene, path: string, text = ''): string => {
  stage.write(path, text);
  const at = Date.now() / 1000 - 600;
  utimesSync(stage.outside(path), at, at);
  return path;
};

const shop = async (stage: Scene): Promise<string> => {
  const folder = `${stage.home}/shop`;
  await gitIn(stage, folder, 'git init -q -b main && git commit -q --allow-empty -m first');
  return folder;
};

describe.concurrent('curfew locks', () => {
  test(
    'removes locks of git that nothing holds, at every place where git takes one, and nothing else',
    scene(async (stage) => {
      const folder = await shop(stage);
      await gitIn(stage, folder, 'git worktree add -q ../tree -b side');
      const stale = [
        'index.lock',
        'HEAD.lock',
        'config.lock',
        'packed-refs.lock',
        'shallow.lock',
        'refs/heads/a/b.lock',
        'objects/maintenance.lock',
        'worktrees/tree/index.lock',
      ].map((name) => aged(stage, `${folder}/.git/${name}`));
      aged(stage, `${folder}/.git/objects/tmp_pack_x.lock.tmp`);
      aged(stage, `${folder}/yarn.lock`);
      const young = stage.write(`${folder}/.git/refs/tags/new.lock`, '');
      const found = await locks(stage, folder, '--remove', '--yes');
      expect(verdicts(found)).toEqual({
        ...Object.fromEntries(stale.map((path) => [path, 'stale: no-git'])),
        [young]: 'unknown: young',
      });
      expect(
        found.locks
          .filter(({ removed }) => removed)
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual(stale.toSorted());
      for (const path of stale) expect({ path, isThere: stage.has(path) }).toEqual({ path, isThere: false });
      expect(stage.has(young)).toBe(true);
      expect(stage.has(`${folder}/yarn.lock`)).toBe(true);
      await gitIn(stage, folder, 'git commit -q --allow-empty -m second');
    }),
  );

  test(
    'are left alone where git lives there, in the folder, by an argument, by its environment, or as a link to it',
    scene(async (stage) => {
      const folder = await shop(stage);
      const path = aged(stage, `${folder}/.git/index.lock`);
      const alias = "-c alias.wait='!exec sleep 600' wait";
      const ways = [
        [folder, `exec git ${alias}`],
        ['/opt', `exec git -C ${folder} ${alias}`],
        ['/opt', `GIT_DIR=${folder}/.git exec git ${alias}`],
        ['/opt', `exec bash -c 'exec -a git perl -e "sleep 600" ${folder}/.git'`],
        [stage.home, `exec bash -c 'exec -a git-clone perl -e "sleep 600"'`],
      ] as const;
      for (const [cwd, script] of ways) {
        const pid = await inScene(stage, cwd, script);
        await stage.until('git runs', () => stage.row(pid)?.argv[0]?.startsWith('git'));
        const found = await locks(stage, folder, '--remove', '--yes');
        expect({ script, ...verdicts(found) }).toEqual({ script, [path]: 'held: git-at-work' });
        expect(found.locks[0]?.pids).toContain(pid);
        await stage.first.signal(pid, 'KILL');
        await stage.top.ended(pid);
      }
      const other = `${stage.home}/other`;
      await gitIn(stage, other, 'git init -q');
      const elsewhere = await inScene(stage, other, `exec git ${alias}`);
      await stage.until('git runs', () => stage.row(elsewhere)?.argv[0] === 'git');
      expect(verdicts(await locks(stage, folder))).toEqual({ [path]: 'stale: no-git' });
    }),
  );

  test(
    'are left alone while any process has the file open, also by another name of its folder',
    scene(async (stage) => {
      const folder = await shop(stage);
      const path = aged(stage, `${folder}/.git/index.lock`);
      const ready = '/tmp/ready';
      const script = `mkdir /opt/b && mount --bind ${folder} /opt/b && exec 3</opt/b/.git/index.lock && touch ${ready} && exec sleep 600`;
      const pid = await inScene(stage, '/opt', `exec unshare --mount sh -c '${script}'`);
      await stage.until('it holds the lock', () => stage.has(ready));
      const found = await locks(stage, folder, '--remove', '--yes');
      expect(verdicts(found)).toEqual({ [path]: 'held: open' });
      await stage.first.signal(pid, 'KILL');
      await stage.top.ended(pid);
      expect(verdicts(await locks(stage, folder))).toEqual({ [path]: 'stale: no-git' });
    }),
  );

  test(
    'of worktrees and servers: the process they name must have ended; without one they are left',
    scene(async (stage) => {
      const folder = await shop(stage);
      await gitIn(stage, folder, 'for n in a b c d; do git worktree add -q ../$n -b $n; done');
      const living = await inScene(stage, '/opt', `exec bash -c 'exec -a claude sleep 600'`);
      const server = await inScene(stage, '/opt', `exec bash -c 'exec -a node sleep 600'`);
      const reused = await inScene(stage, '/opt', 'exec sleep 600');
      const dead = await inScene(stage, '/opt', 'exec true');
      await stage.top.ended(dead);
      const reasons = {
        a: `claude agent agent-a176 (pid ${dead})`,
        b: `claude session x (pid ${living})`,
        c: 'do not touch',
        d: `claude agent agent-b (pid ${dead})`,
      };
      for (const [name, reason] of Object.entries(reasons))
        await gitIn(stage, folder, `git worktree lock --reason '${reason}' ../${name}`);
      const user = await inScene(stage, `${stage.home}/d`, 'exec sleep 601');
      const [next, nuxt] = [`${folder}/.next/dev/lock`, `${folder}/.nuxt/nuxt.lock`];
      const vercel = `${folder}/.vercel/dev.lock`;
      aged(stage, vercel, JSON.stringify({ pid: reused, port: 3002 }));
      aged(stage, next, JSON.stringify({ pid: dead, port: 3000 }));
      aged(stage, nuxt, JSON.stringify({ pid: server, port: 3001 }));
      const lock = (name: string): string => `${folder}/.git/worktrees/${name}/locked`;
      expect(verdicts(await locks(stage, folder))).toEqual({
        [lock('a')]: 'stale: holder-dead',
        [lock('b')]: 'held: holder-alive',
        [lock('c')]: 'held: by-hand',
        [lock('d')]: 'held: folder-in-use',
        [next]: 'stale: holder-dead',
        [nuxt]: 'held: holder-alive',
        [vercel]: 'stale: holder-dead',
      });
      await stage.first.signal(user, 'KILL');
      await stage.top.ended(user);
      expect(verdicts(await locks(stage, folder))[lock('d')]).toBe('stale: holder-dead');
      const run = await runCurfew(stage, ['locks', folder, '--remove']);
      expect(run.stderr).toContain('curfew locks --remove --yes');
      expect(stage.has(lock('a'))).toBe(true);
    }),
  );

  test(
    'that Curfew’s own KILL left are in the record, found without a folder named, and offered there',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await gitIn(stage, claude.project, 'git init -q -b main && git commit -q --allow-empty -m first');
      // Real git removes its locks on TERM; this one is as deaf as one that waits for a dead disk.
      const perl = '$SIG{TERM} = "IGNORE"; open F, ">", ".git/index.lock"; close F; sleep 777';
      stage.write('/tmp/deaf.sh', `exec -a git perl -e '${perl}'\n`);
      const call = await claude.bash('bash /tmp/deaf.sh');
      const path = `${claude.project}/.git/index.lock`;
      await stage.until('git holds its lock', () => stage.has(path));
      await claude.crash();
      const reaped = await runCurfew(stage, [
        'reap',
        '--json',
        '--job',
        await jobOf(stage, call.shell.pid),
        '--grace',
        '1s',
      ]);
      expect({ code: reaped.code, said: reaped.stderr }).toMatchObject({ code: 0 });
      expect(stage.has(path)).toBe(true);
      const found = await locks(stage, '--remove', '--yes');
      expect(verdicts(found)).toEqual({ [path]: 'stale: no-git' });
      const { incident } = found.locks[0] ?? { incident: null };
      const shown = await runCurfew(stage, ['history', incident ?? '']);
      expect(shown.stdout.replaceAll(/\s+/gu, ' ')).toContain(`It left the lock ${path}. \`curfew locks --remove\``);
      expect(shown.stdout.replaceAll(/\s+/gu, ' ')).toContain(`The lock ${path} was removed`);
      expect(stage.has(path)).toBe(false);
    }),
  );
});

describe.concurrent('curfew sweep', () => {
  test(
    'removes dead locks, and a free worktree that is named, by the same rules, and records each',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const { project } = claude;
      await gitIn(
        stage,
        project,
        'git init -q -b main && git commit -q --allow-empty -m first && for n in a b c; do git worktree add -q .claude/worktrees/$n -b $n; done; touch .claude/worktrees/c/mine',
      );
      const tree = (name: string): string => `${project}/.claude/worktrees/${name}`;
      const path = aged(stage, `${project}/.git/index.lock`);
      // It has been in these folders: known without a name.
      await claude.bash('sleep 900');
      const dry = await sweep(stage, '--dry-run');
      expect(dry.locks.map(({ state }) => state)).toEqual(['stale']);
      const keeps = Object.fromEntries(dry.worktrees.map((one) => [one.path, one.keeps.map(({ code }) => code)]));
      expect(keeps).toEqual({ [tree('a')]: ['young'], [tree('b')]: ['young'], [tree('c')]: ['untracked', 'young'] });
      expect([path, tree('a'), tree('b')].map((one) => stage.has(one))).toEqual([true, true, true]);

      const one = await sweep(stage, '--yes', tree('a'));
      expect(one.worktrees.map(({ path: at1, removed }) => [at1, removed])).toEqual([[tree('a'), true]]);
      expect([path, tree('a'), tree('b')].map((at1) => stage.has(at1))).toEqual([true, false, true]);

      const rest = await sweep(stage, '--yes');
      expect([path, tree('b'), tree('c')].map((at1) => stage.has(at1))).toEqual([false, true, true]);
      const stays = await sweep(stage, '--yes', tree('c'));
      expect(stays.worktrees.map(({ path: at1, removed }) => [at1, removed])).toEqual([[tree('c'), false]]);
      expect(rest.removals.map(({ kind, path: at1, by }) => [kind, at1, by])).toEqual([
        ['lock', path, 'command'],
        ['worktree', tree('a'), 'command'],
      ]);
      await runCurfew(stage, ['worktrees', tree('b'), '--remove', '--yes']);
      await gitIn(stage, project, 'git worktree add -q .claude/worktrees/b');
      const later = aged(stage, `${project}/.git/HEAD.lock`);
      await runCurfew(stage, ['locks', project, '--remove', '--yes']);
      const recorded = swept.pick({ removals: true }).parse(oneDocument(await runCurfew(stage, ['history', '--json'])));
      expect(recorded.removals.map(({ kind, path: at1 }) => [kind, at1])).toEqual([
        ['lock', later],
        ['worktree', tree('b')],
        ['lock', path],
        ['worktree', tree('a')],
      ]);
      const { stdout } = await runCurfew(stage, ['history']);
      expect(stdout.match(/ removed .*(?:HEAD|index)\.lock\n/gu)).toHaveLength(2);
      expect(stdout.match(/ removed .*worktrees\/[ab]\n/gu)).toHaveLength(2);
      await gitIn(stage, project, 'git rev-parse a b c && git commit -q --allow-empty -m second');
    }),
  );
});

const jobOf = async (stage: Scene, pid: number): Promise<string> => {
  const scanned = z
    .object({ jobs: z.array(z.object({ id: z.string(), members: z.array(z.object({ pid: z.number() })) })) })
    .parse(oneDocument(await runCurfew(stage, ['scan', '--json'])));
  const job = scanned.jobs.find(({ members }) => members.some((one) => one.pid === pid));
  if (job === undefined) throw new Error(`no job has process ${pid}`);
  return job.id;
};
