import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ScenePath } from '../scene/actor.ts';
import { FakeClaude } from '../scene/claude.ts';
import { shellArguments } from '../scene/claude-shell.ts';
import { type Innocent, bystander, innocent } from '../scene/innocents.ts';
import { expectReaped, expectSpared } from '../scene/outcome.ts';
import { type Scene, scene } from '../scene/scene.ts';

const wrapper = (stage: Scene, command: string): string =>
  shellArguments({
    version: '2.1.329',
    home: stage.home,
    command,
    snapshot: 'snapshot-bash-1795232964792-3jn0xa.sh',
    folderSuffix: '680a',
    shell: 'bash',
  }).at(-1) ?? '';

/** A real program of the user, started from outside any project, without markers. */
const programOfUser = async (stage: Scene, file: string, argv: readonly string[], cwd = '/tmp'): Promise<Innocent> => {
  const pid = await stage.top.start({ file, argv, env: stage.userEnvironment(), cwd, setsid: true });
  return bystander(stage, argv.join(' '), pid);
};

const otherAgents = (stage: Scene, ...names: readonly string[]): Promise<readonly Innocent[]> =>
  Promise.all(
    names.map(async (name) => bystander(stage, name, (await stage.actor({ argv: [name], setsid: true })).pid)),
  );

describe.concurrent('a process that only resembles a leftover is left alone', () => {
  test(
    'greps, editors, logs and scripts whose command lines contain the text of the wrapper',
    scene(async (stage) => {
      const text = wrapper(stage, 'sleep 3600 | cat');
      stage.write('/tmp/scene/wrapper.log', `${text}\n`);
      await stage.top.ended(
        await stage.top.start({
          file: '/usr/bin/mkfifo',
          argv: ['mkfifo', '/tmp/never'],
          env: stage.userEnvironment(),
        }),
      );
      const innocents = [
        await programOfUser(stage, '/bin/grep', ['grep', '-rF', text, '/tmp/never']),
        await programOfUser(stage, '/bin/grep', ['grep', '-E', 'shell-snapshots/snapshot-(bash|zsh)-', '/tmp/never']),
        await programOfUser(stage, '/usr/bin/tail', ['tail', '-f', '/tmp/scene/wrapper.log']),
        // The user's own shell searches for it; its command even ends as the wrapper does.
        await programOfUser(stage, '/bin/bash', [
          '/bin/bash',
          '-c',
          `grep -F 'source ${stage.home}/.claude/shell-snapshots/' /tmp/never; pwd -P >| /tmp/claude-680a-cwd`,
        ]),
        // … and begins as the wrapper does: the user tries the contents of the snapshot.
        await programOfUser(stage, '/bin/bash', [
          '/bin/bash',
          '-c',
          `source ${stage.home}/.claude/shell-snapshots/snapshot-bash-1795232964792-3jn0xa.sh; grep x /tmp/never; true`,
        ]),
        await programOfUser(stage, '/bin/bash', [
          '/bin/bash',
          '-c',
          `: '${text.replaceAll("'", '')}'; grep x /tmp/never; true`,
        ]),
        await innocent(stage, {
          argv: ['vim', 'snapshot-bash-1795232964792-3jn0xa.sh'],
          cwd: `${stage.home}/.claude/shell-snapshots`,
        }),
        await innocent(stage, { argv: ['node', 'claude-680a-cwd'], cwd: `${stage.home}/notes` }),
      ];
      await expectSpared(stage, innocents);
    }),
  );

  test(
    'programs of the user whose logs lie at paths like those of the outputs of a session that has ended',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const gone = claude.tasks;
      const without = gone.replace(`/${claude.session}/`, '/');
      const innocents: Innocent[] = [];
      const writes = async (path: string): Promise<void> => {
        stage.write(path, '');
        const argv = ['node', `writes-${innocents.length}.js`] as const;
        innocents.push(await innocent(stage, { argv, setsid: true, fds: { 1: path as ScenePath, 2: '/dev/null' } }));
      };
      // A copy of the folder below another, a folder of no session, and a file that was removed.
      await writes(`${stage.home}/copy${gone}/b12345678.output`);
      await writes(`/tmp/copy${gone}/b12345678.output`);
      await writes(`${without}/b12345678.output`);
      await writes('/tmp/mux-bashes/logs/output.log');
      await writes(`${gone}/b87654321.output`);
      rmSync(stage.outside(`${gone}/b87654321.output`));
      await claude.crash();
      await expectSpared(stage, innocents);
    }),
  );

  test(
    'N15: a waiting loop in the user’s own shell, the user’s nohup and setsid, a process of init',
    scene(async (stage) => {
      const innocents = [
        await programOfUser(stage, '/bin/bash', ['bash', '-c', 'until test -e /tmp/ready; do sleep 5; done; echo go']),
        await programOfUser(stage, '/usr/bin/nohup', ['nohup', 'sleep', '3600']),
        await innocent(
          stage,
          { argv: ['node', 'dist/bot.js'], cwd: `${stage.home}/bot`, parent: stage.first, setsid: true },
          { port: 8080 },
        ),
        await innocent(stage, { argv: ['node', 'dist/supervisor.js'], cwd: `${stage.home}/bot`, parent: stage.first }),
      ];
      await expectSpared(stage, innocents);
    }),
  );

  test(
    'N03, N05: the same program in another project, started by the user',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/next-server');
      const mine = await innocent(
        stage,
        { argv: ['next-server', 'v15'], cwd: `${stage.home}/blog`, setsid: true },
        { port: 3001 },
      );
      const same = await innocent(
        stage,
        { argv: ['next-server', 'v15'], cwd: claude.project, setsid: true },
        { port: 3002 },
      );
      stage.script(`${claude.project}/v15`, '', 'resident.pl');
      await claude.foregroundSeen('next-server v15 &');
      const row = await stage.find(
        'the third',
        ({ argv, pid }) =>
          argv.join(' ') === 'next-server v15' && pid !== mine.identity.pid && pid !== same.identity.pid,
      );
      await claude.end();
      const processes = [stage.identity(row.pid)];
      await expectReaped(stage, { processes, session: claude.session, project: claude.project, command: null }, [
        mine,
        same,
      ]);
    }),
  );

  test(
    'N10, T17, T18: the user’s own sessions: idle, without a session file, and as a runner named after its version',
    scene(async (stage) => {
      const idle = await FakeClaude.start(stage);
      const runner = await stage.actor({
        argv: ['claude'],
        file: `${stage.home}/.local/share/claude/versions/2.1.233`,
        setsid: true,
      });
      const others = await otherAgents(stage, 'copilot', 'opencode', 'gemini', 'cursor-agent', 'aider', 'mux');
      const innocents = [idle.actor, runner].map((actor) => bystander(stage, 'an agent', actor.pid));
      // Without its file the runner could have any session of its kind: the leftover is another's.
      await expectSpared(stage, [...innocents, ...others], 'codex');
    }),
  );

  test(
    'N10: the user’s own session of Codex, and those of other agents, beside a leftover of Claude Code',
    scene(async (stage) => {
      const idle = await FakeClaude.start(stage);
      const others = await otherAgents(stage, 'codex', 'copilot', 'opencode', 'gemini', 'cursor-agent', 'aider', 'mux');
      await expectSpared(stage, [bystander(stage, 'an agent', idle.actor.pid), ...others]);
    }),
  );

  test(
    'N11, T14: the user’s browser and editor, beside a headless browser left by a closed session',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const chrome = (profile: string, more = ''): string =>
        `/opt/google/chrome/chrome --type=renderer${more} --user-data-dir=${profile}`;
      const real = await programOfUser(stage, '/bin/sleep', [chrome(`${stage.home}/.config/google-chrome`), '3600']);
      const editor = await innocent(stage, {
        argv: ['/opt/Cursor/cursor', 'shop.code-workspace'],
        cwd: `${stage.home}/work`,
      });
      const profile = '/tmp/ms-playwright/mcp-chrome-1a2b3c';
      await claude.foregroundSeen(`(exec -a '${chrome(profile, ' --headless')}' sleep 3600) >/dev/null 2>&1 &`);
      const row = await stage.find('the headless one', ({ argv }) => argv[0]?.includes('--headless') === true);
      await claude.end();
      const processes = [stage.identity(row.pid)];
      await expectReaped(stage, { processes, session: claude.session, project: claude.project, command: null }, [
        real,
        editor,
      ]);
    }),
  );

  test(
    'a user who exports CLAUDECODE by hand has no session that could end',
    scene(async (stage) => {
      const env = { ...stage.userEnvironment(), CLAUDECODE: '1' };
      const innocents = [
        await innocent(
          stage,
          { argv: ['node', 'server.js'], cwd: `${stage.home}/shop`, env, setsid: true },
          { port: 3000 },
        ),
        await innocent(stage, { argv: ['make', 'watch'], cwd: `${stage.home}/shop`, env: { ...env, AGENT: '1' } }),
      ];
      await expectSpared(stage, innocents);
    }),
  );

  test(
    'N04: a job with an unknown owner is only reported: gateway and database that Claude Code 2.0 may own',
    scene(async (stage) => {
      const [gone, living] = [
        await FakeClaude.start(stage, { version: '2.0.28' }),
        await FakeClaude.start(stage, { version: '2.0.28', project: `${stage.home}/other` }),
      ];
      const play = (script: string, port: number): Promise<Innocent> =>
        innocent(
          stage,
          { argv: ['node', script], cwd: gone.project, parent: gone.actor, env: gone.environment(), setsid: true },
          { port },
        );
      const innocents = [await play('gateway.js', 8080), await play('store.js', 5432)];
      await gone.end();
      const look = await expectSpared(
        stage,
        [...innocents, bystander(stage, 'the living agent', living.actor.pid)],
        'codex',
      );
      for (const { identity } of innocents) {
        const job = look.jobs.find((each) => each.members.some((member) => member.pid === identity.pid));
        expect(job?.owner).toBe('unknown');
      }
    }),
  );
});
