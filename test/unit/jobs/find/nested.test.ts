import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments, sessionA, sessionB } from '../plant.ts';
import { World } from '../world.ts';

const outer: Plant = { pid: 34, argv: 'claude' };
const outerEnv = claudeEnvironment({ pid: 34, session: sessionA });
const call = (command: string): Plant => ({ pid: 69, ppid: 34, sid: 69, argv: claudeShell(command), env: outerEnv });

describe('claude -p in a tool shell of Claude Code', () => {
  const inner: Plant = { pid: 70, ppid: 69, argv: 'claude -p review', env: outerEnv };
  const innerEnv = claudeEnvironment({ pid: 70, session: sessionB });
  const world = (): World =>
    new World(
      outer,
      call('claude -p review'),
      inner,
      // Its MCP server has the marks of the inner session, and what the outer one gave.
      {
        pid: 71,
        ppid: 70,
        argv: 'node mcp-server.js',
        env: claudeEnvironment({ pid: 70, session: sessionB }, 'harness'),
      },
      // A server of a version that marks nothing: only the outer marks came through.
      { pid: 72, ppid: 70, sid: 72, argv: 'node other-server.js', env: outerEnv },
      { pid: 80, ppid: 70, sid: 80, argv: claudeShell('sleep 9'), env: innerEnv },
      { pid: 86, sid: 85, pgid: 85, argv: 'sleep 10', env: innerEnv },
    );

  test('each session has its own jobs; the inner agent protects the call that it is part of, and its servers are no jobs', () => {
    const look = world().look();
    expect(look.found.map(({ root, owner }) => [root, owner])).toEqual([
      [69, 'live'],
      [80, 'live'],
      [86, 'live'],
    ]);
    expect(look.jobWith(80)).toMatchObject({ session: sessionB });
    expect(look.jobWith(69)).toMatchObject({ session: sessionA });
    expect(look.vetoes(69)).toContain('agent');
    expect(look.members).not.toContain(72);
  });

  test('the outer agent dies: the inner one’s jobs are alive, the call around it is an orphan that its veto protects', () => {
    const stage = world();
    stage.look();
    stage.end(34);
    const look = stage.look();
    expect(look.found.map(({ root, owner }) => [root, owner])).toEqual([
      // The inner one carries its marks, and could own it.
      [69, 'unknown'],
      [80, 'live'],
      [86, 'live'],
    ]);
    expect(look.vetoes(69)).toContain('agent');
  });

  test('the inner agent dies: its shells are orphans although the outer one lives, and the call goes on', () => {
    const stage = world();
    stage.register('claude-code', sessionA, 34);
    stage.look();
    stage.end(70);
    const look = stage.look();
    expect(look.found.map(({ root, owner }) => [root, owner])).toEqual([
      [69, 'live'],
      // The marks of the outer session are its only ones, and so it is a leftover of the outer
      // call.
      [72, 'live'],
      [80, 'gone'],
      [86, 'gone'],
    ]);
  });

  test('2.0.28 in 2.0.28: marks without ids belong to the nearest agent, and its servers are not told from them', () => {
    const old = claudeEnvironment({ pid: 0, version: '2.0.28' });
    const stage = new World(
      outer,
      { ...call('claude -p review'), argv: claudeShell('claude -p review', '2.0.28'), env: old },
      { ...inner, env: old },
      { pid: 71, ppid: 70, sid: 71, argv: 'node mcp-server.js', env: old },
      { pid: 80, ppid: 70, sid: 80, argv: claudeShell('sleep 9', '2.0.28'), env: old },
    );
    expect(stage.look().found.map(({ root, owner }) => [root, owner])).toEqual([
      [69, 'live'],
      [80, 'live'],
    ]);
  });
});

describe('Codex in a tool shell of Claude Code', () => {
  const both = { ...outerEnv, ...environments.codex('inner-1') };
  const world = (): World =>
    new World(
      outer,
      call('codex exec fix'),
      { pid: 70, ppid: 69, argv: 'codex exec fix', env: outerEnv },
      { pid: 71, ppid: 70, argv: 'node tools-mcp.js', env: outerEnv },
      { pid: 80, ppid: 70, sid: 80, argv: ['/bin/bash', '-c', 'sleep 9'], env: both },
      { pid: 81, ppid: 80, argv: 'sleep 9', env: both },
      { pid: 86, sid: 85, pgid: 85, argv: 'sleep 10', env: both },
    );

  test('its commands are Codex’s, not Claude Code’s', () => {
    const look = world().look();
    expect(look.jobWith(80)).toMatchObject({ agent: 'codex', session: 'inner-1', owner: { state: 'live' } });
    expect(look.found.map(({ members }) => members)).toContainEqual([80, 81]);
    expect(look.jobWith(86).owner.state).toBe('live');
  });

  test('Codex dies, Claude Code lives: nothing of the call is an orphan yet', () => {
    const stage = world();
    const { id } = stage.look().jobWith(81);
    stage.end(70, 80);
    const look = stage.look();
    expect(look.jobWith(81)).toMatchObject({ id, agent: 'codex' });
    expect(look.jobWith(81).owner.state).toBe('live');
    expect(look.jobWith(86).owner.state).toBe('live');
  });

  test('both die: all of it is', () => {
    const stage = world();
    stage.look();
    stage.end(70, 80, 34);
    const look = stage.look();
    expect(look.found.map(({ owner }) => owner)).toEqual(look.found.map(() => 'gone'));
    expect(look.members).toEqual(new Set([69, 71, 81, 86]));
  });

  test('Claude Code dies, Codex goes on (nohup): its commands have it, what came loose from them has no certain owner', () => {
    const stage = world();
    stage.look();
    stage.end(69, 34);
    const look = stage.look();
    expect(look.jobWith(80).owner.state).toBe('live');
    expect(look.jobWith(86).owner.state).not.toBe('gone');
  });

  test('the user starts Codex in the tmux that a tool call opened: what it left is Codex’s, and its own', () => {
    const inTmux = { ...outerEnv, TMUX: '/tmp/tmux-1000/default,200,0' };
    const stage = new World(
      outer,
      { pid: 200, argv: 'tmux', comm: 'tmux: server', env: outerEnv },
      { pid: 201, ppid: 200, sid: 201, tty: 34_816, argv: ['-bash'], env: inTmux },
      { pid: 202, ppid: 201, pgid: 202, argv: 'codex', env: inTmux },
      { pid: 86, sid: 85, pgid: 85, argv: 'sleep 10', env: { ...inTmux, ...environments.codex('inner-1') } },
    );
    stage.look();
    stage.end(202);
    const look = stage.look();
    // Every Codex that could own it was seen alive, and has ended.
    expect(look.jobWith(86)).toMatchObject({ agent: 'codex', session: 'inner-1', owner: { state: 'gone' } });
  });
});

test('aider in a tool shell of Claude Code: its commands are part of the call, and it protects them', () => {
  const world = new World(
    outer,
    call('aider --yes'),
    { pid: 70, ppid: 69, argv: 'aider --yes', env: outerEnv },
    { pid: 71, ppid: 70, argv: ['/bin/sh', '-c', 'make'], env: outerEnv },
  );
  const look = world.look();
  expect(look.found).toEqual([{ root: 69, members: [69, 70, 71], owner: 'live' }]);
  expect(look.vetoes(69)).toContain('agent');
  world.end(70);
  expect(world.look().vetoes(69)).toEqual([]);
});

test('a tool shell that becomes an agent by exec, while its other child goes on: two jobs, two ids', () => {
  const world = new World(outer, call('setsid sleep 9 & exec claude'), {
    pid: 70,
    ppid: 69,
    sid: 70,
    argv: 'sleep 9',
    env: outerEnv,
  });
  const { id } = world.look().jobWith(70);
  world.change(69, { argv: 'claude', comm: 'claude', ppid: 1 });
  world.change(70, { ppid: 1 });
  const look = world.look();
  expect(new Set(look.assembled.map(({ job }) => job.id)).size).toBe(look.assembled.length);
  expect(look.jobWith(70).id).toBe(id);
  expect(look.vetoes(69)).toContain('agent');
});
