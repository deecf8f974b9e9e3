import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, sessionA, sessionB } from '../plant.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const env = claudeEnvironment({ pid: 34 });
/**
 * A tool call that goes on beside whatever it started, so that there is a job to be mixed up with.
 */
const call: Plant = { pid: 69, ppid: 34, sid: 69, argv: claudeShell('sleep 3600'), env };
const ofTheCall = { root: 69, members: [69] };

/**
 * What a tool call started that the user works with: it has a kernel session of its own, and
 * carries the marks on.
 */
const started = (pid: number, argv: string, more: Partial<Plant> = {}): Plant => ({ pid, argv, env, ...more });

/** tmux as a tool call starts it, and the shell of its only pane. */
const inTmux = { ...env, TMUX: '/tmp/tmux-1000/default,200,0', TMUX_PANE: '%0' };
const tmux: readonly Plant[] = [
  started(200, 'tmux new-session -d -s work', { comm: 'tmux: server' }),
  { pid: 201, ppid: 200, sid: 201, tty: 34_816, argv: ['-bash'], env: inTmux },
];

describe('the user works in what a tool call opened: the marks were only handed on', () => {
  test('tmux: its server is shown as protected, and what runs in it is no job', () => {
    const world = new World(agent, call, ...tmux, { pid: 210, ppid: 201, pgid: 210, argv: 'npm run dev', env: inTmux });
    world.end(34);
    const look = world.look();
    expect(look.found).toEqual([
      { ...ofTheCall, owner: 'gone' },
      { root: 200, members: [200], owner: 'unproved' },
    ]);
    expect(look.vetoes(200)).toContain('multiplexer');
  });

  test('tmux: what the user put into the background there stays theirs when its own parent has ended', () => {
    // `(npm run dev &)`: parent 1, but in the pane's kernel session, whose leader lives.
    const world = new World(agent, call, ...tmux, {
      pid: 210,
      sid: 201,
      pgid: 209,
      tty: 34_816,
      argv: 'npm run dev',
      env: inTmux,
    });
    world.end(34);
    expect(world.look().members).not.toContain(210);
  });

  test('tmux: what the user left behind with nohup when the pane was closed, while the server lives', () => {
    const world = new World(agent, call, ...tmux, { pid: 210, ppid: 201, pgid: 210, argv: 'node bot.js', env: inTmux });
    world.end(201, 34);
    world.change(210, { tty: 0 });
    expect(world.look().members).not.toContain(210);
  });

  test('tmux: what the user left behind, when the server has ended too, is still theirs for a Curfew that saw it there', () => {
    const world = new World(agent, call, ...tmux, { pid: 210, ppid: 201, pgid: 210, argv: 'node bot.js', env: inTmux });
    expect(world.look().members).not.toContain(210);
    world.end(201, 200);
    world.change(210, { tty: 0 });
    world.start({ pid: 211, ppid: 210, argv: 'node worker.js', env: inTmux });
    expect(world.look().members).not.toContain(210);
    world.end(34);
    const look = world.look();
    expect(look.members).not.toContain(210);
    expect(look.members).not.toContain(211);
    expect(look.found).toEqual([{ ...ofTheCall, owner: 'gone' }]);
  });

  test('an own terminal, where a file had set the marks (direnv, export): what was started in it stays the user’s', () => {
    const world = new World(
      agent,
      call,
      { pid: 20, argv: 'xterm', env: {} },
      { pid: 21, ppid: 20, sid: 21, tty: 34_816, argv: 'bash', env: {} },
      { pid: 210, ppid: 21, pgid: 210, argv: 'node bot.js', env },
    );
    expect(world.look().members).not.toContain(210);
    world.end(21, 20);
    world.change(210, { tty: 0 });
    world.end(34);
    expect(world.look().found).toEqual([{ ...ofTheCall, owner: 'gone' }]);
  });

  test('an agent in a tmux that no tool call started: its leftovers name that tmux as well, and are leftovers', () => {
    const own = { ...env, TMUX: '/tmp/tmux-1000/default,20,0' };
    const world = new World(
      { pid: 20, argv: 'tmux', comm: 'tmux: server' },
      { pid: 21, ppid: 20, sid: 21, tty: 34_816, argv: ['-bash'] },
      { ...agent, ppid: 21 },
      { pid: 81, sid: 80, pgid: 80, argv: 'sleep 3605', env: own },
    );
    world.machine.change(34, { env: { TMUX: own.TMUX } });
    world.look();
    world.end(34);
    expect(world.look().found).toEqual([{ root: 81, members: [81], owner: 'gone' }]);
  });

  test('screen: the same by STY', () => {
    const inScreen = { ...env, STY: '200.pts-0.host' };
    const world = new World(agent, call, started(200, 'SCREEN -dmS work', { comm: 'screen' }), {
      pid: 210,
      sid: 201,
      pgid: 210,
      argv: 'node bot.js',
      env: inScreen,
    });
    world.end(34);
    expect(world.look().members).not.toContain(210);
  });

  test('an agent that the user starts in that tmux: its own calls are its jobs, and orphans when it is killed', () => {
    const inner = { ...claudeEnvironment({ pid: 220, session: sessionB }), TMUX: inTmux.TMUX };
    const world = new World(
      agent,
      ...tmux,
      { pid: 220, ppid: 201, pgid: 220, argv: 'claude', env: inTmux },
      { pid: 230, ppid: 220, sid: 230, tty: 0, argv: claudeShell('sleep 9'), env: inner },
      { pid: 241, sid: 240, pgid: 240, argv: 'sleep 10', env: inner },
    );
    const jobs = [
      { root: 230, members: [230] },
      { root: 241, members: [241] },
    ];
    expect(world.look().found.filter(({ root }) => root > 220)).toEqual(jobs.map((job) => ({ ...job, owner: 'live' })));
    world.register('claude-code', sessionA, 34);
    world.end(220);
    expect(world.look().found.filter(({ root }) => root > 220)).toEqual(jobs.map((job) => ({ ...job, owner: 'gone' })));
  });

  test('Visual Studio Code: the window, its terminals and what runs in them', () => {
    const world = new World(
      agent,
      started(300, '/usr/share/code/code --no-sandbox /home/me/shop', { comm: 'code' }),
      { pid: 301, ppid: 300, argv: '/usr/share/code/code --type=utility', comm: 'code', env },
      { pid: 302, ppid: 301, sid: 302, tty: 34_817, argv: '/bin/bash --init-file shellIntegration-bash.sh', env },
      { pid: 303, ppid: 302, pgid: 303, argv: 'npm run dev', env },
      { pid: 304, ppid: 301, sid: 304, argv: 'node tsserver.js', env },
    );
    world.end(34);
    const look = world.look();
    expect(look.found).toEqual([{ root: 300, members: [300], owner: 'unproved' }]);
    expect(look.vetoes(300)).toContain('editor');
  });

  test('a browser that was opened in a session of its own, and its crash handler, which has another parent', () => {
    const world = new World(
      agent,
      started(400, '/opt/google/chrome/chrome https://localhost:3000', { comm: 'chrome' }),
      { pid: 401, ppid: 400, argv: '/opt/google/chrome/chrome --type=renderer', comm: 'chrome', env },
      {
        pid: 402,
        sid: 400,
        pgid: 400,
        argv: '/opt/google/chrome/chrome_crashpad_handler --monitor-self',
        comm: 'chrome_crashpad',
        env,
      },
    );
    world.end(34);
    const look = world.look();
    expect(look.members).not.toContain(402);
    expect(look.vetoes(400)).toContain('shared-daemon');
  });

  test('a browser in the tool call’s own session protects the call as long as it runs', () => {
    const world = new World(agent, call, { pid: 400, ppid: 69, argv: '/usr/bin/firefox http://localhost', env });
    expect(world.look().vetoes(69)).toContain('shared-daemon');
    world.end(400);
    expect(world.look().vetoes(69)).toEqual([]);
  });

  for (const [what, argv] of [
    ['keys', 'ssh-agent -s'],
    ['passphrases', 'gpg-agent --homedir /home/me/.gnupg --daemon'],
    ['the builds of every user', 'java org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.10'],
    ['an adb server', 'adb -L tcp:5037 fork-server server --reply-fd 4'],
  ] as const) {
    test(`a daemon for ${what} that a tool call started first is protected, alone`, () => {
      const world = new World(agent, call, started(500, argv), { pid: 501, ppid: 500, argv: 'helper', env });
      world.end(34);
      const look = world.look();
      expect(look.found).toEqual([
        { ...ofTheCall, owner: 'gone' },
        { root: 500, members: [500], owner: 'unproved' },
      ]);
      expect(look.vetoes(500)).not.toEqual([]);
      expect(look.vetoes(69)).toEqual([]);
    });
  }

  test('the user’s login shell is followed into by no call, also when it shares nothing but the marks', () => {
    const world = new World(
      agent,
      started(600, '/usr/sbin/sshd -D -p 2222'),
      { pid: 601, ppid: 600, sid: 601, tty: 34_818, argv: ['-zsh'], env },
      { pid: 602, ppid: 601, pgid: 602, argv: 'make', env },
    );
    world.end(34);
    expect(world.look().members).toEqual(new Set([600]));
  });
});

test('an agent or a browser that a returned call left running protects what is left beside it', () => {
  for (const argv of ['codex exec review', '/usr/bin/firefox http://localhost']) {
    const world = new World(
      agent,
      { pid: 81, sid: 80, pgid: 80, argv, env },
      { pid: 82, ppid: 81, argv: 'helper', env },
      { pid: 83, sid: 80, pgid: 80, argv: 'crash-handler', env },
    );
    world.end(34);
    expect(world.look().vetoes(83)).not.toEqual([]);
    world.end(81);
    expect(world.look().vetoes(83)).toEqual([]);
  }
});
