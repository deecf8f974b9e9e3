import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jobWith, scan } from '../scene/curfew.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';
import { type Habit, ServingAgent, type ServerOptions } from '../scene/servers.ts';
import { besides, expectEnded, expectLeft, reapNow } from './expectations.ts';

const styles = ['claude', 'claude-2.1.197', 'copilot', 'gemini', 'opencode'] as const;

describe.concurrent('a server that a look saw, and whose session was killed, is ended', () => {
  for (const style of styles)
    for (const habit of ['deaf', 'wrapped'] as const)
      test(
        `${style}: ${habit === 'deaf' ? 'started directly' : 'behind a shell'}`,
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

  for (const [what, habit] of [
    ['one that ignores TERM', 'stubborn'],
    ['one that reads the end for ever', 'spin'],
    ['one whose threads wake each other', 'wakes'],
    ['one with a headless browser in a session of its own', 'browser'],
    ['one with a helper in a session of its own', 'talker'],
  ] as const)
    test(
      `killed: ${what}`,
      scene(async (stage) => {
        const innocents = await besides(stage, 'claude');
        const agent = await ServingAgent.start(stage, 'claude');
        const { pid } = await agent.serve(habit);
        const processes = agent.tree(pid);
        expect(processes.length).toBe(habit === 'browser' || habit === 'talker' ? 2 : 1);
        await scan(stage);
        await agent.crash();
        await expectEnded(stage, agent, processes, innocents);
      }),
    );

  test(
    'a headless browser whose server has ended',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
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
    'one whose agent ended by itself and told it nothing',
    scene(async (stage) => {
      const innocents = await besides(stage, 'claude');
      const agent = await ServingAgent.start(stage, 'claude');
      const { pid } = await agent.serve('wrapped');
      const processes = agent.tree(pid);
      await scan(stage);
      await agent.leave();
      await expectEnded(stage, agent, processes, innocents);
    }),
  );

  test(
    'one of which only the wrapper was ended',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
      const { pid } = await agent.serve('wrapped');
      const processes = agent.tree(pid).slice(1);
      await scan(stage);
      await stage.first.signal(pid, 'KILL');
      await agent.actor.ended(pid);
      await agent.crash();
      await expectEnded(stage, agent, processes, []);
    }),
  );

  test(
    'one whose agent gave its pid to a younger process',
    scene(async (stage) => {
      const launcher = await stage.actor({ argv: ['launcher'], setsid: true });
      const agent = await ServingAgent.start(stage, 'opencode', { parent: launcher });
      const { pid } = agent.actor;
      const server = await agent.serve('deaf');
      await scan(stage);
      await agent.crash();
      await launcher.exit();
      await stage.until('the launcher is gone', () => stage.row(launcher.pid) === null);
      const younger = await stage.actor({ argv: ['younger'], setsid: true, pid });
      expect(younger.pid).toBe(pid);
      await expectEnded(stage, agent, [server], [bystander(stage, 'the younger process', pid)]);
    }),
  );
});

describe.concurrent('a server that no look saw below its agent is probable', () => {
  for (const style of styles)
    test(
      `of ${style}: no pass ends it`,
      scene(async (stage) => {
        const agent = await ServingAgent.start(stage, style);
        const { pid } = await agent.serve('wrapped');
        const processes = agent.tree(pid);
        await agent.crash();
        const { kind, verdict } = jobWith(await scan(stage), pid);
        expect({ kind, state: verdict.state, action: verdict.action }).toEqual({
          kind: 'server',
          state: 'probable',
          action: 'none',
        });
        const innocents = processes.map((one) => bystander(stage, 'what no look saw', one.pid));
        expect((await reapNow(stage)).incidents).toEqual([]);
        expectUntouched(stage, innocents);
      }),
    );
});

describe.concurrent('a server of a dead session is only shown', () => {
  const shown: readonly (readonly [string, Habit, string, ServerOptions?])[] = [
    ['that works', 'work', 'server-reported works'],
    ['that listens on a socket', 'listen', 'server-reported listens'],
    ['that listens on a port', 'port', 'server-reported listens'],
    ['that made a session of its own', 'sloppy', 'server-reported own-session'],
    ['that is a hook', 'deaf', 'server-reported harness', { hook: true }],
    ['that is a command in the background without an input', 'left', 'server-reported no-channel'],
    ['that drives a browser with a window', 'headed', 'server-reported connected'],
  ];
  for (const [what, habit, reason, options] of shown)
    test(
      `one ${what}`,
      scene(async (stage) => {
        const agent = await ServingAgent.start(stage, 'claude');
        const { pid } = await agent.serve(habit, options);
        const left = habit === 'left' || habit === 'sloppy';
        const stays = left ? await stage.find('what it left', ({ argv }) => argv.at(-1) === 'stay') : null;
        const processes = stays === null ? agent.tree(pid) : agent.tree(stays.pid);
        await agent.crash();
        expect(await expectLeft(stage, processes)).toContain(reason);
      }),
    );

  test(
    'of Claude Code 2.0, whose mark says too little',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude-2.0');
      const server = await agent.serve('deaf');
      await agent.crash();
      expect(await expectLeft(stage, [server])).toContain('server-reported weak-mark');
    }),
  );

  test(
    'whose input a third process holds',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'copilot');
      const server = await agent.serve('deaf');
      const link = (pid: number, fd: string): string => readlinkSync(`${stage.proc}/${pid}/fd/${fd}`);
      const { pid } = agent.actor;
      const input = link(server.pid, '0');
      const end = readdirSync(`${stage.proc}/${pid}/fd`).find((fd) => link(pid, fd) === input);
      await stage.top.begin({
        file: '/bin/sh',
        argv: ['sh', '-c', `exec 7>/proc/${pid}/fd/${end}; touch /tmp/held; exec sleep 3600`],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('the end is held', () => stage.has('/tmp/held'));
      await agent.crash();
      expect(await expectLeft(stage, [server])).toContain('server-reported ends-open');
    }),
  );
});

describe.concurrent('left alone', () => {
  for (const [style, shownAs] of [
    ...styles.map((one) => [one, ['server-of-session']] as const),
    // Nothing tells them from other programs below the agent before a second look.
    ['codex', []],
    ['claude-2.0', []],
  ] as const)
    test(
      `the servers of a living session of ${style}`,
      scene(async (stage) => {
        const agent = await ServingAgent.start(stage, style);
        const trees = [await agent.serve('deaf'), await agent.serve('wrapped')].flatMap(({ pid }) => agent.tree(pid));
        const left = await expectLeft(stage, trees);
        expect(left).toEqual(expect.arrayContaining([...shownAs]));
      }),
    );

  test(
    'a server to which another client is connected',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
      const server = await agent.serve('listen');
      const client = await stage.top.start({
        file: '/usr/bin/python3',
        argv: ['python3', '/tmp/scene/server.py', 'client'],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await agent.crash();
      await expectLeft(stage, [server, stage.identity(client)]);
    }),
  );

  test(
    'a daemon that a server detached, which goes on when the server is ended',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
      const server = await agent.serve('detach');
      const daemon = await stage.find('the daemon', ({ argv }) => argv.at(-1) === 'stay');
      await scan(stage);
      await agent.crash();
      await expectEnded(stage, agent, [server], [bystander(stage, 'the daemon', daemon.pid)]);
    }),
  );

  test(
    'a server with CURFEW_KEEP=1',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
      const server = await agent.serve('deaf', { env: { CURFEW_KEEP: '1' } });
      await agent.crash();
      expect(await expectLeft(stage, [server])).toContain('vetoed keep-marker');
    }),
  );

  test(
    'servers of the user: one that listens, and one with pipes whose starter has ended',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
      await agent.crash();
      const env = stage.userEnvironment();
      const starter = await stage.actor({ argv: ['my-script'], setsid: true });
      const argv = ['python3', '/tmp/scene/server.py'] as const;
      const piped = await starter.begin({
        file: '/usr/bin/python3',
        argv: [...argv, 'deaf'],
        env,
        fds: { 0: 'pipe', 1: 'pipe', 2: 'pipe' },
      });
      const http = await stage.top.begin({ file: '/usr/bin/python3', argv: [...argv, 'port'], env, setsid: true });
      await starter.exit();
      await expectLeft(stage, [piped, http]);
    }),
  );
});
