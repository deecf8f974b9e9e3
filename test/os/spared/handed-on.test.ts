import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jobWith, patient, reapOrphans, scan, startCurfew, runCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched, innocentProgram } from '../scene/innocents.ts';
import { expectSpared, pinned } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';

const script = '/usr/bin/script';
const tmux = '/usr/bin/tmux';
const unless = (file: string): string => (existsSync(file) ? '' : ` (SKIPPED: ${file} is not on this machine)`);

/** Waits until Curfew has scanned the current state: the scan in progress may have begun before. */
const lookedTwice = async (stage: Scene, told: () => string): Promise<void> => {
  const looks = (): number => told().split('"event":"looked"').length;
  const before = looks();
  await stage.until('two more looks', () => looks() >= before + 2);
};

describe.concurrent('processes that an agent handed to the user belong to the user', () => {
  test.skipIf(!existsSync(script))(
    `a shell in a terminal that a tool call opened survives, whatever program holds the terminal${unless(script)}`,
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/node');
      const work = innocentProgram(stage, '/tmp/work/mine.js');
      const typed = `mkfifo /tmp/keys; sleep 3601 > /tmp/keys & script -qfc 'bash --norc' /dev/null < /tmp/keys`;
      await claude.foreground(`{ ${typed} >/dev/null 2>&1 & } ; true`);
      await stage.until('the keyboard', () => stage.has('/tmp/keys'));
      const shell = await stage.find('the shell', ({ argv }) => argv.join(' ') === 'bash --norc');
      stage.append('/tmp/keys', 'node /tmp/work/mine.js\n');
      const program = await work.ready();
      await claude.crash();
      await expectSpared(stage, [
        program,
        bystander(stage, 'the shell in the terminal', shell.pid),
        bystander(stage, 'what holds the terminal', shell.ppid),
      ]);
    }),
  );

  test.skipIf(!existsSync(tmux))(
    `markers loaded from a file into the user’s shell: its processes stay, even after the terminal is closed${unless(tmux)}`,
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/node');
      const exports = Object.entries(claude.environment()).map(([name, value]) => `export ${name}='${value}'`);
      stage.write('/tmp/work/.envrc', `${exports.join('\n')}\n`);
      const bot = innocentProgram(stage, '/tmp/work/bot.js');
      await claude.foregroundSeen('nohup sleep 3605 >/dev/null 2>&1 & true');
      const [left] = await pinned(stage, 'sleep 3605');
      await runCurfew(stage, ['settings', 'set', 'orphanGraceSeconds', '1']);
      await runCurfew(stage, ['settings', 'set', 'noticeSeconds', '0']);
      await runCurfew(stage, ['settings', 'set', 'scanIntervalSeconds', '0.2']);
      const watch = await startCurfew(stage, ['watch', '--enforce', '--json']);
      const own = stage.userEnvironment();
      const start = async (...args: readonly string[]): Promise<void> => {
        const { pid } = await stage.top.begin({
          file: tmux,
          argv: ['tmux', ...args],
          env: own,
          cwd: stage.home,
          setsid: true,
        });
        expect((await stage.top.ended(pid)).code).toBe(0);
      };
      await start('-f', '/dev/null', 'new-session', '-d', '-s', 'own', 'bash --norc');
      await start('new-session', '-d', '-s', 'work', 'bash --norc');
      await start(
        'send-keys',
        '-t',
        'work',
        '. /tmp/work/.envrc; nohup node /tmp/work/bot.js >/dev/null 2>&1 & disown; : > /tmp/work/disowned',
        'Enter',
      );
      const program = await bot.ready();
      // Until then its shell would forward the hangup when its terminal is closed.
      await stage.until('the shell has let it go', () => stage.has('/tmp/work/disowned'));
      await lookedTwice(stage, watch.stdout);
      await start('kill-session', '-t', 'work');
      await stage.until('the terminal is closed', () => stage.row(program.identity.pid)?.ppid === stage.top.pid);
      await claude.crash();
      await stage.until('the real leftover is ended', () => left !== undefined && !stage.lives(left));
      await lookedTwice(stage, watch.stdout);
      expectUntouched(stage, [program]);
      await watch.signal('TERM');
      await watch.ended();
    }),
  );

  test(
    'a killed launcher leaves its agent running, and the agent’s commands stay',
    scene(async (stage) => {
      const launcher = await stage.actor({ argv: ['qwen'], setsid: true });
      const agent = await stage.actor({ argv: ['node', '/opt/agent/main.js'], parent: launcher });
      const env = { ...stage.userEnvironment(), QWEN_CODE: '1' };
      const command = {
        file: '/bin/bash',
        argv: ['/bin/bash', '-c', 'sleep 3600; true'],
        env,
        cwd: stage.home,
        setsid: true,
      };
      const { pid } = await agent.begin(command);
      const [sleeper] = await pinned(stage, 'sleep 3600');
      const argv = ['/bin/bash', '-c', '(sleep 3599 </dev/null >/dev/null 2>&1 &); read _; true'];
      const short = await agent.start({ ...command, argv, fds: { 0: 'pipe' } });
      const [detached] = await pinned(stage, 'sleep 3599');
      const look = await scan(stage);
      expect([pid, short].map((one) => jobWith(look, one).owner)).toEqual(['live', 'live']);
      await agent.closeEnd(short, 0);
      await agent.ended(short);
      await stage.first.signal(launcher.pid, 'KILL');
      await stage.until('the launcher is gone', () => stage.row(launcher.pid) === null);
      const spared = await expectSpared(stage, [
        bystander(stage, 'the agent', agent.pid),
        bystander(stage, 'its command', pid),
        bystander(stage, 'what that runs', sleeper?.pid ?? 0),
        bystander(stage, 'what a call left that has returned', detached?.pid ?? 0),
      ]);
      expect([pid, detached?.pid ?? 0].map((one) => jobWith(spared, one).owner)).toEqual(['unknown', 'unknown']);
      await stage.first.signal(agent.pid, 'KILL');
      await stage.until('the agent is gone', () => stage.row(agent.pid) === null);
      const ends = (await reapOrphans(stage, patient)).incidents.map(({ outcome }) => outcome);
      expect(ends).toEqual(['reaped', 'reaped']);
    }),
  );

  test(
    'nor is the agent ended where it carries the mark itself, in its launcher’s group; a call there is',
    scene(async (stage) => {
      const env = { ...stage.userEnvironment(), CRUSH: '1', AI_AGENT: 'crush' };
      const launcher = await stage.actor({ argv: ['crush'], setsid: true });
      const agent = await stage.actor({ argv: ['node', '/opt/agent/main.js'], parent: launcher, env });
      const argv = ['/bin/bash', '-c', 'sleep 3598; true'];
      const fds = { 0: '/dev/null', 1: 'pipe', 2: 'pipe' } as const;
      const call = await launcher.begin({ file: '/bin/bash', argv, env, fds });
      const look = await scan(stage, ['--all']);
      expect([agent.pid, call.pid].map((pid) => jobWith(look, pid).proof)).toEqual(['claimed', 'look']);
      await stage.first.signal(launcher.pid, 'KILL');
      await stage.until('the launcher is gone', () => stage.row(launcher.pid) === null);
      await reapOrphans(stage, patient);
      expectGone(stage, [call]);
      expectUntouched(stage, [bystander(stage, 'the agent', agent.pid)]);
      const { owner, verdict } = jobWith(await scan(stage, ['--all']), agent.pid);
      expect([owner, verdict.state]).toEqual(['unknown', 'within']);
    }),
  );
});
