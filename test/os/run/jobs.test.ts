import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fixture, type Home, Innocent, living, notedIn, type StartOptions } from './curfew-run.ts';
import { inTime, until, withHome, withText } from './curfew-run.ts';

const jobSchema = z.looseObject({
  id: z.string(),
  agent: z.string(),
  rule: z.string(),
  name: z.string().optional(),
  command: z.string(),
  output: z.string().nullable(),
  project: z.string().nullable(),
  owner: z.string(),
  run: z
    .looseObject({ id: z.string(), maxElapsedSeconds: z.number().nullable(), hardCapSeconds: z.number() })
    .optional(),
  members: z.array(z.looseObject({ pid: z.int(), args: z.string() })),
  verdict: z.looseObject({ state: z.string(), action: z.string() }),
  keptUntil: z.string().nullable(),
});
type Job = z.infer<typeof jobSchema>;

const scan = async (home: Home): Promise<readonly Job[]> =>
  z.looseObject({ jobs: z.array(jobSchema) }).parse(JSON.parse((await home.run(['scan', '--json', '--all'])).stdout))
    .jobs;

const incidents = async (home: Home): Promise<readonly Record<string, unknown>[]> => {
  const { stdout } = await home.run(['history', '--json']);
  return z.looseObject({ incidents: z.array(z.record(z.string(), z.unknown())) }).parse(JSON.parse(stdout)).incidents;
};

const background = async (
  home: Home,
  args: readonly string[],
  options: StartOptions = {},
): Promise<{ readonly id: string; readonly pid: number; readonly dir: string }> => {
  const { stdout } = await home.run(['run', '--background', ...args], options);
  return z.object({ id: z.string(), pid: z.int(), dir: z.string() }).parse(JSON.parse(stdout));
};

const exitCode = (dir: string): string | null =>
  existsSync(join(dir, 'exit_code')) ? readFileSync(join(dir, 'exit_code'), 'utf8').trim() : null;

test(
  'a run is a job with its name, its output, its own limits and all its processes; reap ends it in its own way',
  withHome(async (home) => {
    const bystander = await new Innocent(home, 'bystander').ready();
    const lock = home.file('lock');
    const limits = ['--max-elapsed', '1h', '--hard-cap', '2h', '--grace', '5s'];
    const script = `echo hello; setsid sleep 3601 & perl ${fixture('innocent.pl')} ${home.file('heard')}; sleep 3602`;
    const start = await background(home, [...limits, '--name', 'greeter', '--lock', lock, '--', 'sh', '-c', script]);
    await until('all of it stands, and hears', () => {
      const heard = existsSync(home.file('heard')) && readFileSync(home.file('heard'), 'utf8') === 'ready\n';
      return heard && withText('sleep 3601').some(({ args }) => args === 'sleep 3601');
    });
    const jobs = await scan(home);
    expect(jobs).toMatchObject([
      {
        agent: 'curfew-run',
        rule: 'curfew-run',
        name: 'greeter',
        owner: 'live',
        output: join(start.dir, 'stdout.log'),
        project: home.path,
        run: { id: start.id, maxElapsedSeconds: 3600, hardCapSeconds: 7200 },
        verdict: { state: 'within', action: 'none' },
      },
    ]);
    const [job] = jobs;
    expect(job?.members.map(({ args }) => args)).toContain('sleep 3601');
    expect(await scan(home)).toMatchObject([{ id: job?.id }]);
    // Without a selector it is never reaped, whatever its age.
    expect((await home.run(['reap', '--max-age', '0s'])).stdout).toBe('Nothing to end.\n');
    const reaped = await home.run(['reap', '--json', '--job', job?.id ?? '']);
    expect(reaped.code).toBe(0);
    expect(JSON.parse(reaped.stdout)).toMatchObject({
      incidents: [{ job: job?.id, agent: 'curfew-run', decidedBy: 'command', outcome: 'killed', survivors: [] }],
    });
    expect(readFileSync(home.file('heard'), 'utf8')).toContain('TERM');
    expect([exitCode(start.dir), existsSync(lock), withText('sleep 360')]).toEqual(['137', false, []]);
    expect(await incidents(home)).toHaveLength(1);
    expect(await scan(home)).toEqual([]);
    expect(bystander.untouched()).toBe(true);
    await bystander.end();
  }),
);

test(
  'keep puts the limit of a run off, which its own `curfew run` obeys, and unkeep takes that back; the hard cap stays',
  withHome(async (home) => {
    const [first, second, kept] = await inTime([12, 40, 120], async (seconds, isInTime) => {
      const [one, two] = await Promise.all([
        background(home, ['--max-elapsed', `${seconds - 2}s`, '--', 'sleep', '3603']),
        background(home, ['--max-elapsed', `${seconds - 3}s`, '--hard-cap', `${seconds}s`, '--', 'sleep', '3604']),
      ]);
      const calls = await Promise.all((await scan(home)).map(async ({ id }) => home.run(['keep', id, '--for', '1h'])));
      if (isInTime(seconds - 3)) return [one, two, calls] as const;
      for (const { id } of [one, two]) await home.run(['terminate', id]);
      return null;
    });
    expect(kept.map(({ code }) => code)).toEqual([0, 0]);
    await until('the hard cap has ended the second', () => exitCode(second.dir) !== null);
    expect(living(first.pid)).not.toBeNull();
    const [job] = await scan(home);
    expect(job).toMatchObject({ run: { id: first.id }, verdict: { state: 'kept' } });
    expect((await home.run(['unkeep', job?.id ?? ''])).code).toBe(0);
    await until('its limit counts again', () => exitCode(first.dir) !== null);
  }),
);

test(
  "a run that ends at a limit, or whose `curfew run` was killed, is an incident; one that ends by itself or is told to isn't",
  withHome(async (home) => {
    const limited = await background(home, [
      '--max-elapsed',
      // Long enough for its last words.
      '4s',
      '--name',
      'too slow',
      '--',
      'sh',
      '-c',
      'echo last words; sleep 3605',
    ]);
    await until('the limit has ended it', () => exitCode(limited.dir) !== null);
    expect(await incidents(home)).toMatchObject([
      {
        agent: 'curfew-run',
        command: 'too slow: sh -c echo last words; sleep 3605',
        decidedBy: 'rule',
        outcome: 'reaped',
        reasons: [{ code: 'past-max-elapsed' }],
        outputTail: 'last words',
      },
    ]);
    expect((await home.run(['run', '--', 'sh', '-c', 'sleep 3606 & exit 0'])).code).toBe(0);
    const told = await background(home, ['--', 'sleep', '3607']);
    expect((await home.run(['terminate', told.id])).code).toBe(0);
    expect(await incidents(home)).toHaveLength(1);
    const lost = home.curfew(['run', '--', 'sleep', '3608'], { stdio: 'ignore' });
    await until('it runs, and is noted', () => {
      const noted = notedIn(home);
      return withText('sleep 3608').some(({ args, pid }) => args === 'sleep 3608' && noted.has(pid));
    });
    lost.child.kill('SIGKILL');
    await lost.ended;
    expect((await home.run(['runs'])).code).toBe(0);
    const [latest] = await incidents(home);
    expect(latest).toMatchObject({
      agent: 'curfew-run',
      owner: 'gone',
      outcome: 'reaped',
      reasons: [{ code: 'own-limits' }],
    });
    expect(withText('sleep 360')).toEqual([]);
  }),
);

test(
  'a stopped `curfew run` hears that it is to end',
  withHome(async (home) => {
    const start = await background(home, ['--', 'sleep', '3609']);
    const [job] = await scan(home);
    const supervisor = living(start.pid)?.ppid ?? 0;
    process.kill(supervisor, 'SIGSTOP');
    await until('it is stopped', () => living(supervisor)?.state === 'T');
    expect((await home.run(['reap', '--job', job?.id ?? ''])).code).toBe(0);
    expect(exitCode(start.dir)).toBe('143');
  }),
);

test(
  'told to end a second time, a run no longer waits for its grace; two signals at once are one',
  withHome(async (home) => {
    const start = await background(home, [
      '--grace',
      '1h',
      '--',
      'sh',
      '-c',
      'trap "" TERM HUP; sleep 3610; sleep 3611',
    ]);
    const supervisor = living(start.pid)?.ppid ?? 0;
    await until('it is deaf', () => withText('sleep 3610').some(({ args }) => args === 'sleep 3610'));
    // Both wait for it when it goes on: at once for it, however long this process takes from one to the other.
    process.kill(supervisor, 'SIGSTOP');
    await until('it stands still', () => living(supervisor)?.state === 'T');
    process.kill(supervisor, 'SIGHUP');
    process.kill(supervisor, 'SIGTERM');
    process.kill(supervisor, 'SIGCONT');
    await sleep(1500);
    expect(living(start.pid)).not.toBeNull();
    // Asked until it has heard: only a second after the first time counts as once more.
    let turn = 0;
    await until('it has ended', () => {
      if (exitCode(start.dir) !== null) return true;
      // It lives until it has written that.
      if (turn++ % 25 === 0 && living(supervisor) !== null) process.kill(supervisor, 'SIGTERM');
      return false;
    });
    expect(exitCode(start.dir)).toBe('137');
    expect(withText('sleep 361')).toEqual([]);
  }),
);
