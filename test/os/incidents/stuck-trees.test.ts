import { copyFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { lookBefore, patient } from '../scene/curfew.ts';
import { shellArguments } from '../scene/claude-shell.ts';
import { expectReaped, livingSession, pinned } from '../scene/outcome.ts';
import { descendants } from '../scene/processes.ts';
import { preambleOf } from '../scene/habits.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** True if a process holds a lock on this file. */
const locked = async (stage: Scene, file: string): Promise<boolean> => {
  const argv = ['flock', '-n', file, 'true'];
  const pid = await stage.top.start({ file: '/usr/bin/flock', argv, env: stage.userEnvironment() });
  return (await stage.top.ended(pid)).code !== 0;
};

describe.concurrent('trees that sat at 0 % CPU for hours, as reported by users', () => {
  test(
    'six processes, two of them socats on claude sockets, the last one blocked on standard input (16 h 33 min)',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage, { version: '2.1.197' });
      const socket = (kind: string): string => `/tmp/claude-${kind}-0f1e2d3c4b5a6978.sock`;
      stage.program('/tmp/scene/path/socat');
      for (const port of [3128, 1080]) {
        stage.script(`${claude.project}/TCP-LISTEN:${port},fork,reuseaddr`, preambleOf({ port }), 'resident.pl');
      }
      const [, , wrapper = ''] = shellArguments({
        version: '2.1.197',
        home: stage.home,
        command: '(read -r line; echo "$line") <> /tmp/never-written',
        snapshot: 'snapshot-bash-1776800000000-ab12cd.sh',
        folderSuffix: '1a2b',
        shell: 'bash',
      });
      stage.write('/tmp/scene/wrapper', wrapper);
      const sandbox = [
        'mkfifo /tmp/never-written',
        `socat TCP-LISTEN:3128,fork,reuseaddr UNIX-CONNECT:${socket('http')} &`,
        `socat TCP-LISTEN:1080,fork,reuseaddr UNIX-CONNECT:${socket('socks')} &`,
        // The sandbox's own launcher runs the shell as its child; xargs does the same, under any
        // name.
        '(exec -a /proc/self/fd/3 xargs /bin/bash -c "$(cat /tmp/scene/wrapper)") < /dev/null',
        'wait',
      ].join('\n');
      const leader = await claude.actor.start({
        file: '/bin/bash',
        argv: ['/bin/bash', '-c', sandbox],
        env: { ...claude.environment(), SANDBOX_RUNTIME: '1' },
        cwd: claude.project,
        setsid: true,
      });
      const tree = await stage.until('six processes', () => {
        const below = descendants(stage.table(), leader);
        return below.length === 5 && below.filter((row) => row.argv.at(-1) === wrapper).length === 3 && below;
      });
      await lookBefore(stage);
      await claude.crash();
      const processes = [leader, ...tree.map((row) => row.pid)].map((pid) => stage.identity(pid));
      const leftover = { processes, session: claude.session, project: claude.project, command: null };
      await expectReaped(stage, leftover, innocents);
    }),
  );

  test(
    'T20: the malformed jq … > file echo "written" that waits forever and holds the lock of the review (47 min)',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      stage.folder('/tmp/scene/path');
      // jq took `echo` and `written` for files, and they never opened. cat under the name of jq
      // does the same.
      copyFileSync(stage.outside('/bin/cat'), stage.outside('/tmp/scene/path/jq'));
      stage.write(`${claude.project}/verdict.json`, '{"verdict":"APPROVE"}');
      const command =
        'mkfifo echo written; exec 9>>/tmp/review.lock; flock 9; jq verdict.json > /tmp/out.json echo "written"';
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'jq verdict.json echo written'))];
      expect(await locked(stage, '/tmp/review.lock')).toBe(true);
      await claude.crash();
      const leftover = { processes, session: claude.session, project: claude.project, command };
      const { job, incident } = await expectReaped(stage, leftover, innocents);
      expect(job.holds.locks).toContain('/tmp/review.lock');
      expect(incident.freed.locks).toContain('/tmp/review.lock');
      expect(await locked(stage, '/tmp/review.lock')).toBe(false);
    }),
  );

  test(
    'the watchdog that killed only the agent: sleep 3600 & of a fake agent that exits',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      await claude.foregroundSeen('sleep 3600 & echo started');
      const processes = await pinned(stage, 'sleep 3600');
      await claude.end();
      const leftover = { processes, session: claude.session, project: claude.project, command: null };
      const { incident } = await expectReaped(stage, leftover, innocents, patient);
      expect(incident.outcome).toBe('reaped');
    }),
  );

  test(
    'the same with Claude Code 2.0, whose shells carry no session and no pid',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage, { version: '2.0.28' });
      await claude.foregroundSeen('sleep 3600 & echo started');
      const call = await claude.bash('sleep 3601 | cat');
      const ofShell = await pinned(stage, 'sleep 3601', 'cat');
      const processes = await pinned(stage, 'sleep 3600');
      await claude.end();
      const facts = { session: null, project: claude.project };
      await expectReaped(stage, {
        ...facts,
        processes: [call.shell, ...ofShell],
        command: 'sleep 3601 | cat',
      });
      expect(processes.map((each) => stage.lives(each))).toEqual([false]);
    }),
  );
});
