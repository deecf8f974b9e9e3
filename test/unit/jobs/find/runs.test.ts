import { describe, expect, test } from 'vitest';
import { claudeEnvironment, claudeShell } from '../plant.ts';
import { World } from '../world.ts';

const run = 'node /opt/curfew/curfew.js run -- make';
const cookie = (id: string): Record<string, string> => ({ CURFEW_RUN: id });

const rootsOf = (world: World): Record<number, readonly number[]> =>
  Object.fromEntries(world.look().found.map(({ root, members }) => [root, members]));

describe('runs as jobs', () => {
  test('everything below its `curfew run` that started with the command or after it, in any group and session', () => {
    const world = new World(
      { pid: 20, argv: 'sleep 1' },
      { pid: 30, argv: run },
      { pid: 31, ppid: 30, argv: 'older stranger', start: 10 },
      { pid: 40, ppid: 30, sid: 40, argv: 'make' },
      { pid: 41, ppid: 40, argv: 'cc' },
      { pid: 42, ppid: 30, sid: 42, argv: 'sleep 9' },
    );
    world.run('abcdefghij', 30, 40);
    const look = world.look();
    expect(look.found).toEqual([{ root: 40, members: [40, 41, 42], owner: 'live' }]);
    expect(look.jobWith(40)).toMatchObject({ agent: 'curfew-run', task: 'abcdefghij', run: { id: 'abcdefghij' } });
  });

  test('without a subreaper: by cookie too, but not what a living stranger handed it on to', () => {
    const env = cookie('abcdefghij');
    const world = new World(
      { pid: 30, argv: run },
      { pid: 40, ppid: 30, sid: 40, argv: 'make', env },
      { pid: 42, sid: 42, argv: 'sleep 9', env },
      { pid: 50, argv: 'terminal-server' },
      { pid: 51, ppid: 50, argv: 'bash', env },
    );
    world.run('abcdefghij', 30, 40, { subreaper: false });
    expect(rootsOf(world)).toEqual({ 40: [40, 42] });
  });

  test('keeps its id while it lives, and takes in no other process by what is remembered', () => {
    const world = new World({ pid: 30, argv: run }, { pid: 40, ppid: 30, sid: 40, argv: 'make' });
    world.run('abcdefghij', 30, 40);
    const { id } = world.look().jobWith(40);
    world.start({ pid: 43, ppid: 40, argv: 'cc' });
    expect(world.look().jobWith(43).id).toBe(id);
    world.end(30);
    expect(world.look().jobWith(40)).toMatchObject({ id, owner: { state: 'gone' } });
    // Its record is complete: then it is no job any more, also not by the ledger.
    world.runs = [];
    expect(world.look().found).toEqual([]);
  });

  const agent = { pid: 41, ppid: 40, argv: 'claude', env: cookie('abcdefghij') };
  const inside = { ...claudeEnvironment({ pid: 41 }), ...cookie('abcdefghij') };

  test('an agent inside belongs to the run, what it started is its own while it lives, and what it left is too', () => {
    const world = new World(
      { pid: 30, argv: run },
      { pid: 40, ppid: 30, sid: 40, argv: 'sh' },
      agent,
      { pid: 50, ppid: 41, sid: 50, argv: claudeShell('npm test'), env: inside },
      { pid: 51, ppid: 50, argv: 'npm test', env: inside },
      { pid: 60, ppid: 30, sid: 60, argv: 'sleep 9', env: inside },
    );
    world.run('abcdefghij', 30, 40);
    expect(rootsOf(world)).toEqual({ 40: [40, 41], 50: [50, 51], 60: [60] });
    expect(world.look().jobWith(50)).toMatchObject({ agent: 'claude-code', owner: { state: 'live' } });
  });

  test('a run that an agent started in the background is no job of the agent; its `curfew run` is in none', () => {
    const env = claudeEnvironment({ pid: 10 });
    const world = new World(
      { pid: 10, argv: 'claude' },
      { pid: 30, sid: 30, argv: run, env },
      { pid: 40, ppid: 30, sid: 40, argv: 'make', env: { ...env, ...cookie('abcdefghij') } },
    );
    world.run('abcdefghij', 30, 40);
    expect(world.look().found).toEqual([{ root: 40, members: [40], owner: 'live' }]);
  });

  test('one in the foreground: the tool call keeps its shell and the `curfew run` it waits for, which protects both', () => {
    const env = claudeEnvironment({ pid: 10 });
    const world = new World(
      { pid: 10, argv: 'claude' },
      { pid: 20, ppid: 10, sid: 20, argv: claudeShell('curfew run -- make'), env },
      { pid: 30, ppid: 20, argv: run, env },
      { pid: 40, ppid: 30, sid: 40, argv: 'make', env: { ...env, ...cookie('abcdefghij') } },
    );
    world.run('abcdefghij', 30, 40, { background: false });
    expect(rootsOf(world)).toEqual({ 20: [20, 30], 40: [40] });
    expect(world.look().vetoes(20)).toEqual(['curfew']);
  });

  test('a run inside a run is a job of its own', () => {
    const world = new World(
      { pid: 30, argv: run },
      { pid: 40, ppid: 30, sid: 40, argv: 'sh' },
      { pid: 50, ppid: 40, argv: run },
      { pid: 60, ppid: 50, sid: 60, argv: 'make' },
    );
    world.run('abcdefghij', 30, 40);
    world.run('bbcdefghij', 50, 60);
    expect(rootsOf(world)).toEqual({ 40: [40], 60: [60] });
  });

  test('another user’s process is in no run, nor is a process that was given a member’s pid', () => {
    const world = new World(
      { pid: 30, argv: run },
      { pid: 40, ppid: 30, sid: 40, argv: 'make' },
      { pid: 41, ppid: 40, argv: 'sudo make', uid: 0 },
    );
    world.run('abcdefghij', 30, 40);
    expect(rootsOf(world)).toEqual({ 40: [40] });
    world.end(41, 40, 30);
    world.start({ pid: 30, argv: 'vim' }, { pid: 40, ppid: 30, argv: 'git' });
    expect(rootsOf(world)).toEqual({});
  });
});
