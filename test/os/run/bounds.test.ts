import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { firstVersionFolder } from '../../../main/os/containment/bounds.ts';
import { runGroupName } from '../../../main/os/containment/control-group.ts';
import { isWritable, readableNode } from '../machine-facts.ts';
import { curfewFile } from '../scene/curfew.ts';
import { living, until, withHome, withText } from './curfew-run.ts';

const memory = firstVersionFolder('memory');
const pids = firstVersionFolder('pids');

/** Version 2 with both controllers was not seen where this was written. */
const canBound = memory !== null && pids !== null && isWritable(memory) && isWritable(pids);

const documentSchema = z.looseObject({
  id: z.string(),
  inForce: z.looseObject({ cgroup: z.looseObject({ path: z.string(), beside: z.array(z.string()) }) }),
  end: z.looseObject({ cause: z.string(), met: z.object({ memoryKills: z.int(), refusedTasks: z.int() }) }),
});

/** Takes memory until it is refused, in a process of its own that has left group and session. */
const hog = `perl -e 'use POSIX; setsid; my @kept; push @kept, "x" x 1_000_000 while 1'`;
/** Forks until it is refused, tells so, and waits. Each child waits too. */
const bomb = `perl -e 'use POSIX; $| = 1; for (1 .. 200) { my $p = fork; if (!defined $p) { print "refused at $_\\n"; last } if (!$p) { setsid; exit if fork; sleep 600; exit } } sleep 600 if $ARGV[0]' --`;

describe.skipIf(!canBound)('a run with bounds', () => {
  test(
    'ends whole at its memory, with 137 and the reason, and its groups are removed',
    withHome(async (home) => {
      const ended = await home.run(['run', '--json', '--memory', '64M', '--', 'sh', '-c', `sleep 601 & ${hog} & wait`]);
      expect(ended.code).toBe(137);
      expect(ended.stderr).toMatch(/^curfew: ended at its 64M of memory: sh -c/mu);
      const { id, inForce, end } = documentSchema.parse(JSON.parse(ended.stdout));
      expect(end).toMatchObject({ cause: 'memory', met: { memoryKills: 1 } });
      expect(withText('sleep 601')).toEqual([]);
      expect(inForce.cgroup.beside).toEqual([`${memory}/${runGroupName(id)}`]);
      expect([inForce.cgroup.path, ...inForce.cgroup.beside].filter((path) => existsSync(path))).toEqual([]);
    }),
  );

  test(
    'says the bound of memory where the command itself reached it',
    withHome(async (home) => {
      const ended = await home.run(['run', '--memory', '64M', '--', 'sh', '-c', `exec ${hog}`]);
      expect(ended).toMatchObject({ code: 137, stderr: expect.stringContaining('64M of memory') as unknown });
    }),
  );

  test(
    'starts no more processes than it may, though they double fork and leave its session',
    withHome(async (home) => {
      const going = home.curfew([
        'run',
        '--json',
        '--tasks',
        '20',
        '--grace',
        '1s',
        '--',
        'sh',
        '-c',
        `${bomb} stay >&2`,
      ]);
      let said = '';
      going.child.stderr?.on('data', (text: string) => (said += text));
      await until('it is refused', () => said.includes('refused at'));
      expect(withText('$| = 1; for (1').filter(({ args }) => args.startsWith('perl')).length).toBeLessThanOrEqual(20);
      going.child.kill('SIGTERM');
      const ended = await going.ended;
      const { end, inForce } = documentSchema.parse(JSON.parse(ended.stdout));
      expect(end.met.refusedTasks).toBeGreaterThan(0);
      expect(ended.stderr).toMatch(/reached its 20 processes and threads, and was refused more \d+ times/u);
      expect(withText('$| = 1; for (1')).toEqual([]);
      expect(inForce.cgroup.beside.filter((path) => existsSync(path))).toEqual([]);
    }),
  );

  test(
    'within them ends as without, and starts where it may have fewer tasks than Curfew has threads',
    withHome(async (home) => {
      const ended = await home.run(['run', '--memory', '64M', '--tasks', '3', '--', 'sh', '-c', 'sleep 0.1; exit 7']);
      expect(ended).toEqual({ code: 7, stdout: '', stderr: '' });
    }),
  );

  test(
    'in the background is bounded, and its groups go with it when its `curfew run` is killed',
    withHome(async (home) => {
      const started = await home.run(['run', '--background', '--memory', '64M', '--', 'sleep', '602']);
      const { pid, id } = z.looseObject({ pid: z.int(), id: z.string() }).parse(JSON.parse(started.stdout));
      const folder = `${memory}/${runGroupName(id)}`;
      expect(readFileSync(`${folder}/memory.limit_in_bytes`, 'utf8').trim()).toBe(String(64 * 2 ** 20));
      expect(readFileSync(`${folder}/cgroup.procs`, 'utf8').trim()).toBe(String(pid));
      process.kill(living(pid)?.ppid ?? 0, 'SIGKILL');
      await home.run(['runs']);
      await until('the command has ended', () => living(pid) === null);
      expect(existsSync(folder)).toBe(false);
    }),
  );
});

test(
  'without any right to bound it, nothing is started, and the user is told why',
  withHome(async (home) => {
    const marker = home.file('started');
    const ended = await home.start(
      'unshare',
      [
        '--mount',
        'sh',
        '-c',
        `mount --bind -o ro /sys/fs/cgroup /sys/fs/cgroup && for one in /sys/fs/cgroup/*; do mount --bind -o ro "$one" "$one"; done; exec "$0" "$@"`,
        readableNode,
        curfewFile,
        'run',
        '--tasks',
        '20',
        '--',
        'touch',
        marker,
      ],
      { cwd: process.cwd() },
    ).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('--memory and --tasks can not be held here, so nothing was started: ');
    expect(existsSync(marker)).toBe(false);
  }),
);
