import { expect, test } from 'vitest';
import type { Actor } from '../scene/actor.ts';
import { sessionCostsSchema, type SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { FakeClaude } from '../scene/claude.ts';
import { oneDocument, runCurfew, scan } from '../scene/curfew.ts';
import { scene, type Scene } from '../scene/scene.ts';

const costs = async (stage: Scene): Promise<SessionCosts> =>
  sessionCostsSchema.parse(oneDocument(await runCurfew(stage, ['sessions', '--json'])));

/** A server as an agent starts one: private channels, the agent's kernel session. */
const server = async (
  actor: Actor,
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  channel: 'socket' | 'pipe' = 'socket',
): Promise<number> =>
  actor.start({ file: `/bin/${argv[0].split('/').at(-1)}`, argv, env, fds: { 0: channel, 1: channel, 2: channel } });

const settled = (stage: Scene, count: number): Promise<unknown> =>
  stage.until('all servers run', () => stage.table().filter(({ argv }) => argv[0]?.endsWith('sleep')).length === count);

test(
  'lists every session with its jobs, servers, duplicates, memory and processor time, the dearest first',
  scene(async (stage) => {
    const shop = await FakeClaude.start(stage, { project: `${stage.home}/shop` });
    const blog = await FakeClaude.start(stage, { project: `${stage.home}/blog` });
    await server(shop.actor, ['sh', '-c', 'sleep 4001; true'], shop.environment('harness'));
    await server(shop.actor, ['sleep', '4002'], shop.environment('harness'), 'pipe');
    await server(blog.actor, ['/bin/sleep', '4001'], blog.environment('harness'));
    // No server: a hook leads a session of its own, and this one reads from nothing.
    await shop.actor.start({
      file: '/bin/sleep',
      argv: ['sleep', '4003'],
      env: shop.environment('harness'),
      setsid: true,
      fds: { 0: 'socket' },
    });
    await shop.actor.start({
      file: '/bin/sleep',
      argv: ['sleep', '4004'],
      env: shop.environment('harness'),
      fds: { 0: stage.write('/tmp/scene/no-input', '') },
    });
    await shop.bash('sleep 4005');
    const big = `my $x = 'x' x 100_000_000; my @t; do { @t = times } while ($t[0] + $t[1] < 0.4); sleep 4006`;
    await blog.actor.start({
      file: '/usr/bin/perl',
      argv: ['perl', '-e', big],
      env: blog.environment('harness'),
      fds: { 0: 'pipe' },
    });
    await settled(stage, 6);
    const dead = await FakeClaude.start(stage, { project: `${stage.home}/dead` });
    await dead.bash('sleep 4007');
    await settled(stage, 7);
    await dead.crash();
    const document = await stage
      .until('perl has its memory', () => {
        const row = stage.table().find(({ argv }) => argv[0] === 'perl' && argv[1] === '-e');
        return row?.state === 'S' && Number(stage.read(`/proc/${row.pid}/statm`).split(' ')[1]) > 20_000 ? row : null;
      })
      .then(() => costs(stage));
    const of = (project: string) => document.sessions.find((one) => one.project === `${stage.home}/${project}`);
    expect(of('shop')).toMatchObject({
      agent: 'claude-code',
      agentName: 'Claude Code',
      pid: shop.actor.pid,
      id: shop.session,
      state: 'live',
      unreachable: null,
      jobs: 1,
      servers: 2,
      duplicates: 1,
    });
    expect(of('blog')).toMatchObject({ state: 'live', jobs: 0, servers: 2, duplicates: 1 });
    expect(of('dead')).toMatchObject({ state: 'gone', id: dead.session, jobs: 1, servers: 0 });
    expect(document.sessions[0]?.project).toBe(`${stage.home}/blog`);
    expect(of('blog')?.memory.measured).toBe('pss');
    expect(of('blog')?.memory.privateBytes).toBeGreaterThan(100_000_000);
    expect(of('blog')?.memory.bytes).toBeGreaterThanOrEqual(of('blog')?.memory.privateBytes ?? Infinity);
    expect(of('blog')?.memory.rssBytes).toBeGreaterThanOrEqual(of('blog')?.memory.bytes ?? Infinity);
    expect(of('blog')?.cpuSeconds).toBeGreaterThan(0.2);
    expect(document.duplicates).toMatchObject([{ command: 'sleep 4001', copies: 2, sessions: 2 }]);
    expect(document.totals).toMatchObject({
      sessions: { live: 2, gone: 1, unknown: 0, unreachable: 0 },
      jobs: 2,
      servers: 4,
      duplicates: 2,
    });
    const sum = document.sessions.reduce((total, { processes }) => total + processes, 0);
    expect(document.totals.processes).toBe(sum);
    const text = (await runCurfew(stage, ['sessions'])).stdout;
    expect(text).toMatch(/running +\S+ s? *Claude Code +\d+ +1 +2 +1 /u);
    expect(text).toContain('2 copies in 2 sessions');
  }),
);

test(
  'a server whose agent no longer holds its input is none of that session',
  scene(async (stage) => {
    const shop = await FakeClaude.start(stage);
    const pid = await server(shop.actor, ['sleep', '4002'], shop.environment('harness'));
    await settled(stage, 1);
    expect((await costs(stage)).sessions).toMatchObject([{ servers: 1 }]);
    await shop.actor.release();
    expect((await costs(stage)).sessions).toMatchObject([{ servers: 0 }]);
    expect(stage.row(pid)).not.toBeNull();
  }),
);

test(
  'without any agent it says so and ends well',
  scene(async (stage) => {
    const { code, stdout } = await runCurfew(stage, ['sessions']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No session of an agent was found.\n' });
    expect((await costs(stage)).sessions).toEqual([]);
  }),
);

test(
  'a scan says of every session what its servers take, and how many run one command',
  scene(async (stage) => {
    const shop = await FakeClaude.start(stage, { project: `${stage.home}/shop` });
    const blog = await FakeClaude.start(stage, { project: `${stage.home}/blog` });
    for (let copy = 0; copy < 3; copy++) await server(shop.actor, ['sleep', '4001'], shop.environment('harness'));
    await server(shop.actor, ['sleep', '4002'], shop.environment('harness'), 'pipe');
    await settled(stage, 4);
    const { sessions } = await scan(stage);
    const of = ({ actor }: FakeClaude) => sessions.find(({ pid }) => pid === actor.pid)?.['servers'];
    expect(of(shop)).toMatchObject({ count: 4, mostCopies: 3 });
    expect(of(blog)).toEqual({ count: 0, rssBytes: 0, mostCopies: 0 });
    const { stdout } = await runCurfew(stage, ['scan']);
    expect(stdout).toMatch(/Claude Code, process \d+, .*shop: 4 servers, ≤ .*, 3 copies of one command/u);
    expect(stdout).not.toMatch(/blog: 0 servers/u);
  }),
);
