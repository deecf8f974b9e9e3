import { describe, expect, test } from 'vitest';
import type { Proof } from '../../../../app/model/proof.ts';
import { storedLedgerEntry } from '../../../../main/store/ledger/ledger-rows.ts';
import { env, left, loose } from '../left.ts';
import { claudeShell, environments, outputFile, type Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude', start: 60_000 };
const shell: Plant = { pid: 80, sid: 80, argv: claudeShell('sleep 9 & true'), env };

const proofOf = (world: World, pid: number): Proof => world.look().jobWith(pid).proof;

describe('a look', () => {
  test('that saw a job below its agent is remembered with the agent’s process, also when both shells have ended', () => {
    const world = new World(agent, { ...shell, ppid: 34 }, { pid: 81, ppid: 80, argv: 'sleep 9', env });
    const seen = proofOf(world, 81);
    expect(seen).toMatchObject({ kind: 'look', agent: 'claude-code', process: { pid: 34 } });
    world.end(80);
    world.end(34);
    world.machine.pass(60);
    expect(proofOf(world, 81)).toEqual(seen);
  });

  test('that saw a member is worth the same for what shares its kernel session later', () => {
    const world = new World(agent, { ...shell, ppid: 34 }, { pid: 81, ppid: 80, argv: 'sleep 9', env });
    world.look();
    world.end(80);
    world.end(34);
    world.start({ pid: 90, sid: 80, pgid: 80, argv: 'sleep 8', env });
    expect(proofOf(world, 90).kind).toBe('look');
  });

  test('that never saw the agent leaves a marked orphan claimed, also in the kernel session of a dead shell', () => {
    expect(proofOf(new World(left(81)), 81)).toEqual({ kind: 'claimed' });
  });
});

describe('a tool shell by its grammar', () => {
  test('witnesses itself and what is in its kernel session, while it lives and leads that', () => {
    const world = new World(shell, left(81));
    expect(proofOf(world, 81)).toMatchObject({ kind: 'tool-shell', process: { pid: 80 } });
  });

  test('is remembered by a look when it has ended, and by nothing else', () => {
    const world = new World(shell, left(81));
    world.look();
    world.end(80);
    expect(proofOf(world, 81).kind).toBe('tool-shell');
  });

  test.each<[string, readonly Plant[]]>([
    ['leads no kernel session', [{ ...shell, sid: 70, pgid: 80 }]],
    ['has a terminal', [{ ...shell, tty: 34_816 }]],
    [
      'hangs below a living program that is no agent',
      [
        { pid: 70, argv: 'node queue.js' },
        { ...shell, ppid: 70 },
      ],
    ],
  ])('is a claim where it %s', (_how, plants) => {
    expect(proofOf(new World(...plants), 80)).toEqual({ kind: 'claimed' });
  });
});

describe('an output file', () => {
  test('witnesses what has it open for writing in a session’s folder, and what shares its kernel session', () => {
    const world = new World(left(81, { outputs: [outputFile('b1')] }), left(82));
    expect(proofOf(world, 82)).toMatchObject({ kind: 'output', process: { pid: 81 } });
  });

  test('is a claim where its name lies in no folder of a session', () => {
    const earlier = outputFile('b1').replace(/\/[0-9a-f-]{36}\//u, '/');
    expect(proofOf(new World(left(81, { outputs: [earlier] })), 81)).toEqual({ kind: 'claimed' });
  });

  // Any process of the user can move a log that is being written to into that folder.
  test('is a claim where what holds it carries no mark of that agent', () => {
    for (const carried of [{}, null, environments.codex('c1')]) {
      const world = new World(loose(81, { env: carried, outputs: [outputFile('b1')] }));
      expect(proofOf(world, 81)).toEqual({ kind: 'claimed' });
    }
  });

  test('is a claim where the machine can’t tell which file is open', () => {
    const world = new World(left(81, { outputs: [outputFile('b1')] }));
    world.machine.source.holdsOutput = () => false;
    expect(proofOf(world, 81)).toEqual({ kind: 'claimed' });
  });
});

describe('a marked child in the process group of its agent', () => {
  const crush: Plant = { pid: 34, sid: 34, argv: 'crush', start: 60_000 };
  const beside: Plant = { pid: 80, ppid: 34, sid: 34, pgid: 34, argv: 'node main.js', env: { CRUSH: '1' } };

  test('may be a part of it, or older: a claim, and its owner stays unknown when the agent has ended', () => {
    const world = new World(crush, beside);
    expect(proofOf(world, 80)).toEqual({ kind: 'claimed' });
    world.end(34);
    for (let looks = 0; looks < 2; looks += 1)
      expect(world.look().jobWith(80)).toMatchObject({ owner: { state: 'unknown' } });
    expect(proofOf(world, 80)).toEqual({ kind: 'claimed' });
  });

  test('is witnessed in a group of its own, and below another child, unless it may be older', () => {
    const below: Plant = { ...beside, ppid: 79 };
    const wrapper: Plant = { ...beside, pid: 79, env: {} };
    const script: Plant = { ...crush, argv: 'bash /usr/local/bin/crush' };
    for (const plants of [[{ ...beside, pgid: 80 }], [wrapper, below]]) {
      expect(proofOf(new World(crush, ...plants), 80).kind).toBe('look');
      expect(proofOf(new World(script, ...plants), 80).kind).toBe('claimed');
    }
  });
});

// Whatever can write into the project can lead `node_modules/.bin/NAME` to an agent's package.
describe('an agent that only a link tells, which may have been changed since it began', () => {
  const relinked = (...plants: readonly Plant[]): World => {
    const world = new World(...plants);
    for (const { pid } of plants.slice(0, 1)) world.relinked.add(pid);
    return world;
  };
  const shellBelow: Plant = { pid: 80, ppid: 34, sid: 34, pgid: 34, argv: ['sh', '-c', 'next dev'], heldBy: 34 };
  const aider: Plant = { pid: 34, sid: 34, argv: 'aider', start: 60_000 };
  const gemini: Plant = { pid: 34, argv: 'gemini', start: 60_000 };
  const marked: Plant = { pid: 80, ppid: 34, sid: 80, argv: 'next dev', env: { GEMINI_CLI: '1' } };

  test('witnesses nothing that is below it', () => {
    for (const [agentItself, below] of [
      [aider, shellBelow],
      [gemini, marked],
    ] as const) {
      expect(proofOf(new World(agentItself, below), 80).kind).toBe('look');
      const world = relinked(agentItself, below);
      for (let looks = 0; looks < 2; looks += 1) expect(proofOf(world, 80)).toEqual({ kind: 'claimed' });
      world.end(34);
      expect(proofOf(world, 80)).toEqual({ kind: 'claimed' });
    }
  });

  test('is remembered for no server, and for what a look saw of it before', () => {
    const pi: Plant = { pid: 34, argv: 'pi', start: 60_000 };
    const marks = { PI_CODING_AGENT: 'true', AI_AGENT: 'pi' };
    const server: Plant = { pid: 110, ppid: 34, sid: 34, argv: 'node mcp.js', env: marks, heldBy: 34 };
    const servers = (world: World) => world.witnesses.filter(({ kind }) => kind === 'server');
    const world = relinked(pi, server);
    world.look();
    expect(servers(world)).toEqual([]);
    const before = new World(pi, server);
    before.look();
    before.relinked.add(34);
    before.look();
    expect(servers(before)).toMatchObject([{ pid: 110 }]);
  });
});

describe('what only marks name', () => {
  test('is no part of a witnessed job, though both write to one file', () => {
    const world = new World(shell, loose(90));
    world.change(80, { outputs: [outputFile('b1')] });
    world.change(90, { outputs: [outputFile('b1')] });
    world.machine.source.holdsOutput = (row) => Number(row.pid) === 80;
    const look = world.look();
    expect(look.jobWith(80).id).not.toBe(look.jobWith(90).id);
    expect([look.jobWith(80).proof.kind, look.jobWith(90).proof.kind]).toEqual(['tool-shell', 'claimed']);
    const again = world.look();
    expect([again.jobWith(80).proof.kind, again.jobWith(90).proof.kind]).toEqual(['tool-shell', 'claimed']);
  });

  test('stays claimed at every later look, whatever becomes of its agent', () => {
    const world = new World(loose(90, { env: environments.codex('c1') }));
    for (let looks = 0; looks < 3; looks++) expect(proofOf(world, 90)).toEqual({ kind: 'claimed' });
  });

  test('is what the user’s own rule finds, too', () => {
    const world = new World({ pid: 90, argv: 'node bot.js' });
    world.rules = [{ name: 'bots', argv0: 'node', argv: ['bot.js'] }];
    expect(proofOf(world, 90)).toEqual({ kind: 'claimed' });
  });
});

describe('the entry of an earlier release', () => {
  const stored = (more: Parameters<typeof remembered>[0]): Proof | undefined => {
    const { proof: _none, ...entry } = remembered(more);
    return storedLedgerEntry(JSON.stringify(entry))?.proof;
  };

  test('proves what it saw below its living agent, with the agent that it noted', () => {
    const owner = { pid: 34, startTicks: 900 };
    const seen = stored({ provenance: [{ code: 'parent', agent: 'claude-code' }], owner });
    expect(seen).toEqual({ kind: 'look', agent: 'claude-code', process: owner, atMs: 1000 });
  });

  test('is a claim where it noted a grammar, a mark or the name of a file', () => {
    const provenance = [
      { code: 'wrapper', rule: 'claude-shell' },
      { code: 'marker', rule: 'claude-marker' },
      { code: 'output', path: '/tmp/x' },
    ] as const;
    expect(stored({ provenance, owner: { pid: 34, startTicks: 900 } })).toEqual({ kind: 'claimed' });
  });
});
