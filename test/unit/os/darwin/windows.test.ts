import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../../app/settings/defaults.ts';
import { MacStage } from '../../../darwin/mac-stage.ts';
import type { Simulated, SimulatedKernel } from '../../../darwin/simulated-kernel.ts';

const hardCapSeconds = 1_500;

interface Scene {
  readonly mac: MacStage;
  readonly kernel: SimulatedKernel;
  readonly agent: Simulated;
  readonly shell: Simulated;
  readonly lives: (one: Simulated) => boolean;
}

/** An agent with the shell of a call. */
const scene = (): Scene => {
  const mac = new MacStage();
  mac.settings = {
    ...defaultSettings,
    mode: 'enforce',
    orphanGraceSeconds: 60,
    backgroundMaxElapsedSeconds: 600,
    backgroundMaxElapsedSecondsHardCap: hardCapSeconds,
  };
  const { kernel } = mac;
  const terminal = kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] });
  const agent = kernel.start(terminal, { argv: ['/opt/homebrew/bin/opencode'] });
  const shell = kernel.start(agent, { argv: ['/bin/zsh', '-lc', 'x'], setsid: true });
  return { mac, kernel, agent, shell, lives: (one) => kernel.processes.get(one.pid) === one };
};

/** The session ends after two looks; what is left is watched past the hard cap. */
const leave = ({ mac, kernel, agent, shell }: Scene, goes = true): void => {
  mac.watch(10);
  if (goes) kernel.end(shell);
  mac.watch(10);
  kernel.end(agent);
  mac.watch(300, 10);
  mac.watch(hardCapSeconds, 60);
};

const programs = {
  'a binary of a build': { argv: ['target/debug/app'], path: '/Users/me/p/target/debug/app' },
  'a script with a plot': { argv: ['/opt/homebrew/bin/python3', 'plot.py'] },
  'a game engine': { argv: ['/opt/homebrew/bin/godot', '--path', '.'] },
} as const;

describe.each(Object.entries(programs))('%s below a tool shell', (_name, how) => {
  test('is spared while it shows a window, its shell with it, at the hard cap too', () => {
    const played = scene();
    const app = played.kernel.start(played.shell, how);
    played.kernel.shown = [app.pid];
    leave(played, false);
    expect([app, played.shell].map(played.lives)).toEqual([true, true]);
    expect(played.kernel.signals).toEqual([]);
  });

  test('is ended without one, and once it has closed it', () => {
    const played = scene();
    const app = played.kernel.start(played.shell, how);
    const other = played.kernel.launch({ argv: ['/Applications/Word.app/Contents/MacOS/Word'] });
    played.kernel.shown = [app.pid, other.pid];
    leave(played);
    expect(played.lives(app)).toBe(true);
    played.kernel.shown = [other.pid];
    played.mac.watch(300);
    expect(played.lives(app)).toBe(false);
    expect(played.lives(other)).toBe(true);
  });
});

test('a launcher is spared as long as the program below it shows a window', () => {
  const played = scene();
  const { kernel, shell, lives } = played;
  const npx = kernel.start(shell, { argv: ['/opt/homebrew/bin/node', '/opt/homebrew/bin/npx', 'electron', '.'] });
  const cli = kernel.start(npx, { argv: ['/opt/homebrew/bin/node', 'node_modules/electron/cli.js', '.'] });
  const path = '/Users/me/p/node_modules/electron/dist/Electron.app/Contents/MacOS/Electron';
  const app = kernel.start(cli, { argv: [path, '.'] });
  kernel.shown = [app.pid];
  leave(played);
  expect([npx, cli, app].map(lives)).toEqual([true, true, true]);
  expect(kernel.signals).toEqual([]);
  kernel.shown = [];
  played.mac.watch(300);
  expect([npx, cli].map(lives)).toEqual([false, false]);
});

test('a program is spared where the windows can not be listed, and ended once they can', () => {
  const played = scene();
  const { kernel, shell, lives } = played;
  const left = kernel.start(shell, { argv: ['/opt/homebrew/bin/node', 'server.js'] });
  kernel.alter = (name, answer) => (name === 'windows' ? { bytes: Buffer.alloc(0), errno: 60 } : answer);
  leave(played);
  expect(lives(left)).toBe(true);
  kernel.alter = (_name, answer) => answer;
  played.mac.watch(300);
  expect(lives(left)).toBe(false);
});

test('over SSH a program is spared while the user is logged in at the screen, and ended where no user is', () => {
  const played = scene();
  const { kernel, shell, lives } = played;
  const left = kernel.start(shell, { argv: ['/opt/homebrew/bin/node', 'server.js'] });
  kernel.desktop = 'none';
  const desktop = kernel.launch({ argv: ['/System/Library/CoreServices/loginwindow.app/Contents/MacOS/loginwindow'] });
  leave(played);
  expect(lives(left)).toBe(true);
  kernel.end(desktop);
  kernel.launch({ argv: ['/System/Library/CoreServices/loginwindow.app/Contents/MacOS/loginwindow'], uid: 0 });
  played.mac.watch(300);
  expect(lives(left)).toBe(false);
});

test('windows are asked for once a second at most, and not while there is no job', () => {
  const { mac, kernel, shell, agent } = scene();
  for (let job = 0; job < 20; job += 1)
    kernel.start(agent, { argv: ['/bin/zsh', '-lc', `sleep ${job}`], setsid: true });
  mac.watch(10, 5);
  expect(kernel.counts.get('windows') ?? 0).toBeLessThanOrEqual(2);
  const quiet = new MacStage();
  quiet.watch(60);
  expect(quiet.kernel.counts.get('windows') ?? 0).toBe(0);
  expect(kernel.processes.has(shell.pid)).toBe(true);
});
