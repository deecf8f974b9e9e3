import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runCurfew, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, innocent, innocentProgram } from '../scene/innocents.ts';
import { expectSpared, pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { manyUsers } from '../machine-facts.ts';

const nobody = 65534;
/** A program that a scene needs and that may be missing on the machine. */
const wanted = (file: string): boolean => existsSync(file);
const unless = (file: string): string => (wanted(file) ? '' : ` (SKIPPED: ${file} is not on this machine)`);

describe.concurrent('processes of other users, containers, servers and terminals are left alone', () => {
  test.skipIf(!manyUsers)(
    'T07: another user’s leftovers, even for root, and another user’s process inside a job',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const env = claude.environment();
      const foreign = await innocent(stage, {
        argv: ['node', 'theirs.js'],
        cwd: '/tmp',
        env,
        uid: nobody,
        setsid: true,
      });
      const inside = await innocent(stage, {
        argv: ['node', 'inside.js'],
        cwd: '/tmp',
        env,
        uid: nobody,
        parent: claude.actor,
        setsid: true,
      });
      await claude.crash();
      await expectSpared(stage, [foreign, inside]);
      const job = (await scan(stage, ['--all'])).jobs.find((each) =>
        each.members.some(({ pid }) => pid === foreign.identity.pid),
      );
      expect(job?.verdict.action ?? 'none').not.toBe('reap');
    }),
  );

  test(
    'a container: its processes carry the pid of an agent that means another process outside',
    scene(async (stage) => {
      const dead = await FakeClaude.start(stage);
      const inside = { ...dead.environment(), CLAUDE_PID: '4' };
      const marks = Object.entries(inside).map(([name, value]) => `${name}='${value}'`);
      stage.script('/tmp/container/agent-server.js', 'our $DIARY = "/tmp/scene/diaries/container";', 'resident.pl');
      stage.write('/tmp/scene/diaries/container', '');
      stage.program('/tmp/scene/path/node');
      await dead.crash();
      await stage.top.start({
        file: '/usr/bin/unshare',
        argv: [
          'unshare',
          '--pid',
          '--fork',
          '--mount-proc',
          '--kill-child',
          'bash',
          '-c',
          `env ${marks.join(' ')} setsid node /tmp/container/agent-server.js & wait`,
        ],
        // The container's runtime belongs to the user; the markers came in with the agent that
        // works inside.
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('it lives', () => stage.read('/tmp/scene/diaries/container') !== '');
      const row = await stage.find('the server', ({ argv }) => argv[1] === '/tmp/container/agent-server.js');
      const shell = stage.row(row.ppid);
      await expectSpared(stage, [
        { what: 'a process of a container', identity: stage.identity(row.pid), diary: '/tmp/scene/diaries/container' },
        bystander(stage, 'the first process of a container', shell?.pid ?? 0),
      ]);
    }),
  );

  test.skipIf(!wanted('/usr/bin/tmux'))(
    `N20: a tmux server that a tool call started, its shell and the user’s programs there${unless('/usr/bin/tmux')}`,
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/node');
      const work = innocentProgram(stage, '/tmp/work/mine.js');
      await claude.foregroundSeen(
        `tmux -f /dev/null new-session -d -s work 'bash --norc'; tmux send-keys -t work 'node /tmp/work/mine.js' Enter`,
      );
      const program = await work.ready();
      const shell = stage.row(stage.row(program.identity.pid)?.ppid ?? 0);
      const server = stage.row(shell?.ppid ?? 0);
      expect(server?.comm).toMatch(/^tmux/);
      await claude.end();
      await expectSpared(stage, [
        program,
        bystander(stage, 'the shell in tmux', shell?.pid ?? 0),
        bystander(stage, 'the tmux server', server?.pid ?? 0),
      ]);
    }),
  );

  for (const [file, start] of [
    ['/usr/bin/ssh-agent', 'eval "$(ssh-agent -s)"'],
    ['/usr/bin/gpg-agent', 'gpg-agent --homedir /tmp/gnupg --daemon'],
  ] as const) {
    const name = file.slice('/usr/bin/'.length);
    test.skipIf(!wanted(file))(
      `${name} started by a tool call keeps the user’s keys for every program${unless(file)}`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        stage.folder('/tmp/gnupg');
        await claude.foregroundSeen(start);
        const row = await stage.find(name, ({ comm }) => comm === name);
        await claude.end();
        await expectSpared(stage, [bystander(stage, name, row.pid)]);
      }),
    );
  }

  test(
    'an editor that a tool call opened, its terminal, and the dev server that the user started there',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/code');
      const editor = stage.actorProgram(`${claude.project}/shop.code-workspace`);
      await claude.foregroundSeen('code shop.code-workspace >/dev/null 2>&1 &');
      const code = await editor.ready();
      const env = claude.environment();
      const shell = await code.start({
        file: '/bin/bash',
        argv: ['/bin/bash', '--norc', '-c', 'sleep 3603; true'],
        env,
        setsid: true,
      });
      const server = await innocent(
        stage,
        { argv: ['node', 'user-server.js'], cwd: claude.project, parent: code, env, setsid: true },
        { port: 4000 },
      );
      await claude.end();
      await expectSpared(stage, [
        bystander(stage, 'the editor', code.pid),
        bystander(stage, 'its terminal', shell),
        server,
      ]);
    }),
  );

  test(
    'N17: shared daemons, whatever started them first: a build daemon, a browser, a device server',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const env = claude.environment();
      const play = (argv: readonly [string, ...string[]]) =>
        innocent(stage, { argv, cwd: claude.project, parent: claude.actor, env, setsid: true });
      const innocents = [
        await play(['java', 'org.gradle.launcher.daemon.bootstrap.GradleDaemon', '8.10']),
        await play(['containerd', 'serve']),
        await play(['firefox']),
        await play(['dockerd']),
        await play(['docker-proxy', 'proto', 'tcp', 'host-port', '5432']),
        await play(['adb', 'fork-server', 'server']),
      ];
      await claude.crash();
      await expectSpared(stage, innocents);
    }),
  );

  test(
    'N06: Curfew in a tool shell of a session that just closed spares itself, the shells above it and its pipeline',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const beside = await claude.bash('sleep 3602 | cat');
      const others = await pinned(stage, 'sleep 3602');
      stage.write('/tmp/curfew-home/note', '');
      const home = 'CURFEW_HOME=/tmp/curfew-home';
      const file = (await import('../scene/curfew.ts')).curfewFile;
      await claude.bash(
        `until test -e /tmp/go; do sleep 0.1; done; ${home} '${process.execPath}' '${file}' reap --json --max-age 0s --grace 1s | cat > /tmp/out.json; echo "$?" > /tmp/shell-lived`,
      );
      await claude.crash();
      stage.write('/tmp/go', '');
      await stage.until('the shell around Curfew came to its end', () => stage.has('/tmp/shell-lived'));
      expect(JSON.parse(stage.read('/tmp/out.json'))).toMatchObject({ schema: 1 });
      expect([beside.shell, ...others].map((each) => stage.lives(each))).toEqual([false, false]);
      expect((await runCurfew(stage, ['scan', '--json'])).code).toBe(0);
    }),
  );
});
