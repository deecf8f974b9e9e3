import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { history, reap, runCurfew, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { StageError } from '../scene/stage-error.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { endLeftOpen, leftOpenIn } from './left-open.ts';

const socket = '/tmp/work/tmux.sock';
const tmux = `tmux -S ${socket} -f /dev/null`;

const running = async (stage: Scene, command: string): Promise<Identity> =>
  stage.identity((await stage.find(command, ({ argv }) => argv.join(' ') === command)).pid);

/** What the user types in a shell of their own. */
const typed = async (stage: Scene, ...argv: readonly [string, ...string[]]): Promise<void> => {
  const { pid } = await stage.top.begin({
    file: `/usr/bin/${argv[0]}`,
    argv,
    env: { ...stage.userEnvironment(), TERM: 'xterm' },
    cwd: stage.home,
    setsid: true,
  });
  expect((await stage.top.ended(pid)).code).toBe(0);
};

/** The user looks at a session, in a terminal of their own. */
const attach = async (stage: Scene, command: string): Promise<Identity> => {
  await stage.top.begin({
    file: '/usr/bin/script',
    argv: ['script', '-q', '-c', command, '/dev/null'],
    env: { ...stage.userEnvironment(), TERM: 'xterm', SCREENDIR: '/tmp/work/screens' },
    cwd: stage.home,
    setsid: true,
    fds: { 0: 'pipe', 1: '/dev/null', 2: '/dev/null' },
  });
  return running(stage, command);
};

type LeftOpen = Awaited<ReturnType<typeof leftOpenIn>>[number];

/** Looks until the session at this place is refused for that: its server hears of clients later. */
const refusedFor = async (stage: Scene, what: string, at = 0): Promise<LeftOpen> => {
  for (let turn = 0; turn < 60; turn++) {
    const one = (await leftOpenIn(stage))[at];
    if (one?.refusal?.includes(what) === true) return one;
  }
  throw new StageError(`waited in vain: ${what}`);
};

const withScreen = { env: { SCREENDIR: '/tmp/work/screens' } };

const screens = (stage: Scene): void => {
  stage.folder('/tmp/work/screens');
};

describe.concurrent('a session of tmux that a tool call opened', () => {
  test(
    'is reported with what it runs, stays by itself, and is ended by the user through tmux alone',
    scene(async (stage) => {
      writeSettings(stage, { orphanGraceSeconds: 0, noticeSeconds: 0, scanIntervalSeconds: 0.5, mode: 'enforce' });
      const claude = await FakeClaude.start(stage);
      stage.folder('/tmp/work');
      await claude.foreground(`${tmux} new-session -d -s build 'sleep 4000; true'`);
      const inside = await running(stage, 'sleep 4000');
      const server = await stage.find('the server', ({ argv }) => argv[0] === 'tmux' && argv.includes('new-session'));
      expect((await leftOpenIn(stage))[0]).toMatchObject({ owner: 'live', canEnd: true });
      await claude.crash();
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await afterLooks(stage, watch, 5);
      await watch.signal('TERM');
      await watch.ended();
      await reap(stage, ['--max-age', '0s']);
      await reap(stage, ['--session', claude.session]);
      expectUntouched(stage, [
        bystander(stage, 'what runs in the session', inside.pid),
        bystander(stage, 'the server', server.pid),
      ]);
      const [one, ...rest] = await leftOpenIn(stage);
      expect(rest).toEqual([]);
      expect(one).toMatchObject({ keeper: 'tmux', name: 'build', owner: 'gone', canEnd: true, refusal: null });
      expect(one?.processes.map(({ pid }) => pid)).toContain(inside.pid);
      const dry = await runCurfew(stage, ['reap', '--left-open', one?.id ?? '', '--dry-run']);
      expect(dry.stdout).toContain(`tmux -S ${socket} kill-session -t '$0'`);
      expect(stage.lives(inside)).toBe(true);
      expect((await endLeftOpen(stage, one?.id ?? '')).code).toBe(0);
      expectGone(stage, [inside]);
      expect(await leftOpenIn(stage)).toEqual([]);
      expect(await history(stage)).toMatchObject([
        // `--session` leaves the server, which only marks name.
        { decidedBy: 'command', outcome: 'reaped', rule: 'left-open-tmux', signals: [] },
      ]);
      expect((await endLeftOpen(stage, one?.id ?? '')).code).toBe(2);
    }),
  );

  test(
    'is protected while a client is attached and ever after',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.folder('/tmp/work');
      await claude.foreground(`${tmux} new-session -d -s build 'sleep 4000; true'`);
      const inside = await running(stage, 'sleep 4000');
      await claude.crash();
      const [before] = await leftOpenIn(stage);
      expect(before?.canEnd).toBe(true);
      const client = await attach(stage, `tmux -S ${socket} attach`);
      await refusedFor(stage, 'a client is attached');
      expect((await endLeftOpen(stage, before?.id ?? '')).code).toBe(1);
      await stage.first.signal(client.pid, 'HUP');
      await stage.until('the client is gone', () => !stage.lives(client));
      await refusedFor(stage, 'was attached');
      expect((await endLeftOpen(stage, before?.id ?? '')).code).toBe(1);
      expectUntouched(stage, [bystander(stage, 'what runs in the session', inside.pid)]);
      expect(await history(stage)).toEqual([]);
    }),
  );

  test(
    'leaves alone what the user opened on the same server, and every server of the user',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.folder('/tmp/work');
      await typed(
        stage,
        'tmux',
        '-S',
        '/tmp/work/own.sock',
        '-f',
        '/dev/null',
        'new-session',
        '-d',
        'sleep 4010; true',
      );
      await claude.foreground(`tmux -S /tmp/work/own.sock new-session -d 'sleep 4011; true'`);
      await claude.foreground(`${tmux} new-session -d -s build 'sleep 4012; true'`);
      await typed(stage, 'tmux', '-S', socket, 'new-session', '-d', '-s', 'mine', 'sleep 4013; true');
      const [own, beside, agents, mine] = await Promise.all(
        ['sleep 4010', 'sleep 4011', 'sleep 4012', 'sleep 4013'].map((command) => running(stage, command)),
      );
      if (own === undefined || beside === undefined || agents === undefined || mine === undefined) throw new Error();
      await claude.crash();
      const found = await leftOpenIn(stage);
      expect(found.map(({ name, canEnd }) => ({ name, canEnd }))).toEqual([
        { name: 'build', canEnd: true },
        { name: 'mine', canEnd: false },
      ]);
      expect((await endLeftOpen(stage, found[1]?.id ?? '')).code).toBe(1);
      expect((await endLeftOpen(stage, found[0]?.id ?? '')).code).toBe(0);
      expectGone(stage, [agents]);
      expectUntouched(stage, [
        bystander(stage, 'the user’s own server', own.pid),
        bystander(stage, 'a session on the user’s server', beside.pid),
        bystander(stage, 'the user’s session on the agent’s server', mine.pid),
      ]);
    }),
  );

  test(
    'is not ended where an agent, an editor or a kept program runs in it, or its server does not answer',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.folder('/tmp/work');
      const script = stage.write('/tmp/work/agent.sh', `exec -a claude python3 -c 'import time; time.sleep(9999)'\n`);
      const kinds = {
        agent: `bash ${script}`,
        kept: 'CURFEW_KEEP=1 sleep 4021; true',
        editor: 'exec -a vim sleep 4022',
        stopped: 'sleep 4023; true',
      };
      for (const [name, command] of Object.entries(kinds))
        await claude.foreground(
          `tmux -S /tmp/work/${name} -f /dev/null new-session -d -s ${name} "bash -c '${command}'"`,
        );
      await claude.crash();
      const server = await stage.find('the server', ({ argv }) => argv.includes('/tmp/work/stopped'));
      await stage.first.signal(server.pid, 'STOP');
      const found = await leftOpenIn(stage);
      expect(found).toHaveLength(4);
      expect(found.filter(({ canEnd }) => canEnd)).toEqual([]);
      for (const { id } of found.slice(0, 2)) expect((await endLeftOpen(stage, id)).code).toBe(1);
      expect(await history(stage)).toEqual([]);
    }),
  );
});

// screen gives its terminal to another group.
describe.skipIf(!manyUsers).concurrent(`a session of screen that a tool call opened${unlessManyUsers}`, () => {
  test(
    'is not ended where the user was in it and left it again: that is said, with the command',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      screens(stage);
      await claude.foreground(`chmod 700 /tmp/work/screens; screen -dmS watcher sleep 4001`, withScreen);
      const inside = await running(stage, 'sleep 4001');
      await claude.crash();
      // It lasts until the file system tells a client from the beginning of the session.
      await sleep(4000);
      expect((await leftOpenIn(stage))[0]).toMatchObject({ canEnd: true });
      const client = await attach(stage, 'screen -r watcher');
      await refusedFor(stage, 'a client is attached');
      await stage.first.signal(client.pid, 'HUP');
      await stage.until('the client is gone', () => !stage.lives(client));
      const { id } = await refusedFor(stage, 'was attached');
      const { code, said } = await endLeftOpen(stage, id);
      expect([code, said]).toEqual([1, expect.stringMatching(/You can: screen -S \d+\.watcher -X quit/u)]);
      expectUntouched(stage, [bystander(stage, 'what runs in it', inside.pid)]);
    }),
  );

  test(
    'is reported, protected while a client is attached, and ended by the user through screen alone',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      screens(stage);
      await claude.foreground(`chmod 700 /tmp/work/screens; screen -dmS watcher sleep 4001`, withScreen);
      await claude.foreground(`screen -dmS other sleep 4002`, withScreen);
      const [inside, other] = [await running(stage, 'sleep 4001'), await running(stage, 'sleep 4002')];
      await claude.crash();
      const found = await leftOpenIn(stage);
      expect(found.map(({ keeper, name, canEnd }) => ({ keeper, name, canEnd }))).toEqual([
        { keeper: 'screen', name: 'watcher', canEnd: true },
        { keeper: 'screen', name: 'other', canEnd: true },
      ]);
      await attach(stage, 'screen -r other');
      await refusedFor(stage, 'a client is attached', 1);
      expect((await endLeftOpen(stage, found[1]?.id ?? '')).code).toBe(1);
      expect((await endLeftOpen(stage, found[0]?.id ?? '')).code).toBe(0);
      expectGone(stage, [inside]);
      expectUntouched(stage, [bystander(stage, 'what runs in the session that the user looks at', other.pid)]);
    }),
  );
});
