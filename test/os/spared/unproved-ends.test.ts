import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { machineProgram } from '../faults/machine-program.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import type { Actor } from '../scene/actor.ts';
import { childEnvironment } from '../scene/claude-shell.ts';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, runCurfew, scan } from '../scene/curfew.ts';
import { bystander, expectUntouched, innocentProgram, type Innocent } from '../scene/innocents.ts';
import { codex, copilot, gemini, opencode, type FakeAgent } from '../scene/other-agents.ts';
import { expectSpared, type VictimOf, pinned } from '../scene/outcome.ts';
import { seenCall } from '../scene/seen-call.ts';
import { type Scene, scene } from '../scene/scene.ts';

const otherUser = 65_534;

/** Leftover of a call that returns at once. */
const leaving = 'nohup sleep 3605 >/dev/null 2>&1 & sleep 0.2';

const leftBehind = async (stage: Scene): Promise<Innocent> => {
  const [left] = await pinned(stage, 'sleep 3605');
  if (left === undefined) throw new Error('nothing was left');
  return { what: 'what a call left', identity: left, diary: null };
};

const leftBy = async (stage: Scene, agent: FakeAgent): Promise<Innocent> => {
  await seenCall(stage, leaving, {
    begin: (command) => agent.shell(command),
    shell: (shell) => shell,
    ended: (pid) => agent.actor.ended(pid),
  });
  return leftBehind(stage);
};

/**
 * Spared by a pass that ends another session's leftover, and not called a leftover in its output.
 */
const expectNotGone = async (
  stage: Scene,
  left: Innocent,
  agent: number,
  victimOf: VictimOf = 'codex',
): Promise<void> => {
  const look = await expectSpared(stage, [left, bystander(stage, 'the agent', agent)], victimOf);
  expect(jobWith(look, left.identity.pid).owner).not.toBe('gone');
};

/** Ways in which a registry entry can exist without saying anything. */
const damages: Readonly<Record<string, (stage: Scene, path: string) => void | Promise<void>>> = {
  'is empty': (stage, path) => writeFileSync(stage.outside(path), ''),
  'is cut off': (stage, path) => writeFileSync(stage.outside(path), '{"pid": 12, "sessionId": "'),
  'is too big': (stage, path) => writeFileSync(stage.outside(path), `{"pid": 12, "x": "${'x'.repeat(300_000)}"}`),
  'is a pipe without an end that writes': async (stage, path) => {
    rmSync(stage.outside(path));
    await machineProgram(stage, 'mkfifo', path);
  },
  'is a link': (stage, path) => {
    linkSync(stage.outside(path), stage.outside(`${stage.home}/entry.json`));
    rmSync(stage.outside(path));
    symlinkSync(`${stage.home}/entry.json`, stage.outside(path));
  },
  'is a link that leads nowhere': (stage, path) => {
    rmSync(stage.outside(path));
    symlinkSync('/tmp/home/nowhere', stage.outside(path));
  },
  'is a folder': (stage, path) => {
    rmSync(stage.outside(path));
    mkdirSync(stage.outside(path));
  },
  ...(manyUsers
    ? { 'is another user’s': (stage: Scene, path: string) => machineProgram(stage, 'chown', String(otherUser), path) }
    : {}),
};

const folderDamages: Readonly<Record<string, (stage: Scene, path: string) => void | Promise<void>>> = {
  'is a link in a circle': (stage, path) => symlinkSync(path, stage.outside(path)),
  'is a link that leads nowhere': (stage, path) => symlinkSync('/tmp/home/nowhere', stage.outside(path)),
  'is a file': (stage, path) => writeFileSync(stage.outside(path), ''),
  'is a pipe': (stage, path) => machineProgram(stage, 'mkfifo', path),
};

/**
 * The process of a session has ended, a call left a process, and the session continues in another
 * process.
 */
const resumed = async (
  stage: Scene,
  version: '2.1.197' | '2.1.329',
): Promise<{ readonly left: Innocent; readonly second: FakeClaude }> => {
  const first = await FakeClaude.start(stage, { version });
  await first.foregroundSeen(leaving);
  const left = await leftBehind(stage);
  await first.crash();
  const second = await FakeClaude.start(stage, { version, session: first.session });
  // The tasks folder is not open: only the registry shows it.
  await second.actor.release();
  return { left, second };
};

describe.concurrent('an unreadable registry proves the end of no session', () => {
  for (const version of ['2.1.197', '2.1.329'] as const) {
    for (const [how, damage] of Object.entries(damages)) {
      test(
        `the entry of a resumed session ${how} (Claude Code ${version})`,
        scene(async (stage) => {
          const { left, second } = await resumed(stage, version);
          await damage(stage, second.registration);
          await expectNotGone(stage, left, second.actor.pid);
        }),
      );
    }
    test(
      `a resumed session has no entry (Claude Code ${version})`,
      scene(async (stage) => {
        const { left, second } = await resumed(stage, version);
        rmSync(stage.outside(second.registration));
        await expectNotGone(stage, left, second.actor.pid);
      }),
    );
    for (const [how, damage] of Object.entries(folderDamages)) {
      test(
        `the folder of the registry ${how} (Claude Code ${version})`,
        scene(async (stage) => {
          const { left } = await resumed(stage, version);
          const folder = `${stage.home}/.claude/sessions`;
          rmSync(stage.outside(folder), { recursive: true });
          await damage(stage, folder);
          expect(jobWith(await scan(stage), left.identity.pid).owner).toBe('unknown');
          await reapOrphans(stage);
          expectUntouched(stage, [left]);
        }),
      );
    }
  }

  for (const [how, damage] of Object.entries(folderDamages)) {
    test(
      `Copilot: the folder of its session ${how}`,
      scene(async (stage) => {
        const agent = await copilot(stage);
        const left = await leftBy(stage, agent);
        await agent.crash();
        const folder = `${stage.home}/.copilot/session-state/${agent.session}`;
        rmSync(stage.outside(folder), { recursive: true });
        await damage(stage, folder);
        expect(jobWith(await scan(stage), left.identity.pid).owner).toBe('unknown');
        await reapOrphans(stage);
        expectUntouched(stage, [left]);
      }),
    );
  }

  test(
    'a roster of background sessions that is truncated',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.foregroundSeen(leaving);
      const left = await leftBehind(stage);
      stage.write(`${stage.home}/.claude/daemon/roster.json`, '{"workers": {"a');
      await claude.crash();
      expect(jobWith(await scan(stage), left.identity.pid).owner).toBe('unknown');
      await reapOrphans(stage);
      expectUntouched(stage, [left]);
    }),
  );
});

const modules = '/tmp/home/.npm-global/lib/node_modules';

describe.concurrent('an agent that runs under another program’s name owns its jobs', () => {
  test(
    'Copilot’s SDK in an editor, named by its lock',
    scene(async (stage) => {
      const agent = await copilot(stage, `${stage.home}/shop`, ['code']);
      await expectNotGone(stage, await leftBy(stage, agent), agent.actor.pid);
    }),
  );

  test(
    'Copilot: a session of another home folder, which this one has no record of',
    scene(async (stage) => {
      const agent = await copilot(stage, `${stage.home}/shop`, ['code']);
      const left = await leftBy(stage, agent);
      rmSync(stage.outside(`${stage.home}/.copilot/session-state/${agent.session}`), { recursive: true });
      stage.folder(`${stage.home}/.copilot/session-state/${randomUUID()}`);
      await expectNotGone(stage, left, agent.actor.pid);
    }),
  );

  for (const script of [
    `${modules}/@google/gemini-cli-a2a-server/dist/a2a-server.mjs`,
    '/tmp/home/.local/share/zed/agents/server.js',
  ]) {
    test(
      `Gemini as ${script}`,
      scene(async (stage) => {
        const agent = await gemini(stage, `${stage.home}/shop`, script);
        await expectNotGone(stage, await leftBy(stage, agent), agent.actor.pid);
      }),
    );
  }

  for (const argv of [['codex-acp'], ['zed-editor'], ['node', '/tmp/home/zed/agent.js']] as const) {
    test(
      `Codex as ${argv.join(' ')}`,
      scene(async (stage) => {
        const agent = await codex(stage, `${stage.home}/shop`, argv);
        const [path] = stage.contents(`${stage.home}/.codex/sessions`);
        if (path === undefined) throw new Error('it has no transcript');
        await agent.actor.holdOpen(
          `${stage.home}/.codex/sessions/2026/11/21/rollout-2026-11-21T02-00-00-${agent.session}.jsonl`,
        );
        await expectNotGone(stage, await leftBy(stage, agent), agent.actor.pid, 'claude-code');
      }),
    );
    test(
      `Codex as ${argv.join(' ')}, with its transcripts elsewhere`,
      scene(async (stage) => {
        const agent = await codex(stage, `${stage.home}/shop`, argv);
        rmSync(stage.outside(`${stage.home}/.codex`), { recursive: true });
        await expectNotGone(stage, await leftBy(stage, agent), agent.actor.pid, 'claude-code');
      }),
    );
  }

  for (const [how, move] of [
    [
      'below a folder that is a link',
      (stage: Scene, path: string): string => {
        const folder = `${stage.home}/.codex`;
        renameSync(stage.outside(folder), stage.outside(`${stage.home}/elsewhere`));
        symlinkSync(`${stage.home}/elsewhere`, stage.outside(folder));
        return path;
      },
    ],
    [
      'under another name',
      (stage: Scene, path: string): string => {
        linkSync(stage.outside(path), stage.outside(`${stage.home}/other-name`));
        return `${stage.home}/other-name`;
      },
    ],
  ] as const)
    test(
      `Codex under a name that is not known, with its transcript open ${how}`,
      scene(async (stage) => {
        const agent = await codex(stage, `${stage.home}/shop`, ['node', '/tmp/home/zed/agent.js']);
        const path = `${stage.home}/.codex/sessions/2026/11/21/rollout-2026-11-21T02-00-00-${agent.session}.jsonl`;
        await agent.actor.holdOpen(move(stage, path));
        const left = await leftBy(stage, agent);
        await expectNotGone(stage, left, agent.actor.pid, 'claude-code');
        expect(jobWith(await scan(stage), left.identity.pid).verdict.state).not.toBe('probable');
      }),
    );

  for (const script of [
    `${modules}/@zed-industries/claude-code-acp/dist/index.js`,
    '/tmp/home/app/node_modules/my-agent/main.js',
  ]) {
    test(
      `Claude Code 2.0 as ${script}`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage, { version: '2.0.28', argv: ['node', script] });
        await claude.foregroundSeen(leaving);
        await expectNotGone(stage, await leftBehind(stage), claude.actor.pid);
      }),
    );
  }

  test(
    'opencode in a desktop app, named by its markers',
    scene(async (stage) => {
      const agent = await opencode(stage, `${stage.home}/shop`, ['electron']);
      await expectNotGone(stage, await leftBy(stage, agent), agent.actor.pid);
    }),
  );
});

/** An agent in its own pid namespace, with this command line, and its pid there. */
const sandboxed = async (
  stage: Scene,
  program: string,
  script: string,
): Promise<{ readonly agent: Innocent; readonly pid: number }> => {
  const { ready } = innocentProgram(stage, script);
  await stage.top.start({
    file: '/usr/bin/unshare',
    argv: ['unshare', '--pid', '--fork', '--kill-child', 'sh', '-c', `${stage.program(program)} ${script} & wait`],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
  });
  const agent = await ready();
  const pids = /^NSpid:\s(.*)$/mu.exec(stage.read(`/proc/${agent.identity.pid}/status`))?.[1]?.split('\t') ?? [];
  return { agent, pid: Number(pids.at(-1)) };
};

const marksOf = (stage: Scene, pid: number, version: '2.1.329' | '2.1.197' = '2.1.329'): Record<string, string> => ({
  ...stage.userEnvironment(),
  ...childEnvironment(
    {
      version,
      session: randomUUID(),
      executable: '/app/bin/claude',
      started: '/tmp/claude-0/-home/s/started',
      pid,
      entrypoint: 'cli',
    },
    'agent',
  ),
});

const runFor = async (stage: Scene, parent: Actor, env: Record<string, string>): Promise<Innocent> => {
  const program = { file: '/bin/bash', argv: ['bash', '-c', leaving], env, cwd: stage.home, setsid: true };
  await parent.ended(await parent.start(program));
  return leftBehind(stage);
};

describe.concurrent('the pid in a marker belongs to the pid namespace in which it was made', () => {
  for (const [program, script] of [
    ['claude', '/tmp/home/sandbox/agent'],
    ['node', '/tmp/home/sandbox/host.js'],
  ] as const) {
    for (const version of ['2.1.329', '2.1.197'] as const) {
      test(
        `an agent in a sandbox (${program}, ${version}) has a broker run a command outside, which returns`,
        scene(async (stage) => {
          const { agent, pid } = await sandboxed(stage, program, script);
          const broker = await stage.actor({ argv: ['flatpak-session-helper'], setsid: true });
          const left = await runFor(stage, broker, marksOf(stage, pid, version));
          await expectNotGone(stage, left, agent.identity.pid);
        }),
      );
    }
  }

  test(
    'a process of the broker is still a child of it',
    scene(async (stage) => {
      const broker = await stage.actor({ argv: ['flatpak-session-helper'], setsid: true });
      const env = marksOf(stage, 4_000_001);
      const argv = ['sleep', '3605'];
      await broker.start({ file: '/bin/sleep', argv, env, cwd: stage.home, setsid: true });
      await expectNotGone(stage, await leftBehind(stage), broker.pid);
    }),
  );

  for (const [how, more] of [
    ['that says so', { FLATPAK_ID: 'com.example.Agent' }],
    ['of which the agent is the first process', { CLAUDE_PID: '1' }],
  ] as const) {
    test(
      `a sandbox ${how}`,
      scene(async (stage) => {
        const left = await runFor(stage, stage.top, { ...marksOf(stage, 4_000_001), ...more });
        await expectNotGone(stage, left, stage.top.pid);
      }),
    );
  }

  test(
    'Copilot in a sandbox: its lock names an inner pid',
    scene(async (stage) => {
      const { agent, pid } = await sandboxed(stage, 'node', '/tmp/home/sandbox/host.js');
      const session = randomUUID();
      stage.write(`${stage.home}/.copilot/session-state/${session}/inuse.${pid}.lock`, String(pid));
      const env = { ...stage.userEnvironment(), COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: session };
      await expectNotGone(stage, await runFor(stage, stage.top, env), agent.identity.pid);
    }),
  );
});

describe.concurrent('agents of every user can own a job', () => {
  test.skipIf(!manyUsers)(
    `Claude Code of another user ran sudo -E in the background${unlessManyUsers}`,
    scene(async (stage) => {
      const session = randomUUID();
      const agent = await stage.actor({ argv: ['claude'], uid: otherUser, setsid: true });
      const env = { ...marksOf(stage, agent.pid, '2.1.197'), CLAUDE_CODE_SESSION_ID: session };
      const left = await runFor(stage, stage.top, env);
      await expectNotGone(stage, left, agent.pid);
    }),
  );

  test.skipIf(!manyUsers)(
    `the same with the agent’s pid in its markers${unlessManyUsers}`,
    scene(async (stage) => {
      const agent = await stage.actor({ argv: ['claude'], uid: otherUser, setsid: true });
      const left = await runFor(stage, stage.top, marksOf(stage, agent.pid));
      const look = await expectSpared(stage, [left, bystander(stage, 'the agent', agent.pid)], 'codex');
      expect(jobWith(look, left.identity.pid).owner).toBe('live');
    }),
  );

  test.skipIf(!manyUsers)(
    `Gemini of another user ran it${unlessManyUsers}`,
    scene(async (stage) => {
      const script = '/tmp/home/node_modules/@google/gemini-cli/dist/index.js';
      const agent = await stage.actor({ argv: ['node', script], uid: otherUser, setsid: true });
      const left = await runFor(stage, stage.top, { ...stage.userEnvironment(), GEMINI_CLI: '1' });
      await expectNotGone(stage, left, agent.pid);
    }),
  );
});

describe.concurrent('an observed end counts', () => {
  test(
    'Gemini: every possible owner of a leftover was seen alive, and has ended',
    scene(async (stage) => {
      const agent = await gemini(stage);
      const left = await leftBy(stage, agent);
      expect(jobWith(await scan(stage), left.identity.pid).owner).not.toBe('gone');
      const app = await stage.actor({ argv: ['node', '/tmp/home/app/unrelated.js'], setsid: true });
      await agent.crash();
      expect(jobWith(await scan(stage), left.identity.pid).owner).toBe('gone');
      await reapOrphans(stage, { probable: true });
      expect(stage.lives(left.identity)).toBe(false);
      expectUntouched(stage, [bystander(stage, 'another program', app.pid)]);
    }),
  );

  test(
    'Codex: no process has the transcript of its session open',
    scene(async (stage) => {
      await stage.actor({ argv: ['node', '/tmp/home/app/unrelated.js'], setsid: true });
      const agent = await codex(stage);
      await agent.actor.ended((await agent.shell(leaving)).pid);
      const left = await leftBehind(stage);
      await agent.crash();
      const run = await runCurfew(stage, ['scan', '--explain']);
      expect(run.stdout).toContain('rollout-');
      expect(jobWith(await scan(stage), left.identity.pid).owner).toBe('gone');
    }),
  );
});
