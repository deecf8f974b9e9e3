import { describe, expect, test } from 'vitest';
import { jobWith, reap, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';
import { detach, marksOf, ServingAgent } from '../scene/servers.ts';
import { reapNow } from './expectations.ts';
import { watchedWithoutClient } from './free-time.ts';
import { pinned } from '../scene/outcome.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

/** How a hook, a plugin or a server lets a helper go. */
const shapes = {
  setsid: 'setsid sleep 4001 </dev/null >/tmp/log-1 2>&1 &',
  'double fork': '( ( setsid sleep 4002 </dev/null >/tmp/log-2 2>&1 & ) & )',
  'nohup and disown': 'nohup sleep 4003 </dev/null >/tmp/log-3 2>&1 & disown',
} as const;

describe.concurrent('a helper that a hook detached', () => {
  for (const [name, script] of Object.entries(shapes))
    test(
      `${name}: is listed with its reason while its session lives and after it, and is ended by no pass`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        await claude.actor.start({
          file: '/bin/bash',
          argv: ['bash', '-c', script],
          env: claude.environment('harness'),
          cwd: claude.project,
          setsid: true,
          fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
        });
        const helper = await stage.find('the helper', ({ argv }) => /^sleep 400\d$/u.test(argv.join(' ')));
        await stage.until('its hook has ended', () => stage.row(helper.pid)?.ppid === stage.top.pid);
        const innocent = bystander(stage, 'the helper', helper.pid);
        const jobOf = async (words: readonly string[]) =>
          (await scan(stage, words)).jobs.find(({ members }) => members.some(({ pid }) => pid === helper.pid));
        expect(await jobOf([])).toBeUndefined();
        expect(await jobOf(['--all'])).toMatchObject({ kind: 'server', verdict: { action: 'none' } });
        await claude.crash();
        const left = await jobOf(['--all']);
        expect(left).toMatchObject({ verdict: { action: 'none' } });
        expect(left?.verdict.reasons.map(({ text }) => text).join('\n')).toContain('detached itself');
        expect((await reapNow(stage)).incidents).toEqual([]);
        expectUntouched(stage, [innocent]);
      }),
    );

  test(
    'is offered to the user once none was seen to use it for two hours, and not while one does',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
      const unused = await detach(stage, agent, 'stay');
      const used = await detach(stage, agent, 'listen');
      const client = await stage.top.begin({
        file: '/usr/bin/python3',
        argv: ['python3', '/tmp/scene/server.py', 'client'],
        env: stage.userEnvironment(),
        cwd: stage.home,
        setsid: true,
        fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
      });
      // Only a session that was seen alive can be seen to have ended.
      await scan(stage);
      await agent.crash();
      const found = async (...words: readonly string[]) => {
        const { jobs } = await scan(stage, words);
        return (pid: number) => jobs.find(({ members }) => members.some((one) => one.pid === pid));
      };
      const codesOf = (job: ReturnType<Awaited<ReturnType<typeof found>>>) =>
        job?.verdict.reasons.map(({ code }) => code) ?? [];
      const young = (await found('--all'))(unused.pid);
      expect(young).toMatchObject({ kind: 'server', owner: 'gone', verdict: { state: 'kept', action: 'none' } });
      await watchedWithoutClient(stage);
      const listed = await found();
      const offered = listed(unused.pid);
      expect(offered).toMatchObject({ verdict: { state: 'probable', action: 'none' } });
      expect(codesOf(offered)).toContain('server-detached');
      expect(listed(used.pid)).toBeUndefined();
      expect(codesOf((await found('--all'))(used.pid))).toContain('in-use');
      await stage.first.signal(client.pid, 'KILL');
      await stage.until('its client has ended', () => !stage.lives(client));
      // Its time without a client begins now.
      expect((await found('--all'))(used.pid)).toMatchObject({ verdict: { state: 'kept' } });
      const innocents = [bystander(stage, 'the helper that was in use', used.pid)];
      expect((await reapNow(stage, '--probable', '--yes')).incidents).toEqual([]);
      const done = await reap(stage, ['--job', offered?.id ?? 'none', '--grace', '1s']);
      expect(done.incidents).toMatchObject([{ decidedBy: 'command' }]);
      expectGone(stage, [unused]);
      expectUntouched(stage, innocents);
    }),
  );

  for (const style of ['opencode', 'pi', 'gemini'] as const)
    test(
      `in a plugin inside of ${style}, whose servers and commands carry one mark, is ended by no pass; a command is`,
      scene(async (stage) => {
        const agent = await ServingAgent.start(stage, style);
        const begin = async (seconds: number, output: 'socket' | '/dev/null') =>
          agent.actor.begin({
            file: '/bin/sleep',
            argv: ['sleep', String(seconds)],
            env: { ...stage.userEnvironment(), ...marksOf(style, agent.actor.pid, agent.session, agent.project) },
            cwd: agent.project,
            setsid: true,
            fds: { 0: '/dev/null', 1: output, 2: output },
          });
        const helper = await begin(4011, '/dev/null');
        // What becomes its one command: sh -c 'sleep 4012 2>&1'.
        const command = await begin(4012, 'socket');
        const look = await scan(stage, ['--all']);
        expect([helper, command].map(({ pid }) => jobWith(look, pid).proof)).toEqual(['claimed', 'look']);
        const innocent = bystander(stage, 'the helper', helper.pid);
        await agent.crash();
        await reapNow(stage);
        await reapNow(stage, '--probable', '--yes');
        expectGone(stage, [command]);
        expectUntouched(stage, [innocent]);
      }),
    );

  test(
    'by a starter of such a plugin is no call that glances saw; what a shell with a command left is one',
    scene(async (stage) => {
      writeSettings(stage, { scanIntervalSeconds: 30, mode: 'observe' });
      const agent = await ServingAgent.start(stage, 'opencode');
      const watch = await startCurfew(stage, ['watch', '--json']);
      await afterLooks(stage, watch, 1);
      const begin = async (argv: readonly string[]) => {
        const { pid } = await agent.actor.begin({
          file: argv[0] === 'bash' ? '/bin/bash' : '/usr/bin/perl',
          argv,
          env: { ...stage.userEnvironment(), ...marksOf('opencode', agent.actor.pid, agent.session, agent.project) },
          cwd: agent.project,
          setsid: true,
          fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
        });
        await agent.actor.ended(pid);
      };
      const starter = (seconds: number): string => `if (!fork) { exec "sleep", "${seconds}" } sleep 1`;
      await begin(['hub', '-e', starter(4021)]);
      await begin(['bash', '-c', `perl -e '${starter(4022)}'; true`]);
      const [helper, left] = await pinned(stage, 'sleep 4021', 'sleep 4022');
      await agent.crash();
      await afterLooks(stage, watch, 1);
      const look = await scan(stage, ['--all']);
      await watch.signal('TERM');
      await watch.ended();
      expect([helper, left].map((one) => jobWith(look, one?.pid ?? 0).proof)).toEqual(['claimed', 'look']);
    }),
  );
});
