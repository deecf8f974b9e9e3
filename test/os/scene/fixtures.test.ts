import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from './claude.ts';
import { innocent, expectUntouched } from './innocents.ts';
import { codex, copilot, cursor, gemini, mux, opencode } from './other-agents.ts';
import { type Row, readDescriptor, readEnvironment } from './processes.ts';
import { type Scene, scene } from './scene.ts';

/**
 * Tests of the fixtures: they are useful only while they look like the real programs (agents.md).
 */

const running = (stage: Scene, ...argv: readonly string[]): Promise<Row> =>
  stage.find(argv.join(' '), (row) => row.argv.join(' ') === argv.join(' '));

describe.concurrent('a fake Claude Code looks like the real one', () => {
  for (const version of ['2.0.28', '2.1.197', '2.1.329'] as const) {
    test(
      `${version}: tool shells lead sessions, leftovers keep the group of the dead shell`,
      scene(async (stage) => {
        const old = version === '2.0.28';
        const claude = await FakeClaude.start(stage, { version });
        expect(stage.row(claude.actor.pid)).toMatchObject({
          argv: ['claude'],
          comm: old ? 'node' : 'claude',
        });
        const call = await claude.bash('sleep 3600 | cat');
        const shell = stage.row(call.shell.pid);
        expect(shell).toMatchObject({ ppid: claude.actor.pid, pgid: call.shell.pid, sid: call.shell.pid });
        expect(shell?.argv.at(-1)).toMatch(/^source \S+\/\.claude\/shell-snapshots\/snapshot-bash-\d+-[a-z0-9]+\.sh/);
        expect(shell?.argv.at(-1)).toMatch(/ && pwd -P >\| \/tmp\/claude-[0-9a-f]{4}-cwd$/);
        const sleeper = await running(stage, 'sleep', '3600');
        expect(sleeper).toMatchObject({ ppid: call.shell.pid, pgid: call.shell.pid });

        const returned = await claude.foreground(`sleep 3601 & echo "it's" plain`);
        const leftover = await running(stage, 'sleep', '3601');
        expect(leftover).toMatchObject({ ppid: stage.top.pid, pgid: returned.shell.pid, sid: returned.shell.pid });
        expect(readEnvironment(stage.proc, leftover.pid)['CLAUDECODE']).toBe('1');
        const output = readDescriptor(stage.proc, leftover.pid, 1);
        expect(output.replace(/^socket:.*/, 'a socket')).toBe(old ? 'a socket' : `${returned.output} (deleted)`);

        await claude.crash();
        expect(stage.row(sleeper.pid)?.ppid).toBe(call.shell.pid);
        expect(stage.row(call.shell.pid)?.ppid).toBe(stage.top.pid);
        const registry = old ? [] : readdirSync(stage.outside(`${stage.home}/.claude/sessions`));
        expect(registry).toEqual(old ? [] : [`${claude.actor.pid}.json`]);
      }),
    );
  }

  test(
    'the zsh form, setsid, nohup and a double fork keep the markers',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage, { shell: 'zsh' });
      const call = await claude.bash('sleep 3600 | cat');
      expect(stage.row(call.shell.pid)?.argv.slice(0, 2)).toEqual(['/bin/zsh', '-c']);
      await claude.foreground('setsid nohup sleep 3604 >/dev/null 2>&1 &');
      await claude.foreground('( ( setsid sleep 3606 >/dev/null 2>&1 </dev/null & ) & )');
      for (const seconds of ['3604', '3606']) {
        const row = await running(stage, 'sleep', seconds);
        expect(row).toMatchObject({ ppid: stage.top.pid, pgid: row.pid, sid: row.pid });
        expect(readEnvironment(stage.proc, row.pid)).toMatchObject({
          CLAUDE_CODE_SESSION_ID: claude.session,
          CLAUDE_PID: String(claude.actor.pid),
          AI_AGENT: 'claude-code_2-1-329_agent',
        });
      }
      await claude.end();
      await stage.until('the shell is collected', () => stage.row(call.shell.pid) === null);
      expect(stage.has(claude.registration)).toBe(false);
    }),
  );
});

describe.concurrent('the other agents look like the real ones', () => {
  test(
    'Codex, Copilot, Gemini, opencode: shells lead sessions and carry their markers',
    scene(async (stage) => {
      const agents = { codex, copilot, gemini, opencode };
      const marks = {
        codex: 'CODEX_SESSION_ID',
        copilot: 'COPILOT_AGENT_SESSION_ID',
        gemini: 'GEMINI_CLI',
        opencode: 'OPENCODE_PID',
      };
      for (const [name, start] of Object.entries(agents)) {
        const agent = await start(stage);
        const shell = await agent.shell('sleep 3600; true');
        expect(stage.row(shell.pid)).toMatchObject({ ppid: agent.actor.pid, pgid: shell.pid, sid: shell.pid });
        expect(readEnvironment(stage.proc, shell.pid)).toHaveProperty(marks[name as keyof typeof marks]);
        await agent.crash();
        expect(stage.row(shell.pid)?.ppid).toBe(stage.top.pid);
      }
    }),
  );

  test(
    'Cursor: a group without its own session',
    scene(async (stage) => {
      const agent = await cursor(stage);
      const shell = await agent.shell('sleep 3600; true');
      expect(stage.row(shell.pid)).toMatchObject({ pgid: shell.pid, sid: agent.actor.pid });
    }),
  );

  test(
    'mux: the subreaper adopts the shell while mux runs; its session leader is dead, its environment unmarked',
    scene(async (stage) => {
      const agent = await mux(stage);
      const shell = await agent.shell('sleep 3600; true');
      const row = stage.row(shell.pid);
      expect(row).toMatchObject({ ppid: stage.top.pid, pgid: shell.pid });
      expect(row?.argv.at(-1)).toMatch(/^__MUX_EXIT_CODE_PATH='/);
      expect(stage.row(row?.sid ?? 0)).toBeNull();
      expect(readEnvironment(stage.proc, shell.pid)).not.toHaveProperty('MUX_WORKSPACE_ID');
      const child = await running(stage, 'sleep', '3600');
      expect(readEnvironment(stage.proc, child.pid)).toHaveProperty('MUX_WORKSPACE_ID');
    }),
  );
});

describe.concurrent('a tool shell that returns at once', () => {
  for (const [name, start] of Object.entries({ codex, copilot, cursor, gemini, mux, opencode }))
    test(
      `leaves nothing to collect: ${name}`,
      scene(async (stage) => {
        const agent = await start(stage);
        for (let turn = 0; turn < 4; turn++) {
          const shell = await agent.shell('true');
          await stage.until('it is gone', () => !stage.lives(shell));
          // This can't be checked for mux: the parent of its shell is unrelated to it.
          expect(shell.start).toMatch(name === 'mux' ? /^\d*$/ : /^\d+$/);
        }
      }),
    );
});

describe.concurrent('innocents record signals', () => {
  test(
    'a signal is in the diary, and fails the check that nothing was touched',
    scene(
      async (stage) => {
        const bot = await innocent(stage, { argv: ['node', 'dist/bot.js'], cwd: `${stage.home}/bot` });
        expect(stage.row(bot.identity.pid)).toMatchObject({ argv: ['node', 'dist/bot.js'], comm: 'node', ppid: 1 });
        expectUntouched(stage, [bot]);
        await stage.first.signal(bot.identity.pid, 'CONT');
        await stage.until('it noticed', () => stage.read(bot.diary ?? '').includes('CONT'));
        expect(() => {
          expectUntouched(stage, [bot]);
        }).toThrow(/the diary of node dist\/bot\.js/);
        await stage.first.signal(bot.identity.pid, 'KILL');
        await stage.until('it is gone', () => stage.row(bot.identity.pid) === null);
        expect(() => {
          expectUntouched(stage, [bot]);
        }).toThrow(/lives/);
      },
      { adopter: 'init' },
    ),
  );

  test(
    'a pid can be reused',
    scene(async (stage) => {
      const env = stage.userEnvironment();
      const first = await stage.top.start({ file: '/bin/sleep', argv: ['sleep', '0'], env });
      await stage.top.ended(first);
      const again = await stage.top.start({ file: '/bin/sleep', argv: ['sleep', '3600'], env, pid: first });
      expect(again).toBe(first);
    }),
  );
});
