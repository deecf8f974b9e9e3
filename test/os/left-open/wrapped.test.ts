import { describe, expect, test } from 'vitest';
import { history, jobWith, reap, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { marksOf, ServingAgent, type ServerStyle } from '../scene/servers.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { noEngine, podman, runs, setEngine, typed, unlessEngine } from './engine.ts';
import { endLeftOpen, leftOpenIn } from './left-open.ts';

/** What runs in a container, on the machine. */
const inside = async (stage: Scene, command: string): Promise<Identity> =>
  stage.identity((await stage.find(command, ({ argv }) => argv.join(' ') === `/busybox ${command}`)).pid);

interface Wrapped {
  readonly client: Identity;
  readonly inside: Identity;
}

/** A server that is a container: its agent speaks to `podman run -i`. */
const serve = async (stage: Scene, agent: ServingAgent, name: string, command: string): Promise<Wrapped> => {
  const { actor, style, session, project } = agent;
  const end = style === 'codex' || style === 'copilot' ? 'pipe' : 'socket';
  const more = ['--cgroups=disabled', '--network', 'none', '--name', name, 'boxy:latest', '/busybox'];
  const client = await actor.begin({
    file: '/usr/bin/podman',
    argv: ['podman', ...podman.split(' ').slice(1), 'run', '-i', '--rm', ...more, ...command.split(' ')],
    env: { ...stage.userEnvironment(), ...marksOf(style, actor.pid, session, project) },
    cwd: project,
    fds: { 0: end, 1: end, 2: end },
    ...(style === 'codex' ? { setpgid: true } : {}),
  });
  return { client, inside: await inside(stage, command) };
};

const expectStopped = async (stage: Scene, style: ServerStyle): Promise<void> => {
  writeSettings(stage, { orphanGraceSeconds: 0, noticeSeconds: 0, scanIntervalSeconds: 0.5, mode: 'enforce' });
  await setEngine(stage);
  const agent = await ServingAgent.start(stage, style);
  const other = await ServingAgent.start(stage, style);
  const left = await serve(stage, agent, 'mcp', 'sleep 4000');
  const living = await serve(stage, other, 'living', 'sleep 4001');
  await typed(stage, runs('mine', 'sleep 4002'));
  const innocents = [
    bystander(stage, 'the server of a living session', living.client.pid),
    bystander(stage, 'the container of a living session', living.inside.pid),
    bystander(stage, 'the container of the user', (await inside(stage, 'sleep 4002')).pid),
  ];
  // Codex clears the environment of its servers: the first look notes them.
  await scan(stage);
  const seen = jobWith(await scan(stage, ['--all']), left.client.pid);
  expect(seen).toMatchObject({ kind: 'server', container: { name: 'mcp', image: 'localhost/boxy:latest' } });
  expect(await leftOpenIn(stage)).toEqual([]);
  await agent.crash();
  const { stdout } = await runCurfew(stage, ['scan', '--all', '--explain']);
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('attached to container mcp, image localhost/boxy:latest');
  // The first process of a container ignores TERM, and podman waits for it: its client needs KILL.
  const { incidents } = await reap(stage, ['--max-age', '0s', '--grace', '1s']);
  expect(incidents.map(({ survivors }) => survivors)).toEqual([[]]);
  expectGone(stage, [left.client]);
  const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
  await afterLooks(stage, watch, 3);
  await watch.signal('TERM');
  await watch.ended();
  expectUntouched(stage, [...innocents, bystander(stage, 'the container that stays', left.inside.pid)]);
  const found = await leftOpenIn(stage);
  expect(found).toMatchObject([
    { keeper: 'podman', openedBy: 'server', name: 'mcp', image: 'localhost/boxy:latest', owner: 'gone', canEnd: true },
  ]);
  expect((await endLeftOpen(stage, found[0]?.id ?? '')).code).toBe(0);
  expectGone(stage, [left.inside]);
  expectUntouched(stage, innocents);
  expect(await history(stage)).toMatchObject([
    { outcome: 'reaped', rule: 'left-open-podman', signals: [] },
    { outcome: 'killed' },
  ]);
};

describe.skipIf(noEngine).concurrent(`a container behind a server of a session${unlessEngine}`, () => {
  for (const style of ['claude', 'codex'] as const)
    test(
      `is named on the server, stays when that is ended, and is stopped by the user through its engine (${style})`,
      scene(async (stage) => expectStopped(stage, style)),
    );

  test(
    'is left to a client that is attached to it again, and is told of under a session that goes on',
    scene(async (stage) => {
      await setEngine(stage);
      const agent = await ServingAgent.start(stage, 'claude');
      const { client, inside: process } = await serve(stage, agent, 'mcp', 'sleep 4000');
      await scan(stage);
      await stage.first.signal(client.pid, 'KILL');
      await agent.actor.ended(client.pid);
      expect(await leftOpenIn(stage)).toMatchObject([{ name: 'mcp', owner: 'live', canEnd: true }]);
      const again = await stage.top.begin({
        file: '/usr/bin/podman',
        argv: ['podman', ...podman.split(' ').slice(1), 'attach', 'mcp'],
        env: stage.userEnvironment(),
        cwd: stage.home,
        setsid: true,
        fds: { 0: 'pipe', 1: 'pipe', 2: 'pipe' },
      });
      let [now] = await leftOpenIn(stage);
      for (let turn = 0; turn < 20 && now?.canEnd === true; turn++) [now] = await leftOpenIn(stage);
      expect(now).toMatchObject({ canEnd: false, refusalCode: 'attached' });
      expect((await endLeftOpen(stage, now?.id ?? '')).code).toBe(1);
      expectUntouched(stage, [
        bystander(stage, 'the container', process.pid),
        bystander(stage, 'the client of the user', again.pid),
      ]);
    }),
  );

  test(
    'is not told of where no look saw its server: it may be the user’s',
    scene(async (stage) => {
      await setEngine(stage);
      const agent = await ServingAgent.start(stage, 'claude');
      const { client, inside: process } = await serve(stage, agent, 'mcp', 'sleep 4000');
      await agent.crash();
      await stage.first.signal(client.pid, 'KILL');
      await stage.until('its client is gone', () => !stage.lives(client));
      expect(await leftOpenIn(stage)).toEqual([]);
      expectUntouched(stage, [bystander(stage, 'the container', process.pid)]);
    }),
  );
});
