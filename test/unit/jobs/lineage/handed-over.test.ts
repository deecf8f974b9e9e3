import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, environments } from '../plant.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const env = claudeEnvironment({ pid: 34 });
const expectNoJob = (world: World): void => {
  expect(world.look().found).toEqual([]);
  world.end(34);
  expect(world.look().found).toEqual([]);
};

describe('a daemon of the user was asked by an agent to run something, and passed the agent’s environment on', () => {
  const queue: Plant = { pid: 20, argv: 'jobqueue --daemon' };

  test('in its own kernel session: it started that, which is no leftover', () => {
    expectNoJob(new World(queue, agent, { pid: 30, ppid: 20, pgid: 30, argv: 'sh train.sh', env }));
  });

  test('with all that this starts, whatever sessions it makes, and after the program has ended', () => {
    const world = new World(
      queue,
      agent,
      { pid: 30, ppid: 20, pgid: 30, argv: 'sh train.sh', env },
      { pid: 31, ppid: 30, sid: 31, argv: 'python3 train.py', env },
    );
    expectNoJob(world);
    world.end(20);
    expect(world.look().found).toEqual([]);
  });

  test('a batch system: its daemon is root’s and gives what it runs a session of its own', () => {
    expectNoJob(
      new World({ pid: 20, argv: 'slurmstepd: [7.batch]', uid: 0 }, agent, {
        pid: 30,
        ppid: 20,
        sid: 30,
        argv: '/bin/bash /var/spool/slurm/job7/slurm_script',
        env,
      }),
    );
  });

  test('whose own session’s leader lives further up', () => {
    expectNoJob(
      new World(queue, { pid: 21, ppid: 20, argv: 'jobqueue: runner' }, agent, {
        pid: 30,
        ppid: 21,
        argv: 'sh train.sh',
        env,
      }),
    );
  });
});

describe('what only looks like that is a leftover', () => {
  const leftover = { root: 81, members: [81], owner: 'unproved' };

  test('an unknown subreaper has adopted it: it keeps the call’s session, or has its own', () => {
    for (const sid of [80, 81]) {
      const world = new World({ pid: 20, argv: 'my-subreaper' }, agent, {
        pid: 81,
        ppid: 20,
        sid,
        pgid: sid,
        argv: 'sleep 3605',
        env,
      });
      world.end(34);
      expect(world.look().found).toEqual([leftover]);
    }
  });

  test('root’s init of WSL, which has many names, has adopted it', () => {
    for (const comm of ['Relay(51)', 'SessionLeader', 'init']) {
      const world = new World({ pid: 20, argv: '/init', comm, uid: 0 }, agent, {
        pid: 81,
        ppid: 20,
        sid: 81,
        argv: 'sleep 3605',
        env,
      });
      world.end(34);
      expect(world.look().found).toEqual([leftover]);
    }
  });

  test('the call’s own sudo is between, and the call’s shell has ended', () => {
    const world = new World(
      agent,
      { pid: 80, sid: 79, pgid: 79, argv: 'sudo -E -u me sleep 3605', uid: 0 },
      {
        pid: 81,
        ppid: 80,
        argv: 'sleep 3605',
        env,
      },
    );
    world.end(34);
    expect(world.look().found).toEqual([leftover]);
  });

  test('a program of the call that wrote over its own environment, as daemons do to show a title', () => {
    const world = new World(
      agent,
      { pid: 80, ppid: 34, sid: 80, argv: ['/bin/bash', '-c', 'server'], env },
      {
        pid: 82,
        ppid: 80,
        argv: 'server: ready',
        env: {},
      },
    );
    world.start({ pid: 83, ppid: 82, argv: 'node worker.js', env });
    world.look();
    world.end(80, 34);
    expect(world.look().found).toEqual([{ root: 83, members: [82, 83], owner: 'gone' }]);
  });

  test('an agent whose commands stay in its own session, under a name that no signature knows', () => {
    const world = new World(
      { pid: 34, argv: 'node fork.js' },
      {
        pid: 81,
        ppid: 34,
        argv: ['/bin/bash', '-c', 'sleep 9'],
        env: environments.cursor(),
      },
    );
    expect(world.look().jobWith(81).owner.state).toBe('unknown');
  });
});
