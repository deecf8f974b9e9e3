import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  endWhatEachTestLeaves,
  fixture,
  type Going,
  type Home,
  inTime,
  living,
  notedIn,
  until,
  withHome,
} from './curfew-run.ts';
import { curfewFile } from '../scene/curfew.ts';
import { ways } from './ways.ts';

const newcomers = endWhatEachTestLeaves();

/** What `protected.sh` starts and what is spared, by its command line. */
const spared = {
  tmux: /^tmux -S/u,
  'a program in tmux': /^sleep 86413$/u,
  'a job in tmux': /^sleep 86411$/u,
  'a job in tmux with a session of its own': /^sleep 86412$/u,
  'ssh-agent': /^ssh-agent -a/u,
  'the terminal of the editor': /^script -qfc vim/u,
  'the shell on that terminal': /^sh -c vim/u,
  editor: /^vim -u NONE/u,
  agent: /^claude -c/u,
  'a command of the agent': /^sleep 86414$/u,
} as const;

const ended = {
  'in the session of the run': /^sleep 86421$/u,
  'in a session of its own': /^sleep 86422$/u,
  'an orphan without an environment': /^sleep 86423$/u,
  'an editor in the session of the run': /^vim 86424$/u,
} as const;

const found = (what: Readonly<Record<string, RegExp>>): readonly string[] => {
  const there = newcomers();
  return Object.entries(what).flatMap(([name, form]) => (there.some(({ args }) => form.test(args)) ? [name] : []));
};

const pidOf = (form: RegExp): number => {
  const one = newcomers().find(({ args }) => form.test(args));
  if (one === undefined) throw new Error(`${form.source} is not there`);
  return one.pid;
};

/**
 * Everything runs, and what is spared has left the session of the run: a daemon whose parent has
 * ended may be a moment before its setsid(2).
 */
const stands = (): boolean => {
  const there = newcomers();
  const run = there.find(({ args }) => ended['in the session of the run'].test(args))?.sid;
  const hasLeft = (form: RegExp): boolean => there.some(({ args, sid }) => form.test(args) && sid !== run);
  return Object.values(spared).every(hasLeft) && found(ended).length === Object.keys(ended).length;
};

/** Ends what an attempt that came too late has left, and forgets it. */
const startAgain = async (home: Home): Promise<null> => {
  for (const { pid } of newcomers()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with another one.
    }
  }
  await until('nothing is left of the attempt', () => newcomers().length === 0);
  for (const name of readdirSync(home.path)) rmSync(home.file(name), { recursive: true, force: true });
  return null;
};

/** All protected processes are there, the tmux session answers, and nothing else is left. */
const expectSpared = async (home: Home): Promise<void> => {
  await until('what is left over has ended', () => found(ended).length === 0);
  // Signalled processes have had time to end.
  await sleep(100);
  expect(found(spared)).toEqual(Object.keys(spared));
  const sessions = await home.start('tmux', ['-S', home.file('tmux.sock'), 'list-sessions']).ended;
  expect(sessions).toMatchObject({ code: 0 });
  const keys = await home.start('ssh-add', ['-l'], { env: { SSH_AUTH_SOCK: home.file('agent.sock') } }).ended;
  expect(keys.stdout).toContain('no identities');
};

/** Each is named once with pid, program and reason, and with the command that ends it. */
const expectNamed = (stderr: string): void => {
  for (const form of Object.values(spared)) {
    const pid = pidOf(form);
    const said = new RegExp(`^curfew: (?:run \\S+: )?process ${pid} \\(.+ was left running: `, 'u');
    const lines = stderr.split('\n').filter((line) => said.test(line));
    expect({ form: form.source, lines: lines.length }).toEqual({ form: form.source, lines: 1 });
  }
  expect(stderr.match(/--strict/gu)).toHaveLength(1);
};

const expectNothingLeft = async (but = 0): Promise<void> => {
  await until('nothing is left', () => newcomers().every(({ pid }) => pid === but));
};

const begin = (home: Home, options: readonly string[], more: readonly string[] = []): Going =>
  home.curfew(['run', '--grace', '1', ...options, '--', 'bash', fixture('protected.sh'), home.path, ...more], {
    // A file, not a pipe: a spared process may keep it open.
    stdio: ['ignore', 'ignore', 'pipe'],
  });

/** Lets a run reach its limit, not before everything stands; returns its standard error. */
const reachLimit = async (home: Home, strict: readonly string[]): Promise<string> =>
  inTime([5, 20, 60], async (seconds, isInTime) => {
    const going = begin(home, [...strict, '--max-elapsed', String(seconds)]);
    await until('it stands', () => stands() || !isInTime(seconds));
    const wasInTime = isInTime(seconds);
    const { code, stderr } = await going.ended;
    if (!wasInTime) return startAgain(home);
    expect(code).toBe(124);
    return stderr;
  });

/** The ways in which a run ends; each resolves with its standard error. */
const endings: Readonly<Record<string, (home: Home, strict: readonly string[]) => Promise<string>>> = {
  'its limit': reachLimit,
  'its command has ended': async (home, strict) => {
    const going = begin(home, strict, ['leave']);
    await until('it stands', stands);
    writeFileSync(home.file('leave'), '');
    const { code, stderr } = await going.ended;
    expect(code).toBe(5);
    return stderr;
  },
  ...Object.fromEntries(
    (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => [
      `${signal} to \`curfew run\``,
      async (home: Home, strict: readonly string[]) => {
        const going = begin(home, strict);
        await until('it stands', stands);
        going.child.kill(signal);
        return (await going.ended).stderr;
      },
    ]),
  ),
  'TERM twice': async (home, strict) => {
    const going = begin(home, [...strict, '--grace', '30']);
    await until('it stands', stands);
    going.child.kill('SIGTERM');
    going.child.kill('SIGTERM');
    await sleep(50);
    going.child.kill('SIGTERM');
    return (await going.ended).stderr;
  },
  'idle after its result': async (home, strict) => {
    const text = `bash ${fixture('protected.sh')} ${home.path} stay & until [ -e ${home.file('leave')} ]; do sleep 0.05; done; echo result; wait`;
    const options = ['--grace', '1', ...strict, '--idle-after', '^result$', '--idle-grace', '0', '--json'];
    const going = home.curfew(['run', ...options, '--', 'bash', '-c', text], { stdio: ['ignore', 'ignore', 'pipe'] });
    await until('it stands', stands);
    // `protected.sh` exits as well, which makes no difference: the shell around it waits until it
    // is ended.
    writeFileSync(home.file('leave'), '');
    return (await going.ended).stderr;
  },
  'KILL to `curfew run`, and the next command': async (home, strict) => {
    const going = begin(home, strict);
    await until(
      'it stands and is noted',
      () => stands() && newcomers().every(({ pid }) => pid === going.pid || notedIn(home).has(pid)),
    );
    going.child.kill('SIGKILL');
    await until('it is dead', () => living(going.pid) === null);
    return (await home.run(['runs'])).stderr;
  },
};

describe.each(Object.entries(endings))('%s', (_, end) => {
  test(
    'spares programs of the user and shared ones that left the session of the run, names them, and ends everything else',
    withHome(async (home) => {
      const stderr = await end(home, []);
      await expectSpared(home);
      expectNamed(stderr);
    }),
  );

  test(
    'with --strict all of it ends, and nothing is named',
    withHome(async (home) => {
      const stderr = await end(home, ['--strict']);
      await expectNothingLeft();
      expect(stderr).not.toContain('was left running');
    }),
  );
});

const background = async (home: Home, strict: readonly string[]): Promise<{ id: string; dir: string }> => {
  const args = ['run', '--background', '--grace', '1', ...strict, '--', 'bash', fixture('protected.sh'), home.path];
  const { stdout } = await home.run(args);
  await until('it stands', stands);
  return JSON.parse(stdout) as { id: string; dir: string };
};

/** The processes that a run recorded as carrying CURFEW_KEEP=1. */
const keptIn = (home: Home): readonly number[] =>
  readdirSync(home.path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('/seen.json'))
    .flatMap(
      (name) =>
        (JSON.parse(readFileSync(home.file(name), 'utf8')) as { members: { pid: number; kept?: true }[] }).members,
    )
    .flatMap(({ pid, kept }) => (kept === true ? [pid] : []));

/** The incidents that `curfew history` prints. */
const historyIn = (text: string): readonly { survivors: unknown[]; signals: { pids: number[] }[] }[] => {
  const value = JSON.parse(text) as unknown;
  return (Array.isArray(value) ? value : (value as { incidents: unknown[] }).incidents) as never;
};

const metaIn = (dir: string): { supervisor: { pid: number }; end: { spared: { pid: number; program: string }[] } } =>
  JSON.parse(readFileSync(join(dir, 'meta.json'), 'utf8')) as never;

test(
  'a terminated background run spares the same, says so, and its record has the details',
  withHome(async (home) => {
    const { id, dir } = await background(home, []);
    const { code, stderr } = await home.run(['terminate', id]);
    expect(code).toBe(0);
    await expectSpared(home);
    expectNamed(stderr);
    const recorded = metaIn(dir).end.spared.map(({ pid }) => pid);
    expect(new Set(recorded)).toEqual(new Set(Object.values(spared).map(pidOf)));
    expect(recorded).toHaveLength(new Set(recorded).size);
  }),
);

test.each([
  [[], 'spared'],
  [['--strict'], 'ended'],
] as const)(
  `a run in the background, started with %j, whose supervisor was killed: what is protected is %s`,
  (strict, what) =>
    withHome(async (home) => {
      const { id, dir } = await background(home, strict);
      const { pid } = metaIn(dir).supervisor;
      await until('all is noted', () => newcomers().every((one) => one.pid === pid || notedIn(home).has(one.pid)));
      process.kill(pid, 'SIGKILL');
      await until('the supervisor is dead', () => living(pid) === null);
      expect((await home.run(['terminate', id])).code).toBe(0);
      if (what === 'spared') await expectSpared(home);
      else await expectNothingLeft();
      expect(metaIn(dir).end.spared.length > 0).toBe(what === 'spared');
    })(),
);

test.each([
  [[], 'spares'],
  [['--strict'], 'ends'],
] as const)('after a `curfew run` with %j was killed, the supervisor %s protected processes', (strict, what) =>
  withHome(async (home) => {
    const going = begin(home, strict);
    await until(
      'it stands and is noted',
      () => stands() && newcomers().every(({ pid }) => pid === going.pid || notedIn(home).has(pid)),
    );
    going.child.kill('SIGKILL');
    const watch = home.curfew(['watch', '--observe'], { stdio: 'ignore' });
    await until('what is left over has ended', () => found(ended).length === 0);
    if (what === 'spares') await expectSpared(home);
    else await expectNothingLeft(watch.pid);
    watch.child.kill('SIGTERM');
    expect((await watch.ended).code).toBe(0);
  })(),
);

test.each(ways.filter(({ subreaper }) => subreaper))('$name: the same is spared', ({ options }) =>
  withHome(async (home) => {
    const going = home.curfew(['run', '--grace', '1', '--', 'bash', fixture('protected.sh'), home.path], {
      ...options(home),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await until('it stands', stands);
    going.child.kill('SIGTERM');
    const { stderr } = await going.ended;
    await until('what is left over has ended', () => found(ended).length === 0);
    expect(found(spared)).toEqual(Object.keys(spared));
    expectNamed(stderr);
  })(),
);

test(
  'a daemon that is the command itself is spared, although its parent exits before it has a session of its own',
  withHome(async (home) => {
    for (let round = 0; round < 10; round += 1) {
      const socket = home.file(`agent-${round}`);
      const { code } = await home.start('sh', ['-c', '"$@" >/dev/null', 'sh', process.execPath, ...agentRun(socket)])
        .ended;
      expect(code).toBe(0);
      expect(existsSync(socket)).toBe(true);
      expect(newcomers().filter(({ args }) => args === `ssh-agent -a ${socket}`)).toHaveLength(1);
    }
  }),
);

const agentRun = (socket: string): readonly string[] => [curfewFile, 'run', '--', 'ssh-agent', '-a', socket];

test(
  'what was started in a tmux session stays spared after its server was killed',
  withHome(async (home) => {
    const inside = 'setsid sleep 86451 & exec sleep 86452';
    const command = `unset TMUX; tmux -S ${home.file('tmux.sock')} -f /dev/null new-session -d '${inside}'; sleep 86453`;
    const going = home.curfew(['run', '--grace', '1', '--', 'sh', '-c', command], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const job = await until('it is noted', () =>
      newcomers().find(({ pid, args }) => args === 'sleep 86451' && notedIn(home).has(pid)),
    );
    process.kill(pidOf(spared.tmux), 'SIGKILL');
    await until('the terminal is closed', () => found({ 'a program in tmux': /^sleep 86452$/u }).length === 0);
    going.child.kill('SIGTERM');
    expect((await going.ended).stderr).toContain(`process ${job.pid} (sleep) was left running`);
    expect(living(job.pid)?.args).toBe('sleep 86451');
    expect(newcomers()).toHaveLength(1);
  }),
);

test(
  'an editor that is the command itself ends at the limit',
  withHome(async (home) => {
    const { code, stderr } = await home.run([
      'run',
      '--max-elapsed',
      '1',
      '--',
      'bash',
      '-c',
      'exec -a vim sleep 86430',
    ]);
    expect(code).toBe(124);
    expect(stderr).not.toContain('was left running');
    await expectNothingLeft();
  }),
);

test(
  'spared processes return to the control group of `curfew run`, and that of the run is gone',
  withHome(async (home) => {
    const going = begin(home, ['--json']);
    await until('it stands', stands);
    going.child.kill('SIGTERM');
    await going.ended;
    const groups = readFileSync(`/proc/${pidOf(spared.tmux)}/cgroup`, 'utf8');
    expect(groups).toBe(readFileSync('/proc/self/cgroup', 'utf8'));
    expect(readlinkSync(`/proc/${pidOf(spared.tmux)}/ns/pid`)).toBe(readlinkSync('/proc/self/ns/pid'));
  }),
);

test(
  'the record of a run that reached its limit says what was spared, and counts it neither as dead nor as a survivor',
  withHome(async (home) => {
    await reachLimit(home, []);
    const { stdout } = await home.run(['history', '--format', 'json']);
    const [incident, ...others] = historyIn(stdout);
    expect(others).toEqual([]);
    expect(incident?.survivors).toEqual([]);
    const text = JSON.stringify(incident);
    expect(text).toContain('(tmux)');
    expect(text).toContain('left alone');
    expect(incident?.signals.flatMap(({ pids }) => pids)).not.toContain(pidOf(spared.tmux));
  }),
);

test(
  'a program that was started with CURFEW_KEEP=1 is spared after it has overwritten its environment',
  withHome(async (home) => {
    const program = `until [ -e ${home.file('seen')} ]; do sleep 0.05; done; exec env -i sleep 86440`;
    const going = home.curfew(
      ['run', '--', 'sh', '-c', `CURFEW_KEEP=1 setsid sh -c '${program}' 2>/dev/null & sleep 86441; true`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await until('the mark was noted', () =>
      keptIn(home).some((pid) => living(pid)?.args.includes('until [ -e') === true),
    );
    writeFileSync(home.file('seen'), '');
    const kept = await until('it is another program', () => newcomers().find(({ args }) => args === 'sleep 86440'));
    going.child.kill('SIGTERM');
    expect((await going.ended).stderr).toContain(`process ${kept.pid} (sleep) was left running`);
    expect(living(kept.pid)).not.toBeNull();
    expect(newcomers()).toHaveLength(1);
  }),
);
