import { describe, expect, test } from 'vitest';
import { history, jobWith, reap, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { pinned } from '../scene/outcome.ts';
import type { Identity } from '../scene/processes.ts';
import { scene } from '../scene/scene.ts';
import { ServingAgent } from '../scene/servers.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { besides, expectEnded, expectLeft, reapNow } from './expectations.ts';

describe.concurrent('a server without telling marks', () => {
  for (const style of ['codex', 'claude-2.0'] as const)
    for (const habit of ['deaf', 'wrapped'] as const)
      test(
        `of ${style} (${habit}) is ended where a look of an earlier Curfew saw it below its agent`,
        scene(async (stage) => {
          const innocents = await besides(stage, style);
          const agent = await ServingAgent.start(stage, style);
          const { pid } = await agent.serve(habit);
          const processes = agent.tree(pid);
          await scan(stage);
          await agent.crash();
          await expectEnded(stage, agent, processes, innocents);
        }),
      );

  test(
    'of codex is not seen where no look saw it below its agent',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      const { pid } = await agent.serve('wrapped');
      const processes = agent.tree(pid);
      await agent.crash();
      expect(await expectLeft(stage, processes)).toEqual([]);
    }),
  );

  test(
    'of codex is only shown, as probable, where its settings name the command and no look saw it',
    scene(async (stage) => {
      stage.write(
        `${stage.home}/.codex/config.toml`,
        `[mcp_servers.one]
command = "/usr/bin/python3"
args = [ '/tmp/scene/server.py', "wrapped" ]
[mcp_servers.far]
url = "https://example.org"
`,
      );
      const agent = await ServingAgent.start(stage, 'codex');
      const { pid } = await agent.serve('wrapped');
      const other = await agent.serve('deaf');
      const processes = agent.tree(pid);
      await agent.crash();
      expect(await expectLeft(stage, processes)).toContain('server-reported configured');
      expect(await expectLeft(stage, [other])).toEqual([]);
    }),
  );

  test(
    'of codex leaves its browser behind, which is ended too',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      const { pid } = await agent.serve('browser');
      const [, browser] = agent.tree(pid);
      await scan(stage);
      await stage.first.signal(pid, 'KILL');
      await agent.actor.ended(pid);
      await agent.crash();
      await expectEnded(stage, agent, browser === undefined ? [] : [browser], []);
    }),
  );

  test(
    'whose pid was given to a program of the user is not taken for it',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      const { pid } = await agent.serve('deaf');
      await scan(stage);
      await agent.crash();
      await stage.first.signal(pid, 'KILL');
      await stage.until('the server is gone', () => stage.row(pid) === null);
      const starter = await stage.actor({ argv: ['my-script'], setsid: true });
      const own = await starter.begin({
        file: '/usr/bin/python3',
        argv: ['python3', '/tmp/scene/server.py', 'deaf'],
        env: stage.userEnvironment(),
        fds: { 0: 'pipe', 1: 'pipe', 2: 'pipe' },
        pid,
      });
      await starter.exit();
      expect(own.pid).toBe(pid);
      expect(await expectLeft(stage, [own])).toEqual([]);
    }),
  );
});

test(
  'a watch ends what a killed session left, records it, and touches nothing of a living one',
  scene(async (stage) => {
    writeSettings(stage, { mode: 'enforce', orphanGraceSeconds: 0, scanIntervalSeconds: 1 });
    const watch = await startCurfew(stage, ['watch', '--json']);
    await afterLooks(stage, watch, 1);
    const innocents = [...(await besides(stage, 'codex')), ...(await besides(stage, 'claude'))];
    const agents = [await ServingAgent.start(stage, 'codex'), await ServingAgent.start(stage, 'claude')];
    const processes: Identity[] = [];
    for (const agent of agents) processes.push(...agent.tree((await agent.serve('wrapped')).pid));
    await afterLooks(stage, watch, 2);
    for (const agent of agents) await agent.crash();
    await stage.until('what they left is gone', () => processes.every((one) => !stage.lives(one)));
    await afterLooks(stage, watch, 3);
    await watch.signal('TERM');
    await watch.ended();
    expectUntouched(stage, innocents);
    const record = await history(stage);
    expect(new Set(record.map(({ decidedBy, agent }) => `${decidedBy}: ${agent}`))).toEqual(
      new Set(['rule: claude-code', 'rule: codex']),
    );
    expect(record.length).toBe(2);
  }),
);

test(
  'where the settings only show servers, nothing but a command that names them ends one',
  scene(async (stage) => {
    writeSettings(stage, { mode: 'enforce', sessionServers: 'show' });
    const agent = await ServingAgent.start(stage, 'claude');
    const { pid } = await agent.serve('wrapped');
    const processes = agent.tree(pid);
    await scan(stage);
    await agent.crash();
    const { verdict } = jobWith(await scan(stage), pid);
    expect(verdict).toMatchObject({ state: 'orphaned', action: 'none' });
    expect(verdict.reasons.map(({ code }) => code)).toContain('servers-shown');
    expect((await reapNow(stage)).incidents).toEqual([]);
    expect((await reapNow(stage, '--kind', 'task', '--kind', 'service')).incidents).toEqual([]);
    expectUntouched(
      stage,
      processes.map((one) => bystander(stage, 'a server that is shown', one.pid)),
    );
    expect((await reapNow(stage, '--kind', 'server')).incidents.map(({ survivors }) => survivors)).toEqual([[]]);
    expectGone(stage, processes);
  }),
);

test(
  'a reaping of one kind leaves the other kinds, and an unknown kind is refused',
  scene(async (stage) => {
    const agent = await ServingAgent.start(stage, 'claude');
    const server = await agent.serve('deaf');
    const claude = await FakeClaude.start(stage);
    const { shell } = await claude.bash('sleep 4321; true');
    const task = [shell, ...(await pinned(stage, 'sleep 4321'))];
    await scan(stage);
    await agent.crash();
    await claude.crash();
    const refused = await runCurfew(stage, ['reap', '--kind', 'servers']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('task, service, server');
    await reapNow(stage, '--kind', 'task');
    expectGone(stage, task);
    expect(stage.lives(server)).toBe(true);
    await reapNow(stage, '--kind', 'server');
    expectGone(stage, [server]);
  }),
);

test(
  'a server that is only shown can be ended by its id',
  scene(async (stage) => {
    const agent = await ServingAgent.start(stage, 'claude');
    const server = await agent.serve('listen');
    await agent.crash();
    const job = jobWith(await scan(stage, ['--all']), server.pid);
    expect(job.verdict.state).toBe('kept');
    const { incidents } = await reap(stage, ['--job', job.id, '--grace', '1s']);
    expect(incidents.map(({ survivors }) => survivors)).toEqual([[]]);
    expectGone(stage, [server]);
  }),
);
