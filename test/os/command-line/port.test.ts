import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { type Scene, scene } from '../scene/scene.ts';

const view = z.looseObject({
  inUse: z.boolean().nullable(),
  holders: z.array(
    z.looseObject({
      pid: z.int(),
      folder: z.string().nullable(),
      folderDeleted: z.boolean(),
      worktree: z.object({ folder: z.string(), branch: z.string().nullable(), linked: z.boolean() }).nullable(),
      again: z.string().nullable(),
      job: z.looseObject({ id: z.string(), agent: z.string() }).nullable(),
    }),
  ),
  locks: z.array(z.looseObject({ path: z.string(), pid: z.int().nullable(), state: z.string() })),
  clients: z.array(z.object({ from: z.string().nullable(), pid: z.int().nullable(), name: z.string().nullable() })),
});

const portOf = async (stage: Scene, port: number): Promise<z.infer<typeof view>> => {
  const { code, stdout } = await runCurfew(stage, ['port', String(port), '--json']);
  expect(code).toBe(0);
  return view.parse(JSON.parse(stdout));
};

/** A server that a session has started as a tool call. */
const serverOf = async (stage: Scene, claude: FakeClaude, port: number, cwd = claude.project) => {
  const server = await stage.actor({
    argv: ['node', 'server.js'],
    cwd,
    parent: claude.actor,
    env: claude.environment(),
    setsid: true,
  });
  await server.listen(port);
  return server;
};

describe.concurrent('curfew port', () => {
  test(
    'names the process, its job, its worktree and branch, who is connected, and how to start it again',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const tree = `${stage.home}/fix`;
      const git = `${claude.project}/.git/worktrees/fix`;
      stage.write(`${tree}/.git`, `gitdir: ${git}\n`);
      stage.write(`${git}/HEAD`, 'ref: refs/heads/fix/login\n');
      stage.write(`${git}/commondir`, '../..\n');
      stage.write(`${git}/gitdir`, `${tree}/.git\n`);
      stage.write(`${claude.project}/.git/HEAD`, 'ref: refs/heads/main\n');
      stage.folder(`${claude.project}/.git/objects`);
      const server = await serverOf(stage, claude, 3000, tree);
      const [held, left] = [`${tree}/.next/dev/lock`, `${tree}/.nuxt/nuxt.lock`];
      stage.write(held, JSON.stringify({ pid: server.pid, port: 3000 }));
      stage.write(left, JSON.stringify({ pid: 4_000_000, port: 3000 }));
      const client = await stage.top.begin({
        file: '/usr/bin/perl',
        argv: ['perl', '-MIO::Socket::INET', '-e', 'my $s = IO::Socket::INET->new("127.0.0.1:3000") // die; sleep 600'],
        cwd: stage.home,
        env: {},
      });
      await stage.until('it is connected', async () => (await portOf(stage, 3000)).clients.length > 0);
      const found = await portOf(stage, 3000);
      expect(found).toMatchObject({
        inUse: true,
        holders: [
          {
            pid: server.pid,
            folder: tree,
            worktree: { folder: tree, branch: 'fix/login', linked: true },
            job: { agent: 'claude-code' },
          },
        ],
        clients: [{ pid: client.pid, name: 'perl' }],
        locks: [
          { path: held, pid: server.pid, state: 'held' },
          { path: left, pid: 4_000_000 },
        ],
      });
      expect(found.holders[0]?.again).toContain('node server.js');
      const { stdout } = await runCurfew(stage, ['port', '3000']);
      expect(stdout).toContain('branch fix/login in a worktree of its own');
      expect(stdout).toContain('curfew port 3000 --end');
      expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
        `lock ${held}, held: the process that it names runs: process ${server.pid}`,
      );
    }),
  );

  test(
    '--end ends its job and no other, and what is the user’s own is left alone and named',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const server = await serverOf(stage, claude, 3000);
      const other = await serverOf(stage, claude, 3100);
      const users = await stage.actor({ argv: ['node', 'mine.js'], cwd: stage.home, setsid: true });
      await users.listen(4000);
      const serving = stage.identity(server.pid);
      const innocents = [
        bystander(stage, 'the agent', claude.identity.pid),
        bystander(stage, 'another job', other.pid),
        bystander(stage, 'the user’s own server', users.pid),
      ];
      const refused = await runCurfew(stage, ['port', '4000', '--end']);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/node \(process \d+\) is no job of an agent/u);
      const ended = await runCurfew(stage, ['port', '3000', '--end', '--free']);
      expect(ended.code).toBe(0);
      expect(stage.lives(serving)).toBe(false);
      expect((await portOf(stage, 3000)).inUse).toBe(false);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'takes no process of another network for its holder, and runs nothing that stands in an argument',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const listens =
        'my $s = IO::Socket::INET->new(LocalPort => 3000, Listen => 1) // die; open my $f, ">", "up"; sleep 600';
      await claude.bash(`unshare --user --net perl -MIO::Socket::INET -e '${listens}'`);
      await stage.until('it listens in its own network', () => stage.has(`${claude.project}/up`));
      expect(await portOf(stage, 3000)).toMatchObject({ inUse: false, holders: [] });
      const users = await stage.actor({ argv: ['node', 'a b', '$(touch x); `id` &', "it's"], cwd: stage.home });
      await users.listen(3000);
      const { holders } = await portOf(stage, 3000);
      expect(holders.map(({ pid }) => pid)).toEqual([users.pid]);
      expect(holders[0]?.again).toContain(`node 'a b' '$(touch x); \`id\` &' 'it'\\''s'`);
    }),
  );

  test(
    '--free waits until the port is free, and says so when it is not in time',
    scene(async (stage) => {
      const users = await stage.actor({ argv: ['node', 'mine.js'], cwd: stage.home, setsid: true });
      await users.listen(4000);
      const late = await runCurfew(stage, ['port', '4000', '--free', '--timeout', '1s']);
      expect(late).toMatchObject({ code: 1, stdout: '' });
      expect(late.stderr).toContain('still taken after 1 s');
      expect(await runCurfew(stage, ['port', '4001', '--free'])).toMatchObject({ code: 0, stdout: '' });
      expect(await runCurfew(stage, ['port', 'x'])).toMatchObject({ code: 2 });
      expect(await runCurfew(stage, ['port', '65536'])).toMatchObject({ code: 2 });
    }),
  );
});

describe.concurrent('curfew wait', () => {
  test(
    'ends with the job, and says how Curfew ended it',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const first = await claude.bash('sleep 3701 | cat');
      const second = await claude.bash('sleep 3702 | cat');
      const look = await scan(stage);
      const [one, two] = [jobWith(look, first.shell.pid).id, jobWith(look, second.shell.pid).id];
      const late = await runCurfew(stage, ['wait', one, '--timeout', '1s']);
      expect(late.code).toBe(1);
      expect(late.stdout).toContain(`${one} still runs`);
      const waiting = await startCurfew(stage, ['wait', one, two, '--json']);
      await claude.actor.signal(first.shell.pid, 'KILL');
      expect((await runCurfew(stage, ['reap', '--job', two])).code).toBe(0);
      // Of the first the shell alone has ended: what it started goes on.
      expect(waiting.stdout()).toBe('');
      expect((await runCurfew(stage, ['reap', '--job', one])).code).toBe(0);
      const { code, stdout } = await waiting.ended();
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        schema: 1,
        jobs: [
          { job: one, ended: true, outcome: 'reaped' },
          { job: two, ended: true, outcome: 'reaped' },
        ],
      });
    }),
  );

  test(
    'tells the status of a command that Curfew started, and refuses what is no job',
    scene(async (stage) => {
      const gate = `${stage.home}/gate`;
      // Nothing shows from outside that the job was looked at: it goes on for that long.
      const waits = `until [ -e ${gate} ]; do sleep 0.1; done; sleep 5; exit 7`;
      const started = await runCurfew(stage, ['run', '--background', '--', 'sh', '-c', waits]);
      expect(started.code).toBe(0);
      const { jobs } = await scan(stage, ['--all']);
      const waiting = await startCurfew(stage, ['wait', jobs[0]?.id ?? '', '--json']);
      stage.write(gate, '');
      const { code, stdout } = await waiting.ended();
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ jobs: [{ ended: true, exitCode: 7 }] });
      expect((await runCurfew(stage, ['wait', 'nonsense'])).code).toBe(2);
    }),
  );
});
