import { describe, expect, test } from 'vitest';
import { jobWith, lookBefore, patient, reapOrphans, scan } from '../scene/curfew.ts';
import { bystander, expectGone, innocent } from '../scene/innocents.ts';
import { expectAllReaped, expectReaped, livingSession, pinned } from '../scene/outcome.ts';
import { codex, copilot, cursor, gemini, mux, opencode } from '../scene/other-agents.ts';
import { preambleOf } from '../scene/habits.ts';
import { type SceneOptions, scene } from '../scene/scene.ts';

const adopters: readonly SceneOptions[] = [{ adopter: 'init' }, { adopter: 'subreaper' }];

describe.concurrent('T28: leftovers of the other agents', () => {
  for (const [agentName, start] of Object.entries({ codex, copilot, gemini, opencode })) {
    for (const options of adopters) {
      test(
        `${agentName}: the shells of a killed agent are orphans (adopted by ${options.adopter})`,
        scene(async (stage) => {
          const innocents = await livingSession(stage);
          const agent = await start(stage);
          const command = 'sleep 3600; true';
          const shell = await agent.shell(command);
          const processes = await stage.until('the whole tree', () => {
            const rows = stage.table().filter((row) => row.sid === shell.pid);
            return rows.some((row) => row.argv[0] === 'sleep') && rows.map((row) => stage.identity(row.pid));
          });
          await lookBefore(stage);
          await agent.crash();
          const { session, project } = agent;
          await expectReaped(stage, { processes, agent: agentName, session, project, command }, innocents);
        }, options),
      );
    }
  }

  for (const [how, deaf, outcome, options] of [
    ['that hears TERM leaves its exit code itself', '', 'reaped', patient],
    ['that is deaf gets 137 for its exit code', "trap '' TERM; ", 'killed', {}],
  ] as const) {
    test(
      `mux: a shell of a mux that was seen and has ended is an orphan; one ${how}`,
      scene(async (stage) => {
        const agent = await mux(stage);
        const command = `${deaf}sleep 3600; true`;
        const shell = await agent.shell(command);
        const processes = [shell, ...(await pinned(stage, 'sleep 3600'))];
        await scan(stage);
        await agent.crash();
        const { project } = agent;
        const leftover = { processes, agent: 'mux', session: null, project, command };
        const { incident } = await expectReaped(stage, leftover, [], options);
        expect(incident.outcome).toBe(outcome);
        expect(stage.read(`${agent.folder()}/exit_code`)).toMatch(deaf === '' ? /^\d+\n$/ : /^137\b/);
      }),
    );
  }

  test(
    'mux: background processes get the name and script that mux shows, even after their shell has ended; its exit code stays',
    scene(async (stage) => {
      const agent = await mux(stage);
      const command = 'sleep 3600; true';
      const shell = await agent.shell(command, 'Dev\u001b[31m Server\n');
      const job = jobWith(await scan(stage), shell.pid);
      expect(job).toMatchObject({
        agent: 'mux',
        name: 'Dev [31m Server',
        command,
        output: `${agent.folder()}/output.log`,
      });
      expect(job.owner).not.toBe('gone');
      const left = "{ (trap '' TERM; exec sleep 3601) & sleep 1; exit 5; }";
      await agent.shell(left, 'Left behind');
      const [sleeper] = await pinned(stage, 'sleep 3601');
      await stage.until('the shell has ended', () => stage.has(`${agent.folder()}/exit_code`));
      expect(jobWith(await scan(stage), sleeper?.pid ?? 0)).toMatchObject({ name: 'Left behind', command: left });
      await agent.crash();
      const processes = [shell, ...(await pinned(stage, 'sleep 3600')), ...(sleeper === undefined ? [] : [sleeper])];
      const { incidents } = await reapOrphans(stage, { grace: '15s' });
      expect(new Map(incidents.map(({ command: one, outcome }) => [one, outcome]))).toEqual(
        new Map([
          [left, 'killed'],
          [command, 'reaped'],
        ]),
      );
      expectGone(stage, processes);
      expect(stage.read(`${agent.folder()}/exit_code`)).toBe('5\n');
    }),
  );

  test(
    'Cursor: a shell with its own group but without its own session is found',
    scene(async (stage) => {
      const agent = await cursor(stage);
      const shell = await agent.shell('sleep 3600; true');
      expect(jobWith(await scan(stage), shell.pid)).toMatchObject({ agent: 'cursor', project: agent.project });
      await agent.crash();
      expect(jobWith(await scan(stage), shell.pid).owner).not.toBe('live');
    }),
  );

  test(
    'aider: a plain child without markers is known from a scan during aider’s life; aider’s own group is not part of the job',
    scene(async (stage) => {
      const project = `${stage.home}/shop`;
      const terminal = await stage.actor({ argv: ['bash'], setsid: true });
      const aider = await stage.actor({
        argv: ['python3', '/usr/local/bin/aider'],
        cwd: project,
        parent: terminal,
        setpgid: true,
      });
      const beside = await innocent(stage, {
        argv: ['node', 'mine.js'],
        cwd: project,
        parent: terminal,
        setpgid: true,
      });
      const env = stage.userEnvironment();
      const argv = ['/bin/sh', '-c', 'sleep 3600; true'];
      const shell = stage.identity(await aider.start({ file: '/bin/sh', argv, env, cwd: project, fds: { 1: 'pipe' } }));
      const processes = [shell, ...(await pinned(stage, 'sleep 3600'))];
      expect(jobWith(await scan(stage), shell.pid)).toMatchObject({ agent: 'aider', owner: 'live', project });
      await stage.first.signal(aider.pid, 'KILL');
      await stage.until('aider is gone', () => stage.row(aider.pid) === null);
      const facts = { agent: 'aider', session: null, project, command: 'sleep 3600; true' };
      await expectReaped(stage, { ...facts, processes }, [beside, bystander(stage, 'the terminal', terminal.pid)]);
    }),
  );

  test(
    'T27: heredoc interpreters and servers of a dead Codex, whose own shells have ended',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const agent = await codex(stage);
      stage.program('/tmp/scene/path/python');
      stage.script('/tmp/serve.py', preambleOf({ port: 8765 }), 'resident.pl');
      const shell = await agent.shell('python /tmp/serve.py & python /tmp/serve.py & (sleep 3600 &) ; true');
      await agent.actor.ended(shell.pid);
      // Only one of them gets the port; the other ends by itself.
      await stage.until(
        'one serves',
        () => stage.table().filter((row) => row.argv.join(' ') === 'python /tmp/serve.py').length === 1,
      );
      const processes = await pinned(stage, 'python /tmp/serve.py', 'sleep 3600');
      await agent.crash();
      await expectAllReaped(stage, processes, innocents, { probable: true });
    }),
  );

  test(
    'Copilot: a detached shell whose lease does not say keep is an orphan when its agent was killed',
    scene(async (stage) => {
      const agent = await copilot(stage);
      const supervisor = await agent.detached('sleep 3600', 'active');
      const [command] = await pinned(stage, 'sleep 3600');
      const look = await scan(stage);
      expect(jobWith(look, supervisor.pid)).toMatchObject({ agent: 'copilot', owner: 'live', session: agent.session });
      await agent.crash();
      expect(jobWith(await scan(stage), command?.pid ?? 0).owner).not.toBe('live');
    }),
  );
});
