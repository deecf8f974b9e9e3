import { accessSync, constants, existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched, innocentProgram } from '../scene/innocents.ts';
import { agents, openTerminal, terminals, type AnyAgent } from '../scene/opened-terminal.ts';
import { expectSpared, pinned } from '../scene/outcome.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';

const tmux = '/usr/bin/tmux';
const unless = (file: string): string => (existsSync(file) ? '' : ` (SKIPPED: ${file} is not on this machine)`);

/** File that `env > .env` in a tool call leaves. */
const writeMarks = (stage: Scene, { marks }: Pick<AnyAgent, 'marks'>): void => {
  const lines = Object.entries(marks).map(([name, value]) => `export ${name}='${value}'`);
  stage.write('/tmp/work/.env', `${lines.join('\n')}\n`);
};

describe.concurrent('a file brought the markers into the user’s own shell', () => {
  for (const name of ['Claude Code', 'Claude Code 2.0', 'Codex', 'Gemini', 'opencode', 'Copilot'] as const) {
    test(
      `${name}: processes started with nohup and & are spared by one pass, even after the terminal was closed`,
      scene(async (stage) => {
        const agent = await agents[name](stage);
        writeMarks(stage, agent);
        await agent.crash();
        const open = async (line: string): Promise<void> => {
          const env = stage.userEnvironment();
          const { pid } = await stage.top.begin({ file: '/bin/sh', argv: ['sh', '-c', line], env, setsid: true });
          await stage.top.ended(pid);
        };
        const terminal = await openTerminal(stage, 'foot', {}, open);
        const bots = ['a', 'b'].map((bot) => innocentProgram(stage, `/tmp/work/${bot}.js`));
        const quiet = '</dev/null >/dev/null 2>&1';
        terminal.type('. /tmp/work/.env');
        terminal.type(`nohup node /tmp/work/a.js ${quiet} & disown; (nohup node /tmp/work/b.js ${quiet} &)`);
        terminal.type(': > /tmp/work/disowned');
        const innocents = await Promise.all(bots.map((bot) => bot.ready()));
        await stage.until('the shell has let it go', () => stage.has('/tmp/work/disowned'));
        await reapOrphans(stage);
        expectUntouched(stage, innocents);
        await terminal.close();
        await expectSpared(stage, innocents);
      }),
    );
  }

  test.skipIf(!existsSync(tmux))(
    `a real tmux: a process started with setsid -f is spared by one pass after its window was closed${unless(tmux)}`,
    scene(async (stage) => {
      const agent = await agents.Codex(stage);
      writeMarks(stage, agent);
      await agent.crash();
      stage.program('/tmp/scene/path/node');
      const bot = innocentProgram(stage, '/tmp/work/bot.js');
      const start = async (...args: readonly string[]): Promise<void> => {
        const argv = ['tmux', ...args];
        const { pid } = await stage.top.begin({ file: tmux, argv, env: stage.userEnvironment(), setsid: true });
        expect((await stage.top.ended(pid)).code).toBe(0);
      };
      await start('-f', '/dev/null', 'new-session', '-d', '-s', 'work', 'bash --norc');
      await start('send-keys', '-t', 'work', '. /tmp/work/.env; setsid -f node /tmp/work/bot.js', 'Enter');
      const innocent = await bot.ready();
      await start('kill-server');
      await stage.until('tmux has ended', () => !stage.table().some(({ comm }) => comm.startsWith('tmux')));
      await expectSpared(stage, [innocent]);
    }),
  );
});

/**
 * Hierarchies in which systemd keeps its units: version 2 alone, beside version 1, its own of
 * version 1.
 */
const hierarchies = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified', '/sys/fs/cgroup/systemd'];

/** A hierarchy in which this process may create groups; null for none. */
const hierarchy =
  hierarchies.find((folder) => {
    try {
      accessSync(join(folder, 'cgroup.procs'), constants.W_OK);
      return process.getuid?.() === 0;
    } catch {
      return false;
    }
  }) ?? null;

const manager = 'user.slice/user-0.slice/user@0.service/app.slice';
let slices = 0;

/** Creates the control group of a user unit; it is removed when the scene has ended. */
const unitFolder = (stage: Scene, unit: string): string => {
  const top = join(hierarchy ?? '', `curfew-test-${process.pid}-${(slices += 1)}.slice`);
  const folder = join(top, manager, unit);
  mkdirSync(folder, { recursive: true });
  stage.atEnd(() => {
    for (let at = folder; at.length >= top.length; at = dirname(at)) rmdirSync(at);
  });
  return folder;
};

/** A command line that first moves itself into the unit, as the service manager does. */
const inUnit = (folder: string, command: string): readonly string[] => [
  'sh',
  '-c',
  `echo $$ > ${folder}/cgroup.procs; ${command}`,
];

describe.concurrent('an agent passed its markers to the service manager (import-environment, dbus-update-activation-environment)', () => {
  for (const [name, unit] of [
    ['Claude Code', 'app-org.example.Notes@4711.service'],
    ['Codex', 'app-gnome-code-4711.scope'],
    ['Gemini', 'vte-spawn-4711.scope'],
    ['Copilot', 'app-notes@autostart.service'],
  ] as const) {
    test.skipIf(hierarchy === null)(
      `${name}: a process started as ${unit} is spared${hierarchy === null ? ' (SKIPPED: no control groups may be made here)' : ''}`,
      scene(async (stage) => {
        const agent = await agents[name](stage);
        await agent.crash();
        stage.program('/tmp/scene/path/node');
        const notes = innocentProgram(stage, '/tmp/work/notes.js');
        await stage.top.begin({
          file: '/bin/sh',
          argv: inUnit(unitFolder(stage, unit), 'exec node /tmp/work/notes.js'),
          env: agent.marks,
          setsid: true,
        });
        const innocent = await notes.ready();
        await expectSpared(stage, [innocent]);
      }),
    );
  }

  test.skipIf(hierarchy === null)(
    `a leftover in the desktop’s unit of the agent’s own terminal is ended${hierarchy === null ? ' (SKIPPED: no control groups may be made here)' : ''}`,
    scene(async (stage) => {
      const folder = unitFolder(stage, 'app-org.kde.konsole@4711.service');
      const env = stage.userEnvironment();
      const argv = inUnit(folder, 'exec sleep 3598');
      const konsole = await stage.top.begin({ file: '/bin/sh', argv, env, setsid: true });
      await pinned(stage, 'sleep 3598');
      const agent = await agents.Codex(stage);
      const run = `echo $$ > ${folder}/cgroup.procs; sleep 3599 >/dev/null 2>&1 & true`;
      await agent.run(run);
      const left = await pinned(stage, 'sleep 3599');
      await agent.crash();
      expect(jobWith(await scan(stage), left[0]?.pid ?? 0).owner).toBe('gone');
      await expectProbable(stage, left);
      expectUntouched(stage, [bystander(stage, 'the terminal', konsole.pid)]);
    }),
  );
});

/** One pass leaves what only marks name; the user's `--probable` ends it. */
const expectProbable = async (stage: Scene, left: readonly Identity[]): Promise<void> => {
  await reapOrphans(stage);
  expect(left.every((one) => stage.lives(one))).toBe(true);
  await reapOrphans(stage, { probable: true });
  expectGone(stage, left);
};

describe.concurrent('leftovers of an agent’s own calls are still found', () => {
  for (const name of ['Claude Code', 'Claude Code 2.0', 'Codex', 'Gemini', 'opencode', 'Copilot'] as const) {
    for (const [how, command] of [
      ['nohup', 'nohup sleep 3600 </dev/null >/dev/null 2>&1 & true'],
      ['setsid -f', 'setsid -f sleep 3600 </dev/null >/dev/null 2>&1'],
      ['bash -i -c', `bash --norc -i -c 'sleep 3600 </dev/null >/dev/null 2>&1 &' 2>/dev/null; true`],
    ] as const) {
      test(
        `${name}: ${how}, as probable by one pass that never saw the agent`,
        scene(async (stage) => {
          const agent = await agents[name](stage);
          await agent.run(command);
          const left = await pinned(stage, 'sleep 3600');
          await agent.crash();
          expect(jobWith(await scan(stage), left[0]?.pid ?? 0).verdict.state).toBe('probable');
          await expectProbable(stage, left);
        }),
      );
    }
  }

  test(
    'in the terminal in which an agent itself ran, once a scan has seen the agent there',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage, { version: '2.1.197', env: { ...terminals.code } });
      await scan(stage);
      await claude.foregroundSeen('nohup sleep 3600 </dev/null >/dev/null 2>&1 & true');
      const left = await pinned(stage, 'sleep 3600');
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, left);
    }),
  );
});
