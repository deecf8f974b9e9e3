import { describe, expect, test } from 'vitest';
import { environments, type Plant, sessionA } from '../plant.ts';
import { World } from '../world.ts';

/** A terminal with the user's shell in it, in which agents are started. */
const ofUser: readonly Plant[] = [
  { pid: 50, argv: 'tmux new-session' },
  { pid: 60, ppid: 50, pgid: 60, sid: 60, tty: 34818, argv: 'bash' },
  { pid: 61, ppid: 60, pgid: 61, sid: 60, tty: 34818, argv: 'sleep 7001' },
];
const inTerminal = { pgid: 63, sid: 60, tty: 34818 } as const;

const roots = (world: World): readonly (readonly [number, string, boolean])[] => {
  const look = world.look();
  return look.found.map(({ root, owner }) => [root, owner, look.vetoes(root).length === 0]);
};

// As Cline 3.0.65 was seen: the mark is in its own environment, so that its MCP server and its
// daemon have it too.
describe('Cline', () => {
  const bin = '/usr/lib/node_modules/@cline/cli-linux-x64/bin/cline';
  const env = { CLINE_CONNECTOR_CLI_LAUNCH: '{"launcher":"cline"}' };
  const cline: readonly Plant[] = [
    { pid: 63, ppid: 60, ...inTerminal, argv: [bin, '-P', 'openai', 'do it'], comm: 'cline' },
    { pid: 178, ppid: 63, pgid: 178, sid: 178, tty: 0, argv: `${bin} --cline-hub-daemon --port 25463`, env },
    { pid: 190, ppid: 63, ...inTerminal, argv: 'node mcp.mjs', env },
    // One that was given a group of its own, as Codex does it.
    { pid: 191, ppid: 63, ...inTerminal, pgid: 191, argv: 'node language-server.mjs', env },
    { pid: 249, sid: 249, argv: 'sleep 3604', env },
    { pid: 260, ppid: 63, pgid: 260, sid: 260, tty: 0, argv: ['/bin/bash', '-c', 'sleep 3602 | cat'], env },
    { pid: 261, ppid: 260, argv: 'sleep 3602', env },
    { pid: 262, ppid: 260, argv: 'cat', env },
  ];

  test('its command is a job, and neither its servers nor its daemon is; of what came loose unseen nothing is proven', () => {
    const world = new World(...ofUser, ...cline);
    expect(roots(world)).toEqual([
      [249, 'unknown', false],
      [260, 'live', true],
    ]);
    expect(world.look().jobWith(260)).toMatchObject({ rule: 'cline-marker', command: 'sleep 3602 | cat' });
    const { members } = world.look();
    for (const pid of [50, 60, 61, 63, 178, 190, 191]) expect(members).not.toContain(pid);
  });

  test('is killed: the command that was seen is an orphan, its servers are shown at most, and its daemon goes on', () => {
    const world = new World(...ofUser, ...cline);
    world.look();
    world.end(63);
    expect(roots(world)).toEqual([
      [190, 'unknown', false],
      [191, 'unknown', false],
      [249, 'unknown', false],
      [260, 'gone', true],
    ]);
  });

  test('is killed before the first look: nothing proves whose the rest is', () => {
    const world = new World(...ofUser, ...cline);
    world.end(63);
    expect(roots(world).filter(([, , mayEnd]) => mayEnd)).toEqual([]);
  });
});

// As Kilo 7.7.7 was seen, which is made from opencode and keeps opencode's mark.
describe('Kilo', () => {
  const env = { AGENT: '1', OPENCODE: '1', KILO_PID: '63' };
  const kilo: readonly Plant[] = [
    { pid: 63, ppid: 60, ...inTerminal, argv: '/usr/lib/node_modules/@kilocode/cli-linux-x64/bin/kilo run x' },
    { pid: 190, ppid: 63, ...inTerminal, argv: 'node mcp.mjs', env },
    { pid: 249, sid: 249, argv: 'sleep 3604', env },
    { pid: 260, ppid: 63, pgid: 260, sid: 260, tty: 0, argv: ['/bin/bash', '-c', 'sleep 3602 | cat'], env },
  ];

  test('its commands are its own and not those of opencode, also when an opencode runs beside it', () => {
    const world = new World(...ofUser, ...kilo, { pid: 300, ppid: 60, argv: 'opencode' });
    expect(roots(world)).toEqual([
      [249, 'live', true],
      [260, 'live', true],
    ]);
    expect(world.look().jobWith(249)).toMatchObject({ agent: 'other', rule: 'kilo-marker' });
    world.end(63);
    expect(roots(world).filter(([, owner]) => owner === 'gone')).toEqual([
      [190, 'gone', true],
      [249, 'gone', true],
      [260, 'gone', true],
    ]);
  });
});

// As the terminal of Codex 0.169.0 was seen: a server of its own runs the commands, and something
// beside it keeps that server up to date.
describe('Codex in a terminal', () => {
  const bin = '/home/me/.codex/packages/app-server-daemon/releases/0.169.0/bin/codex';
  const env = environments.codex(sessionA);
  const codex: readonly Plant[] = [
    { pid: 63, ppid: 60, ...inTerminal, argv: ['/usr/lib/codex/bin/codex', 'do it'] },
    { pid: 151, ppid: 63, pgid: 151, sid: 151, argv: `${bin} app-server --listen unix:// --managed-daemon` },
    { pid: 241, ppid: 63, pgid: 241, sid: 241, argv: `${bin} app-server daemon pid-update-loop` },
    { pid: 309, ppid: 151, pgid: 309, sid: 151, argv: 'node mcp.mjs' },
    { pid: 371, sid: 371, argv: 'sleep 3604', env },
    { pid: 379, ppid: 151, pgid: 379, sid: 379, argv: ['/bin/bash', '-c', 'sleep 3602 | cat'], env },
    { pid: 380, ppid: 379, argv: 'sleep 3602', env },
  ];

  test('is closed: its commands go on being the server’s, and its MCP server is no job', () => {
    const world = new World(...ofUser, ...codex);
    world.register('codex', sessionA, 151);
    world.look();
    world.end(60, 61, 63);
    expect(roots(world)).toEqual([
      [371, 'live', true],
      [379, 'live', true],
    ]);
    expect(world.look().members).not.toContain(309);
  });

  test('its session is not open any more: while the server lives, nothing of it is gone', () => {
    const world = new World(...ofUser, ...codex);
    expect(roots(world)).toEqual([
      [371, 'unknown', true],
      [379, 'live', true],
    ]);
  });

  test('its server is killed too: what only updates it could own nothing', () => {
    const world = new World(...ofUser, ...codex);
    world.look();
    world.end(63, 151, 379);
    expect(roots(world)).toEqual([
      [371, 'gone', true],
      [380, 'gone', true],
    ]);
  });
});

// As Auggie 0.36.0 was seen: only its commands are marked, and the mark names no session and no
// process.
describe('Auggie', () => {
  const env = { AUGMENT_AGENT: '1' };
  const auggie: readonly Plant[] = [
    { pid: 63, ppid: 60, ...inTerminal, argv: 'node /usr/lib/node_modules/@augmentcode/auggie/augment.mjs --print x' },
    { pid: 171, sid: 171, argv: 'sleep 3604', env },
    { pid: 180, ppid: 63, pgid: 180, sid: 180, tty: 0, argv: ['bash', '-l', '-c', 'sleep 3602 | cat'], env },
  ];

  test('is killed: the command that was seen is an orphan, and what came loose unseen is known by its mark alone', () => {
    const world = new World(...ofUser, ...auggie);
    expect(roots(world)).toEqual([
      [171, 'unknown', true],
      [180, 'live', true],
    ]);
    expect(world.look().jobWith(171).proof.kind).toBe('claimed');
    world.end(63);
    expect(roots(world)).toEqual([
      [171, 'unknown', true],
      [180, 'gone', true],
    ]);
  });
});

test('pi: what shares its kernel session is no command of it, also in a group of its own', () => {
  const env = { PI_CODING_AGENT: 'true' };
  const world = new World(
    ...ofUser,
    { pid: 63, ppid: 60, ...inTerminal, argv: 'pi' },
    { pid: 190, ppid: 63, ...inTerminal, pgid: 190, argv: 'node extension.js', env },
    { pid: 260, ppid: 63, pgid: 260, sid: 260, tty: 0, argv: ['/bin/bash', '-c', 'sleep 9 | cat'], env },
  );
  expect(roots(world)).toEqual([[260, 'live', true]]);
});
