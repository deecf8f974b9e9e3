import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  livingProcesses,
  fixture,
  inTime,
  Innocent,
  newcomers,
  until,
  withHome,
  withText,
  type Seen,
} from './curfew-run.ts';
import { ways } from './ways.ts';

let before: readonly Seen[] = [];
beforeEach(() => {
  before = livingProcesses();
});
afterEach(async () => {
  // Leftovers of one test would be found by the next one.
  await until('no process is left', () => newcomers(before).length === 0);
});

/** Plans for fixtures/tree.pl: each a way to escape, beside a running command. */
const escapes = {
  'a child in the background': { children: [{}] },
  setsid: { children: [{ habits: ['setsid'] }] },
  'a double fork': { children: [{ habits: ['double'] }] },
  'a daemon: double fork, setsid, all files closed': { children: [{ habits: ['double', 'setsid', 'close', 'chdir'] }] },
  'deaf to every polite signal': { children: [{ habits: ['deaf'] }, { habits: ['deaf', 'setsid'] }] },
  'one that forks when it is to end': {
    children: [{ habits: ['refork'] }, { habits: ['refork', 'setsid', 'double'] }],
  },
  'a group of its own': { children: [{ habits: ['setpgid'], children: [{ habits: ['setpgid', 'deaf'] }] }] },
  'another program in a session of its own': {
    children: [{ habits: ['setsid', 'close'], children: [{ habits: ['double'] }] }],
  },
  'one that has stopped': { children: [{ habits: ['stop'] }, { habits: ['stop', 'setsid', 'double'] }] },
} as const;

/**
 * Each of its processes lives for milliseconds. Without the kernel's help it is caught by chance
 * only: FAULTS.md, "forks and exits all the while".
 */
const hopping = { children: [{ habits: ['hop'] }] };

const cleared = { children: [{ habits: ['double', 'setsid', 'close', 'exec'] }, { habits: ['exec'] }] };

describe.each(ways)('$name', ({ options, subreaper }) => {
  const plans = Object.entries({
    ...escapes,
    ...(subreaper
      ? {
          'an empty environment, session, group and parent': cleared,
          'one that forks and exits all the time': hopping,
        }
      : {}),
  });

  test(
    'reports the mechanisms in force',
    withHome(async (home) => {
      const { stdout } = await home.run(['run', '--json', '--', 'true'], options(home));
      const { inForce } = z
        .looseObject({
          inForce: z.object({
            subreaper: z.boolean(),
            session: z.literal(true),
            group: z.literal(true),
            cookie: z.literal(true),
            cgroup: z.looseObject({ path: z.string().optional(), reason: z.string().optional() }),
            signals: z.string(),
          }),
        })
        .parse(JSON.parse(stdout));
      expect(inForce.subreaper).toBe(subreaper);
      // A missing one comes with the reason.
      expect(inForce.cgroup.path ?? inForce.cgroup.reason).toMatch(/./);
    }),
  );

  test.each(plans)('%s: ends with the command that has ended', (_, plan) =>
    withHome(async (home) => {
      const own = livingProcesses();
      const args = ['perl', fixture('tree.pl'), JSON.stringify({ ...plan, finally: { exit: 7, after: 300 } })];
      const ended = await home.run(['run', '--grace', '1', '--', ...args], options(home));
      expect(ended).toMatchObject({ code: 7, stderr: '' });
      expect(newcomers(own)).toEqual([]);
    })(),
  );

  test(
    'all of them together end at the limit, and a bystander gets no signal',
    withHome(async (home) => {
      const bystander = await new Innocent(home, 'bystander').ready();
      const own = livingProcesses();
      const plan = { habits: ['deaf'], children: plans.flatMap(([, one]) => one.children) };
      const args = ['perl', fixture('tree.pl'), JSON.stringify(plan)];
      const ended = await home.run(['run', '--max-elapsed', '1', '--grace', '1', '--', ...args], options(home));
      expect(ended).toMatchObject({ code: 124 });
      expect(ended.stderr).toContain('its limit of 1 s');
      expect(newcomers(own)).toEqual([]);
      expect(bystander.untouched()).toBe(true);
      await bystander.end();
    }),
  );

  test(
    'an agent that starts `sleep 3600 &` and exits leaves nothing',
    withHome(async (home) => {
      const agent = 'sleep 3600 & sleep 3601 & disown; echo done; exit 0';
      const ended = await home.run(['run', '--', 'bash', '-c', agent], options(home));
      // The output ends with the run: no process keeps it open.
      expect(ended).toMatchObject({ code: 0, stdout: 'done\n' });
      expect(withText('sleep 360')).toEqual([]);
    }),
  );

  test(
    'the malformed jq of a double-forked shell is dead after the limit, and the lock is gone',
    withHome(async (home) => {
      // A stand-in that behaves like jq: it takes `echo` and `written` for inputs that never end.
      writeFileSync(home.file('jq'), '#!/bin/sh\nexec cat "$0.never"\n', { mode: 0o755 });
      await home.start('mkfifo', ['-m', '666', home.file('jq.never')]).ended;
      writeFileSync(home.file('snapshot.sh'), 'export PATH="$PWD:$PATH"\n');
      const shell = `cd ${home.path} && source snapshot.sh && eval 'jq -n --arg verdict APPROVE "{}" > review.json echo "written"'`;
      const agent = `setsid bash -c "setsid bash -c \\"\\$SHELL_OF_AGENT\\" & " & sleep 0.5; sleep 3600`;
      const lock = home.file('review.lock');
      const seen = await inTime([5, 20, 80], async (seconds, isInTime) => {
        const args = ['run', '--max-elapsed', String(seconds), '--lock', lock, '--', 'bash', '-c', agent];
        const going = home.curfew(args, { ...options(home), env: { SHELL_OF_AGENT: shell } });
        await until('the pipeline is stuck', () => withText('jq.never').length > 0 || !isInTime(seconds));
        const locked = existsSync(lock);
        const second = await home.run(['run', '--lock', lock, '--', 'true'], options(home));
        // Its limit counts from a later moment.
        const wasInTime = isInTime(seconds);
        const { code } = await going.ended;
        return wasInTime ? { code, locked, second, pid: going.pid } : null;
      });
      expect(seen).toMatchObject({ code: 124, locked: true, second: { code: 1 } });
      expect(seen.second.stderr).toContain(String(seen.pid));
      expect(existsSync(lock)).toBe(false);
      expect(withText('jq.never')).toEqual([]);
      expect((await home.run(['run', '--lock', lock, '--', 'true'], options(home))).code).toBe(0);
    }),
  );
});

test(
  'no outsider is touched: a process in our group, with another cookie, or adopted by us earlier',
  withHome(async (home) => {
    const cookie = await new Innocent(home, 'cookie', { env: { CURFEW_RUN: '2222222222' } }).ready();
    const { curfewFile } = await import('../scene/curfew.ts');
    // A shell that becomes `curfew run`: its earlier children become children of it and are in its
    // group.
    const shell = `perl "$INNOCENT" "$LOG" & (perl "$INNOCENT" "$LOG2" &) ; until [ -s "$LOG" ] && [ -s "$LOG2" ]; do sleep 0.05; done; exec "$NODE" "$CURFEW" run -- sh -c 'sleep 3600 & exit 3'`;
    const env = {
      INNOCENT: fixture('innocent.pl'),
      LOG: home.file('before.signals'),
      LOG2: home.file('orphan.signals'),
      NODE: process.execPath,
      CURFEW: curfewFile,
    };
    const ended = await new Promise<number | null>((resolve) => {
      const going = home.start('bash', ['-c', shell], { env, stdio: 'ignore' });
      going.child.on('exit', resolve);
    });
    expect(ended).toBe(3);
    expect(withText('sleep 3600')).toEqual([]);
    const spared = withText('innocent.pl').filter(({ args }) => args.includes(home.path));
    expect(spared).toHaveLength(3);
    expect(readFileSync(env.LOG, 'utf8')).toBe('ready\n');
    expect(readFileSync(env.LOG2, 'utf8')).toBe('ready\n');
    expect(cookie.untouched()).toBe(true);
    for (const { pid } of spared) process.kill(pid, 'SIGKILL');
    await cookie.going.ended;
  }),
);

test(
  'a process with CURFEW_KEEP=1 is spared and named; if `curfew run` itself carries it, that doesn’t count',
  withHome(async (home) => {
    const ended = await home.run([
      'run',
      '--',
      'bash',
      '-c',
      'CURFEW_KEEP=1 setsid sleep 3605 >&- 2>&- & sleep 3606 & until ps -eo args | grep -qx "sleep 3605"; do sleep 0.05; done',
    ]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('CURFEW_KEEP');
    const [kept, ...others] = withText('sleep 360');
    expect(others).toEqual([]);
    expect(kept?.args).toBe('sleep 3605');
    if (kept !== undefined) process.kill(kept.pid, 'SIGKILL');
    const env = { CURFEW_KEEP: '1' };
    expect((await home.run(['run', '--', 'bash', '-c', 'sleep 3607 & exit 4'], { env })).code).toBe(4);
    expect(withText('sleep 3607')).toEqual([]);
  }),
);

test(
  'a nested run ends with the outer one, and may end earlier',
  withHome(async (home) => {
    const { curfewFile } = await import('../scene/curfew.ts');
    const inner = `"${process.execPath}" "${curfewFile}" run`;
    const ended = await home.run([
      'run',
      '--max-elapsed',
      '2',
      '--',
      'bash',
      '-c',
      `${inner} -- sh -c 'setsid sleep 3600 & sleep 3601'`,
    ]);
    expect(ended.code).toBe(124);
    expect(withText('sleep 360')).toEqual([]);
    const first = await home.run(['run', '--', 'bash', '-c', `${inner} --max-elapsed 1 -- sleep 3600; echo $?`]);
    expect(first).toMatchObject({ code: 0, stdout: '124\n' });
  }),
);
