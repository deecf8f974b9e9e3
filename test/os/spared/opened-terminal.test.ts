import { describe, expect, test } from 'vitest';
import { scan, startCurfew, type Running } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { expectUntouched, innocentProgram, type Innocent } from '../scene/innocents.ts';
import { agents, openTerminal, terminals } from '../scene/opened-terminal.ts';
import { expectSpared } from '../scene/outcome.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { type Scene, scene } from '../scene/scene.ts';
import type { Scan } from '../scene/schemas.ts';

const quick = { orphanGraceSeconds: 0, noticeSeconds: 0, scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 1 };

const stop = async (watch: Running): Promise<void> => {
  await watch.signal('TERM');
  await watch.ended();
};

/**
 * A leftover of another session, which a `watch` must end: one that does nothing spares everything.
 */
const untilLeftoverEnds = async (stage: Scene): Promise<void> => {
  const victim = await FakeClaude.start(stage, { project: `${stage.home}/victim` });
  const { shell } = await victim.bash('sleep 7777 | cat');
  await victim.crash();
  await stage.until('the real leftover is ended', () => !stage.lives(shell));
};

const isGone = (look: Scan, { identity }: Innocent): boolean =>
  look.jobs.some((job) => job.owner === 'gone' && job.members.some(({ pid }) => pid === identity.pid));

/**
 * Each agent with a different terminal; without the terminal's variables only its processes show
 * it.
 */
const pairs = [
  ['Claude Code', 'zellij', true],
  ['Claude Code 2.0', 'gnome-terminal-server', true],
  ['Codex', 'code', false],
  ['Gemini', 'wezterm-gui', false],
  ['opencode', 'zellij', false],
  ['Copilot', 'foot', false],
] as const;

describe.concurrent('a user works in a terminal or editor that a tool call opened', () => {
  for (const [agentName, terminalName, named] of pairs) {
    const names = named ? terminals[terminalName] : {};
    const start = (stage: Scene) => agents[agentName](stage);

    test(
      `${agentName}, ${terminalName}: processes started with nohup and & are spared by one pass after the terminal was closed`,
      scene(async (stage) => {
        const agent = await start(stage);
        const terminal = await openTerminal(stage, terminalName, names, agent.run);
        const bot = innocentProgram(stage, '/tmp/work/bot.js');
        terminal.type('nohup node /tmp/work/bot.js >/dev/null 2>&1 & disown; : > /tmp/work/disowned');
        const innocent = await bot.ready();
        await stage.until('the shell has let it go', () => stage.has('/tmp/work/disowned'));
        await terminal.close();
        await agent.crash();
        expect(isGone(await expectSpared(stage, [innocent]), innocent)).toBe(false);
      }),
    );

    test(
      `${agentName}, ${terminalName}: a process started with setsid -f under watch stays after the terminal was closed and after a restart`,
      scene(async (stage) => {
        writeSettings(stage, quick);
        const agent = await start(stage);
        const terminal = await openTerminal(stage, terminalName, names, agent.run);
        const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
        await afterLooks(stage, watch, 2);
        const bot = innocentProgram(stage, '/tmp/work/bot.js');
        const job = innocentProgram(stage, '/tmp/work/job.js');
        terminal.type('setsid -f node /tmp/work/bot.js </dev/null >/dev/null 2>&1');
        terminal.type('nohup node /tmp/work/job.js </dev/null >/dev/null 2>&1 & disown; : > /tmp/work/disowned');
        const innocents = [await bot.ready(), await job.ready()];
        await stage.until('the shell has let it go', () => stage.has('/tmp/work/disowned'));
        await afterLooks(stage, watch, 2);
        await agent.crash();
        await afterLooks(stage, watch, 3);
        expectUntouched(stage, innocents);
        await terminal.close();
        await afterLooks(stage, watch, 3);
        expectUntouched(stage, innocents);
        await stop(watch);
        const again = await startCurfew(stage, ['watch', '--json', '--enforce']);
        await untilLeftoverEnds(stage);
        await afterLooks(stage, again, 3);
        expectUntouched(stage, innocents);
        await stop(again);
        await expectSpared(stage, innocents);
      }),
    );
  }

  test(
    'setsid -f in a terminal with its own variables is spared by one pass, even if the terminal is closed and no scan ever saw the agent',
    scene(async (stage) => {
      const agent = await agents.Codex(stage);
      const terminal = await openTerminal(stage, 'wezterm-gui', terminals['wezterm-gui'], agent.run);
      const bot = innocentProgram(stage, '/tmp/work/bot.js');
      terminal.type('setsid -f node /tmp/work/bot.js </dev/null >/dev/null 2>&1');
      const innocent = await bot.ready();
      await terminal.close();
      await agent.crash();
      expect(isGone(await expectSpared(stage, [innocent]), innocent)).toBe(false);
    }),
  );

  test(
    'setsid -f with the closed terminal as standard input is spared by one pass, in a terminal without its own variables',
    scene(async (stage) => {
      const agent = await agents.Copilot(stage);
      const terminal = await openTerminal(stage, 'foot', {}, agent.run);
      const bot = innocentProgram(stage, '/tmp/work/bot.js');
      terminal.type('setsid -f node /tmp/work/bot.js >/dev/null 2>&1');
      const innocent = await bot.ready();
      await terminal.close();
      await agent.crash();
      expect(isGone(await expectSpared(stage, [innocent]), innocent)).toBe(false);
    }),
  );

  test(
    'one pass saw the terminal open, the next one finds it closed: a setsid -f in between is spared',
    scene(async (stage) => {
      const agent = await agents.Gemini(stage);
      const terminal = await openTerminal(stage, 'foot', {}, agent.run);
      await scan(stage);
      const bot = innocentProgram(stage, '/tmp/work/bot.js');
      terminal.type('setsid -f node /tmp/work/bot.js </dev/null >/dev/null 2>&1');
      const innocent = await bot.ready();
      await terminal.close();
      await agent.crash();
      expect(isGone(await expectSpared(stage, [innocent]), innocent)).toBe(false);
    }),
  );

  test(
    'with the editor still open a process with markers alone may be the user’s, a tool shell’s command is not',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const claude = await FakeClaude.start(stage, { version: '2.1.197' });
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      const open = async (line: string): Promise<void> => void (await claude.foregroundSeen(line));
      const editor = await openTerminal(stage, 'code', terminals.code, open);
      const call = await claude.bash('sleep 3600 >/dev/null 2>&1 & until test -e /tmp/seen; do sleep 0.1; done');
      const sleeper = await stage.find('the command', ({ argv }) => argv.join(' ') === 'sleep 3600');
      const left = stage.identity(sleeper.pid);
      await afterLooks(stage, watch, 2);
      stage.write('/tmp/seen', '');
      await claude.actor.ended(call.shell.pid);
      await claude.crash();
      await stage.until('what a look saw below the tool shell is ended', () => !stage.lives(left));
      expect(stage.row(editor.pid)?.argv[0]).toMatch(/\/code$/u);
      await stop(watch);
    }),
  );
});
