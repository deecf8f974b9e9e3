import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell } from '../plant.ts';
import { World } from '../world.ts';

const env = claudeEnvironment({ pid: 34 });
const server: Plant = { pid: 41, ppid: 40, argv: 'server x.pl', ports: [3100], image: 'server', env };
const client: Plant = { pid: 45, ppid: 41, argv: 'server x.pl', image: 'server', env };
const job: Plant = { pid: 51, ppid: 45, argv: 'node batch.js', image: 'node', env };

/** How what came below a server is proved, once the call that a look saw and the agent are over. */
const proofOf = (pid: number, ...later: readonly Plant[]) => proofAfter('returned', pid, ...later);

const proofAfter = (call: 'returned' | 'goes on', pid: number, ...later: readonly Plant[]) => {
  const beside: Plant = { pid: 35, ppid: 34, argv: 'node mcp.js', heldBy: 34 };
  const world = new World(
    { pid: 34, argv: 'claude' },
    beside,
    { pid: 40, ppid: 34, sid: 40, argv: claudeShell('server x.pl &'), env },
    server,
  );
  world.look();
  if (call === 'returned') world.end(40);
  world.start(...later);
  world.look();
  world.end(34, ...later.map((one) => one.pid).filter((one) => one !== pid));
  return world.look().jobWith(pid).proof.kind;
};

describe('what a server starts late, for which any of its clients may have asked', () => {
  test('is the user’s, also where the server has forked itself for the client, with or without its socket', () => {
    expect(proofOf(51, { ...job, ppid: 41 })).toBe('claimed');
    expect(proofOf(51, client, job)).toBe('claimed');
    expect(proofOf(51, { ...client, ports: [3100] }, job)).toBe('claimed');
  });

  test('is the user’s below a shell with which it speaks', () => {
    const shell: Plant = { pid: 50, ppid: 45, argv: ['bash', '-c', 'node batch.js &'], image: 'bash', env, heldBy: 45 };
    expect(proofOf(51, client, shell, { ...job, ppid: 50 })).toBe('claimed');
  });

  test('is the user’s in its kernel session, where it lost its parent before any look', () => {
    const left = { ...job, ppid: 1, sid: 40, pgid: 40 };
    expect(proofOf(51, left)).toBe('claimed');
    expect(proofOf(51, { ...left, image: 'server' })).toBe('look');
    expect(proofAfter('goes on', 51, left)).toBe('look');
  });

  test('is its own where it does its work, or speaks with it', () => {
    expect(proofOf(45, client)).toBe('look');
    expect(proofOf(51, client, { ...job, heldBy: 45 })).toBe('look');
  });
});

describe('what a loop in the text of the call starts late', () => {
  const call = claudeShell('while read -r order <orders; do sh -c "$order"; done &');
  const loop: Plant = { pid: 41, ppid: 40, argv: call, image: 'bash', env };
  const begun: Plant = { pid: 51, ppid: 41, argv: 'node batch.js', image: 'node', env };

  const proofBelow = (reads: 'at both looks' | 'before' | 'never') => {
    const readsPipe = reads !== 'never';
    const world = new World(
      { pid: 34, argv: 'claude' },
      { pid: 40, ppid: 34, sid: 40, argv: call, env },
      { ...loop, readsPipe },
    );
    world.look();
    world.end(40);
    world.start(begun);
    if (reads === 'before') world.change(41, { readsPipe: false });
    world.end(34);
    return world.look().jobWith(51).proof.kind;
  };

  test('is the user’s where it reads, or read, a named pipe; else it is the call’s', () => {
    expect(proofBelow('at both looks')).toBe('claimed');
    expect(proofBelow('before')).toBe('claimed');
    expect(proofBelow('never')).toBe('look');
  });
});
