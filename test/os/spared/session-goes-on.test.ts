import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { codex, copilot, gemini, mux, opencode } from '../scene/other-agents.ts';
import { expectSpared, pinned } from '../scene/outcome.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';

interface Beginning {
  readonly shell: (command: string) => Promise<unknown>;
  readonly crash: () => Promise<unknown>;
}

/** What an agent had that a look saw, and that has ended since. */
const leftByEnded = async (stage: Scene, begin: (on: Scene) => Promise<Beginning>): Promise<Identity> => {
  const agent = await begin(stage);
  await agent.shell('sleep 3611; true');
  const [left] = await pinned(stage, 'sleep 3611');
  if (left === undefined) throw new Error('nothing was left');
  await scan(stage);
  await agent.crash();
  return left;
};

const leaving = 'nohup sleep 3605 </dev/null >/dev/null 2>&1 & true';

describe.concurrent('what ends is the session, not the process last seen with it', () => {
  test(
    'Copilot: the process that started a command ends, and another one with a lock of its own has the session',
    scene(async (stage) => {
      const agent = await copilot(stage);
      const shell = await agent.shell('sleep 3605; true');
      const [left] = await pinned(stage, 'sleep 3605');
      if (left === undefined) throw new Error('nothing was left');
      expect(jobWith(await scan(stage), shell.pid).owner).toBe('live');
      const other = await stage.actor({ argv: ['node', '/tmp/home/sdk/host.js'], setsid: true });
      stage.write(`${stage.home}/.copilot/session-state/${agent.session}/inuse.${other.pid}.lock`, String(other.pid));
      await agent.crash();
      const look = await expectSpared(stage, [
        bystander(stage, 'its command', left.pid),
        bystander(stage, 'the other process', other.pid),
      ]);
      expect(jobWith(look, left.pid).owner).not.toBe('gone');
    }),
  );

  test(
    'Claude Code: an older process has resumed it, by an entry that says no start',
    scene(async (stage) => {
      const older = await FakeClaude.start(stage, { project: `${stage.home}/older` });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3605 | cat');
      expect(jobWith(await scan(stage), call.shell.pid).owner).toBe('live');
      const entry = JSON.parse(stage.read(older.registration)) as Record<string, unknown>;
      const { procStart: _, ...unsure }: Record<string, unknown> = { ...entry, sessionId: claude.session };
      writeFileSync(stage.outside(older.registration), JSON.stringify(unsure));
      await claude.crash();
      const innocents = [
        bystander(stage, 'its command', call.shell.pid),
        bystander(stage, 'the older process', older.actor.pid),
      ];
      const look = await expectSpared(stage, innocents, 'codex');
      expect(jobWith(look, call.shell.pid).owner).toBe('unknown');
    }),
  );

  test(
    'Gemini CLI: the process that started a command ends, and its launcher lives',
    scene(async (stage) => {
      const agent = await gemini(stage);
      const shell = await agent.shell('sleep 3605; true');
      expect(jobWith(await scan(stage), shell.pid).owner).toBe('live');
      await stage.first.signal(agent.actor.pid, 'KILL');
      await stage.until('the agent is gone', () => !stage.table().some(({ pid }) => pid === agent.actor.pid));
      const innocents = [
        bystander(stage, 'its command', shell.pid),
        bystander(stage, 'its launcher', agent.launcher.pid),
      ];
      const look = await expectSpared(stage, innocents, 'codex');
      expect(jobWith(look, shell.pid).owner).toBe('unknown');
    }),
  );

  for (const [name, begin] of [
    ['opencode', opencode],
    ['Gemini CLI', gemini],
    ['Copilot', copilot],
  ] as const)
    test(
      `${name}: of two processes in one project one ends, and what the living one has or may have stays`,
      scene(async (stage) => {
        const [dead, living] = [await begin(stage), await begin(stage)];
        await dead.shell('sleep 3611; true');
        await living.shell('sleep 3612; true');
        const [left, own] = await pinned(stage, 'sleep 3611', 'sleep 3612');
        await scan(stage);
        // No look saw these two below their agents: their marks alone say whose they are.
        for (const [agent, seconds] of [
          [dead, 3613],
          [living, 3614],
        ] as const)
          await agent.shell(`setsid sleep ${seconds} </dev/null >/dev/null 2>&1 & true`);
        const [unseen, ownUnseen] = await pinned(stage, 'sleep 3613', 'sleep 3614');
        if (left === undefined || own === undefined || unseen === undefined || ownUnseen === undefined)
          throw new Error('nothing was left');
        await dead.crash();
        for (const pass of ['one', 'another'] as const) {
          await reapOrphans(stage);
          expect({ pass, lives: stage.lives(left) }).toEqual({ pass, lives: false });
        }
        expectGone(stage, [left]);
        expectUntouched(stage, [
          bystander(stage, 'what the living one has', own.pid),
          bystander(stage, 'what no look saw of the dead one', unseen.pid),
          bystander(stage, 'what no look saw of the living one', ownUnseen.pid),
        ]);
        const look = await scan(stage, ['--all']);
        expect(jobWith(look, own.pid).owner).toBe('live');
        expect(['live', 'unknown']).toContain(jobWith(look, ownUnseen.pid).owner);
        expect(jobWith(look, ownUnseen.pid).verdict.state).not.toBe('probable');
      }),
    );

  for (const [name, begin] of [
    ['Gemini CLI', gemini],
    ['mux', mux],
  ] as const)
    test(
      `${name} ends and is started again: it may go on with its session, until it ends, too`,
      scene(async (stage) => {
        const left = await leftByEnded(stage, begin);
        const second = await begin(stage);
        const innocents = [bystander(stage, 'its command', left.pid), bystander(stage, 'the second', second.actor.pid)];
        const look = await expectSpared(stage, innocents);
        expect(jobWith(look, left.pid).owner).toBe('unknown');
        await second.crash();
        await reapOrphans(stage);
        expectGone(stage, [left]);
      }),
    );

  for (const [name, begin, argv] of [
    ['Gemini CLI', gemini, ['node', '/tmp/scene/lib/node_modules/@google/gemini-cli-nightly/dist/index.js']],
    ['Codex', codex, ['/tmp/home/.local/bin/codex.new']],
  ] as const)
    test(
      `${name} goes on under a name that no signature knows, until that ends, too`,
      scene(async (stage) => {
        const left = await leftByEnded(stage, begin);
        const second = await stage.actor({ argv, setsid: true });
        expect((await reapOrphans(stage)).incidents).toEqual([]);
        expectUntouched(stage, [bystander(stage, 'its command', left.pid)]);
        await stage.first.signal(second.pid, 'KILL');
        await stage.until('the second is gone', () => stage.row(second.pid) === null);
        await reapOrphans(stage);
        expectGone(stage, [left]);
      }),
    );

  for (const name of ['crush', 'codex-acp'] as const)
    test(
      `${name} lives in a dead session of Claude Code: what it has in the background carries the marks of that`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        const inner = await stage.actor({
          argv: [name],
          cwd: claude.project,
          parent: claude.actor,
          env: claude.environment(),
          setsid: true,
        });
        const env = claude.environment();
        const argv = ['bash', '-c', leaving];
        await inner.ended(await inner.start({ file: '/bin/bash', argv, env, cwd: claude.project, setsid: true }));
        const [left] = await pinned(stage, 'sleep 3605');
        if (left === undefined) throw new Error('nothing was left');
        await scan(stage);
        await claude.crash();
        const innocents = [bystander(stage, 'its command', left.pid), bystander(stage, 'the inner agent', inner.pid)];
        const look = await expectSpared(stage, innocents);
        const job = look.jobs.find(({ members }) => members.some(({ pid }) => pid === left.pid));
        expect([job?.owner, job?.verdict.state]).not.toContain('gone');
        expect(job?.verdict.state).not.toBe('probable');
      }),
    );
});
