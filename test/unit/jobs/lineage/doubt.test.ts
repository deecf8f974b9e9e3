import { describe, expect, test } from 'vitest';
import type { ShownOwner } from '../shown-owner.ts';
import { loose } from '../left.ts';
import type { Plant } from '../plant.ts';
import { environments } from '../plant.ts';
import { World } from '../world.ts';

const codexs = environments.codex('s1');
const agent: Plant = { pid: 34, argv: 'codex exec', env: {} };
const call: Plant = { pid: 80, ppid: 34, sid: 80, argv: ['/bin/bash', '-c', 'sleep 9'], env: codexs };
/** What a call of Codex left behind, with a kernel session of its own. */
const left = (more: Partial<Plant> = {}): Plant => loose(90, { env: codexs, ...more });

const ownerOf = (world: World, pid = 90): ShownOwner['state'] => world.look().jobWith(pid).owner.state;

describe('marks alone prove that an agent started something', () => {
  test('where nothing shows that a user stands in between', () => {
    expect(ownerOf(new World(left()))).toBe('unproved');
  });

  test('and not in a group that a shell makes for what is typed, in a session that has lost its leader', () => {
    expect(ownerOf(new World(left({ sid: 80, pgid: 90 })))).toBe('unknown');
    expect(ownerOf(new World(left({ sid: 80, pgid: 80 })))).toBe('unproved');
  });

  test('nor in such a group below a leader without marks; a leader with marks is a tool shell', () => {
    const shell: Plant = { pid: 80, argv: 'bash', env: {} };
    expect(ownerOf(new World(shell, left({ sid: 80, pgid: 90 })))).toBe('unknown');
    expect(ownerOf(new World({ ...call, ppid: 1 }, left({ sid: 80, pgid: 90 })))).toBe('unproved');
  });

  test('nor on a terminal, open or closed', () => {
    expect(ownerOf(new World(left({ outputs: ['/dev/pts/3'] })))).toBe('unknown');
    expect(ownerOf(new World(left({ outputs: ['/dev/null'] })))).toBe('unproved');
  });

  test('below the living agent it does, and that is remembered when its shell has ended', () => {
    const world = new World(agent, call, { pid: 90, ppid: 80, pgid: 90, argv: 'sleep 9', env: codexs });
    expect(ownerOf(world)).toBe('live');
    world.end(80, 34);
    expect(ownerOf(world)).toBe('gone');
  });
});

describe('a terminal that its environment names', () => {
  const inTmux = { TMUX_PANE: '%3' };

  test('is its agent’s, as a look saw', () => {
    const world = new World({ ...agent, env: inTmux }, left({ env: { ...codexs, ...inTmux } }));
    world.look();
    world.end(34);
    expect(ownerOf(world)).toBe('gone');
  });

  test('is the user’s where the agent had none or another, and may be where no look saw the agent', () => {
    for (const env of [{}, { TMUX_PANE: '%4' }]) {
      const world = new World({ ...agent, env }, left({ env: { ...codexs, ...inTmux } }));
      world.look();
      world.end(34);
      expect(ownerOf(world)).toBe('unknown');
    }
    expect(ownerOf(new World(left({ env: { ...codexs, ...inTmux } })))).toBe('unknown');
  });
});

describe('a program of the user with the same marks', () => {
  const editor: Plant = { pid: 60, argv: 'code .', env: codexs };

  test('may have started what is younger than it, and nothing that is older', () => {
    expect(ownerOf(new World(editor, left()))).toBe('unknown');
    expect(ownerOf(new World(left(), editor))).toBe('unproved');
  });

  test('has started nothing with other marks, nor after it had ended', () => {
    expect(ownerOf(new World({ ...editor, env: environments.codex('s2') }, left()))).toBe('unproved');
    const world = new World(agent, editor);
    world.look();
    world.end(60);
    world.look();
    world.start(left());
    expect(world.look().jobWith(90).owner.evidence).toContain('which may have resumed its session');
  });

  test('may have started what began before a look missed it', () => {
    const world = new World(editor);
    world.look();
    world.start(left());
    world.end(60);
    expect(ownerOf(world)).toBe('unknown');
  });

  test('is no daemon that only serves', () => {
    expect(ownerOf(new World({ ...editor, argv: 'gpg-agent --daemon' }, left()))).toBe('unproved');
  });

  test('what was doubted once stays so when the program has ended, and what shares its kernel session', () => {
    const world = new World(agent, editor, left(), loose(91, { sid: 90, pgid: 90, ppid: 90, env: codexs }));
    expect(ownerOf(world)).toBe('unknown');
    world.end(60, 34, 90);
    expect(ownerOf(world, 91)).toBe('unknown');
  });
});

test('what begins after every agent that could own it had ended is no job', () => {
  const world = new World(agent);
  world.look();
  world.end(34);
  world.look();
  world.start(left());
  expect(world.look().found).toEqual([]);
});

describe('the user’s processes are remembered as long as they live', () => {
  const shell: Plant = { pid: 60, sid: 60, tty: 34_816, argv: 'bash', env: codexs };
  const typed: Plant = { pid: 61, ppid: 60, pgid: 61, argv: 'node bot.js', env: codexs };

  test('after the terminal was closed, with all that shares their kernel session', () => {
    const world = new World(agent, shell, typed);
    expect(world.look().members).not.toContain(61);
    world.start({ pid: 62, ppid: 60, pgid: 62, argv: 'node late.js', env: codexs });
    world.end(60, 34);
    expect(world.look().members).toEqual(new Set());
    world.end(61);
    expect(world.look().members).toEqual(new Set());
    world.end(62);
    world.look();
    expect(world.witnesses.filter(({ kind }) => kind === 'user')).toEqual([]);
  });

  test('and not below an agent that the user starts there: its calls are its own', () => {
    const world = new World(shell, { pid: 70, ppid: 60, pgid: 70, argv: 'codex', env: codexs });
    world.look();
    world.start({
      pid: 71,
      ppid: 70,
      sid: 71,
      tty: 0,
      argv: ['/bin/bash', '-c', 'sleep 9'],
      env: environments.codex('s2'),
    });
    expect(ownerOf(world, 71)).toBe('live');
  });
});
