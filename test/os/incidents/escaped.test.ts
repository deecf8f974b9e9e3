import { describe, expect, test } from 'vitest';
import { jobWith, lookBefore, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander } from '../scene/innocents.ts';
import { expectAllReaped, expectReaped, livingSession, pidsOf, pinned } from '../scene/outcome.ts';
import { codex } from '../scene/other-agents.ts';
import { preambleOf } from '../scene/habits.ts';
import { type SceneOptions, scene } from '../scene/scene.ts';

/** Orphans have parent 1 only if no subreaper adopts them; everything here must hold for both. */
const adopters: readonly SceneOptions[] = [{ adopter: 'init' }, { adopter: 'subreaper' }];

describe.concurrent('processes that escape a kill of the group leader', () => {
  for (const options of adopters) {
    test(
      `T22: setsid, nohup and a double fork of shells that returned after a look; a double fork into a session of its own left nothing to see, and is probable (adopted by ${options.adopter})`,
      scene(async (stage) => {
        const innocents = await livingSession(stage);
        const claude = await FakeClaude.start(stage);
        const shapes = {
          'sleep 3604': 'setsid nohup sleep 3604 >/dev/null 2>&1 &',
          'sleep 3605': 'nohup sleep 3605 >/dev/null 2>&1 & disown; echo ok',
          'sleep 3607': 'sleep 3607 & echo plain',
        };
        const apart = '( ( setsid sleep 3606 >/dev/null 2>&1 </dev/null & ) & )';
        for (const command of [...Object.values(shapes), apart]) await claude.foregroundSeen(command);
        const processes = await pinned(stage, ...Object.keys(shapes));
        const claimed = await pinned(stage, 'sleep 3606');
        await claude.end();
        const look = await scan(stage);
        const mine = look.jobs.filter((job) => job.session === claude.session);
        expect(mine.map((job) => job.owner)).toEqual(mine.map(() => 'gone'));
        expect(pidsOf(mine)).toEqual(new Set([...processes, ...claimed].map(({ pid }) => pid)));
        const unseen = claimed.map(({ pid }) => bystander(stage, 'what left no descent to see', pid));
        await expectAllReaped(stage, processes, [...innocents, ...unseen]);
        expect(jobWith(await scan(stage), claimed[0]?.pid ?? 0).verdict).toMatchObject({ state: 'probable' });
        await expectAllReaped(stage, claimed, innocents, { probable: true });
      }, options),
    );

    test(
      `a Codex shell whose leader died with its agent, but not its children (adopted by ${options.adopter})`,
      scene(async (stage) => {
        const innocents = await livingSession(stage);
        const agent = await codex(stage);
        const shell = await agent.shell('sleep 3600 | cat');
        const processes = await pinned(stage, 'sleep 3600', 'cat');
        await lookBefore(stage);
        await agent.crash();
        await stage.first.signal(shell.pid, 'KILL');
        await stage.until('the leader is gone', () => stage.row(shell.pid) === null);
        const { session, project } = agent;
        await expectReaped(stage, { processes, agent: 'codex', session, project, command: null }, innocents);
      }, options),
    );
  }

  test(
    'workers of a dead pytest that share its group and ignore TERM: KILL reaches them although their leader is gone (T11, T13)',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/python3');
      const script = `${stage.home}/.venv/bin/pytest`;
      stage.script(script, preambleOf({ deaf: ['TERM', 'INT', 'HUP'], children: 4 }), 'resident.pl');
      const call = await claude.bash(`python3 ${script} -n 4`);
      const workers = await stage.until('five of them', () => {
        const rows = stage.table().filter((row) => row.argv.includes(script) && row.argv[0] === 'python3');
        return rows.length === 5 && rows;
      });
      await claude.crash();
      // The wrapper and the first pytest die, as from `kill` of the leader only.
      const first = workers.find((row) => row.ppid === call.shell.pid);
      for (const pid of [call.shell.pid, first?.pid ?? 0]) await stage.first.signal(pid, 'KILL');
      await stage.until('both are gone', () =>
        [call.shell.pid, first?.pid ?? 0].every((pid) => stage.row(pid) === null),
      );
      const left = workers.filter((row) => row !== first).map((row) => stage.identity(row.pid));
      expect(left).toHaveLength(4);
      const leftover = { processes: left, session: claude.session, project: claude.project, command: null };
      const { incident } = await expectReaped(stage, leftover, innocents);
      expect(incident.outcome).toBe('killed');
      expect(incident.signals.map(({ signal }) => signal)).toContain('KILL');
    }),
  );

  test(
    'processes that a job forks while it is being ended are ended too',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      // Ignores TERM, and is always starting the next one, each in its own session.
      const command = `trap '' TERM; n=0; while :; do n=$((n+1)); setsid sleep 36$n & sleep 0.2; done`;
      const call = await claude.bash(command);
      await stage.find('a child', (row) => row.argv[0] === 'sleep' && row.sid === row.pid);
      await claude.crash();
      await expectAllReaped(stage, [call.shell], innocents);
      const left = stage.table().filter((row) => row.argv[0] === 'sleep' && row.argv[1] !== '9999');
      expect(left.map((row) => row.argv.join(' '))).toEqual([]);
    }),
  );
});
