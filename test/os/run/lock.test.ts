import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ended, Home, living, notedIn, until, withHome, withText } from './curfew-run.ts';

/** A command that detects another process in its critical section. */
const critical = (home: Home): readonly string[] => [
  'bash',
  '-c',
  `mkdir ${home.file('inside')} || { echo >> ${home.file('overlaps')}; exit 70; }; sleep 0.05; rmdir ${home.file('inside')}; echo >> ${home.file('turns')}`,
];

const linesIn = (path: string): number => (existsSync(path) ? readFileSync(path, 'utf8').length : 0);

test(
  'a hundred runs race for one lock: one at a time holds it, none is stuck, and nothing is left of it',
  withHome(async (home) => {
    const lock = home.file('lock');
    const ended: Ended[] = [];
    let left = 100;
    const racer = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        ended.push(await home.run(['run', '--lock', lock, '--', ...critical(home)]));
      }
    };
    await Promise.all(Array.from({ length: 25 }, racer));
    const codes = ended.map(({ code }) => code);
    expect(codes).toHaveLength(100);
    expect(ended.filter(({ code }) => code > 1)).toEqual([]);
    expect(new Set(codes)).toEqual(new Set([0, 1]));
    expect(linesIn(home.file('overlaps'))).toBe(0);
    expect(linesIn(home.file('turns'))).toBe(codes.filter((code) => code === 0).length);
    expect(ended.filter(({ code }) => code === 1).every(({ stderr }) => stderr.includes('is held by process'))).toBe(
      true,
    );
    expect(readdirSync(home.path).filter((name) => name.startsWith('lock'))).toEqual([]);
    expect((await home.run(['run', '--lock', lock, '--', 'true'])).code).toBe(0);
  }),
);

test(
  'a killed holder: of thirty waiting runs one at a time gets the lock, and its leftovers are ended first',
  withHome(async (home) => {
    const lock = home.file('lock');
    const holder = home.curfew(
      ['run', '--lock', lock, '--', 'sh', '-c', `mkdir ${home.file('inside')}; setsid sleep 3600 & sleep 3601`],
      {
        stdio: 'ignore',
      },
    );
    await until('the holder is inside, and its run has recorded its members', () => {
      const noted = notedIn(home);
      const inside = withText('sleep 360').filter(({ args }) => args.startsWith('sleep'));
      return inside.length === 2 && inside.every(({ pid }) => noted.has(pid));
    });
    holder.child.kill('SIGKILL');
    await until('it is dead', () => living(holder.pid) === null);
    expect(withText('sleep 360').filter(({ args }) => args.startsWith('sleep'))).toHaveLength(2);
    const script = `[ -z "$(ps -eo args | grep '^sleep 360')" ] || exit 71; rmdir ${home.file('inside')} 2>&-; ${critical(home)[2]}`;
    const ended = await Promise.all(
      Array.from({ length: 30 }, () => home.run(['run', '--lock', lock, '--', 'bash', '-c', script])),
    );
    const codes = ended.map(({ code }) => code);
    expect(ended.filter(({ code }) => code > 1)).toEqual([]);
    expect(new Set(codes)).toEqual(new Set([0, 1]));
    expect(linesIn(home.file('overlaps'))).toBe(0);
    expect(existsSync(lock)).toBe(false);
    expect(withText('sleep 360')).toEqual([]);
  }),
);

test(
  'a lock is released however the run ends: exit, limit, signal, missing command',
  withHome(async (home) => {
    const lock = home.file('lock');
    await home.run(['run', '--lock', lock, '--', 'sh', '-c', 'exit 3']);
    expect(existsSync(lock)).toBe(false);
    await home.run(['run', '--lock', lock, '--max-elapsed', '1', '--', 'sleep', '600']);
    expect(existsSync(lock)).toBe(false);
    const going = home.curfew(['run', '--lock', lock, '--', 'sleep', '600']);
    await until('the lock is taken', () => existsSync(lock));
    going.child.kill('SIGINT');
    await going.ended;
    expect(existsSync(lock)).toBe(false);
    expect((await home.run(['run', '--lock', lock, '--', 'there-is-no-such-command'])).code).toBe(127);
    expect(existsSync(lock)).toBe(false);
  }),
);

/** Content of the lock of an ended background run, whose record names that lock. */
const ownRecord = async (home: Home): Promise<Record<string, unknown>> => {
  const lock = home.file('lock');
  const started = await home.run(['run', '--background', '--lock', lock, '--', 'sleep', '600']);
  const text = readFileSync(lock, 'utf8');
  await home.run(['terminate', (JSON.parse(started.stdout) as { id: string }).id]);
  await until('the lock is gone', () => !existsSync(lock));
  return JSON.parse(text) as Record<string, unknown>;
};

/** Tries to take a lock with this content; it must be refused, unchanged, with facts and advice. */
const expectRefused = async (home: Home, text: string): Promise<string> => {
  const lock = home.file('lock');
  writeFileSync(lock, text);
  const { code, stderr } = await home.run(['run', '--lock', lock, '--', 'touch', 'started']);
  expect({ text, code }).toEqual({ text, code: 1 });
  expect(stderr).toContain(lock);
  expect(readFileSync(lock, 'utf8')).toBe(text);
  expect(existsSync(home.file('started'))).toBe(false);
  const swept = await home.run(['sweep', '--json', '--yes']);
  expect(swept.code).toBe(0);
  expect(readFileSync(lock, 'utf8')).toBe(text);
  return stderr;
};

test(
  'a file without a certain holder is refused: a bare pid, living or dead, nothing, a partial record',
  withHome(async (home) => {
    const other = home.start('sleep', ['600']);
    const whole = JSON.stringify(await ownRecord(home));
    const { startTicks: _, ...withoutStart } = JSON.parse(whole) as Record<string, unknown>;
    const texts = [`${other.pid}\n`, '', 'somebody', '{"pid":1}', whole.slice(0, -20), JSON.stringify(withoutStart)];
    for (const text of texts) expect(await expectRefused(home, text)).toContain(`rm ${home.file('lock')}`);
    other.child.kill('SIGKILL');
    await other.ended;
    expect(await expectRefused(home, `${other.pid}\n`)).toContain(`only a pid, ${other.pid}`);
    expect(await expectRefused(home, '99999')).toContain('A pid alone does not tell');
  }),
);

test(
  'the bare pid of a living process in another pid namespace is refused, even if it is free here',
  withHome(async (home) => {
    const lock = home.file('lock');
    const inside = home.start('unshare', [
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      `echo 30000 > /proc/sys/kernel/ns_last_pid; sh -c 'echo $$ > ${lock}; exec sleep 600'; true`,
    ]);
    const text = await until('the lock is written', () => existsSync(lock) && readFileSync(lock, 'utf8'));
    expect(await expectRefused(home, text)).toContain('only a pid');
    inside.child.kill('SIGKILL');
    await inside.ended;
  }),
);

test(
  'a record of another machine, boot or pid namespace is refused, whatever process has the pid here',
  withHome(async (home) => {
    const record = await ownRecord(home);
    const boot = String(record['bootId']);
    const [kernel = '', namespace = ''] = boot.split('/');
    const otherBoot = `00000000-0000-4000-8000-000000000000/${namespace}`;
    // The pid is free, so only the place protects the holder.
    const refused = (change: Record<string, unknown>): Promise<string> =>
      expectRefused(home, `${JSON.stringify({ ...record, ...change })}\n`);
    expect(await refused({ host: 'another' })).toContain('another machine or container');
    expect(await refused({ bootId: otherBoot })).toContain('another boot');
    expect(await refused({ bootId: `${kernel}/1234` })).toContain('another container or pid namespace');
    expect(await refused({ bootId: `${kernel}/unknown` })).toContain('another container or pid namespace');
    // The same record with this boot and namespace is taken over: its holder is dead.
    writeFileSync(home.file('lock'), JSON.stringify(record));
    expect((await home.run(['run', '--lock', home.file('lock'), '--', 'true'])).code).toBe(0);
    expect(existsSync(home.file('lock'))).toBe(false);
  }),
);

test(
  'the lock of a `curfew run` in another pid namespace is refused, and is not swept',
  withHome(async (home) => {
    const { curfewFile } = await import('../scene/curfew.ts');
    const lock = home.file('lock');
    const apart = ['--pid', '--fork', '--mount-proc', '--kill-child'];
    const run = [process.execPath, curfewFile, 'run', '--lock', lock, '--', 'sleep', '600'];
    const inside = home.start('unshare', [...apart, ...run]);
    const text = await until('the lock is there', () => existsSync(lock) && readFileSync(lock, 'utf8'));
    expect(await expectRefused(home, text)).toContain('another container or pid namespace');
    expect((await home.run(['runs'])).code).toBe(0);
    expect(readFileSync(lock, 'utf8')).toBe(text);
    inside.child.kill('SIGKILL');
    await inside.ended;
  }),
);

test(
  'a lock that was replaced meanwhile is not removed; a link and a missing folder are refused',
  withHome(async (home) => {
    const lock = home.file('lock');
    const ended = await home.run(['run', '--lock', lock, '--', 'sh', '-c', `echo mine > ${lock}`]);
    expect(ended.code).toBe(0);
    expect(readFileSync(lock, 'utf8')).toBe('mine\n');
    symlinkSync(home.file('elsewhere'), home.file('link'));
    expect((await home.run(['run', '--lock', home.file('link'), '--', 'true'])).code).not.toBe(0);
    expect(existsSync(home.file('elsewhere'))).toBe(false);
    expect((await home.run(['run', '--lock', home.file('no/such/folder'), '--', 'true'])).code).not.toBe(0);
  }),
);

test(
  'the holder is recorded with pid and start time, and the pid alone does not make it live',
  withHome(async (home) => {
    const lock = home.file('lock');
    const going = home.curfew(['run', '--lock', lock, '--', 'sleep', '600']);
    const text = await until('the lock is there', () => existsSync(lock) && readFileSync(lock, 'utf8'));
    const holder = JSON.parse(text) as Record<string, unknown>;
    expect(holder).toMatchObject({ pid: going.pid, startTicks: Number(living(going.pid)?.start) });
    going.child.kill('SIGTERM');
    await going.ended;
    const record = await ownRecord(home);
    const other = home.start('sleep', ['600']);
    // The pid belongs to another process now.
    writeFileSync(lock, JSON.stringify({ ...record, pid: other.pid }));
    expect((await home.run(['run', '--lock', lock, '--', 'true'])).code).toBe(0);
    expect(living(other.pid)).not.toBeNull();
    // Another machine can't be inspected.
    writeFileSync(lock, JSON.stringify({ ...holder, host: 'another', pid: 99_999 }));
    expect((await home.run(['run', '--lock', lock, '--', 'true'])).code).toBe(1);
    other.child.kill('SIGKILL');
    await other.ended;
  }),
);

/** Ends the `curfew run` that holds the lock with KILL, while its command goes on. */
const killedHolder = async (home: Home, lock: string): Promise<string> => {
  const holder = home.curfew(['run', '--lock', lock, '--', 'sh', '-c', 'setsid sleep 3610 & sleep 3611'], {
    stdio: 'ignore',
  });
  await until('its run has recorded its members', () => {
    const inside = withText('sleep 361').filter(({ args }) => args.startsWith('sleep'));
    return inside.length === 2 && inside.every(({ pid }) => notedIn(home).has(pid));
  });
  holder.child.kill('SIGKILL');
  await until('it is dead', () => living(holder.pid) === null);
  return readFileSync(lock, 'utf8');
};

const leftOfHolder = (): readonly number[] =>
  withText('sleep 361')
    .filter(({ args }) => args.startsWith('sleep'))
    .map(({ pid }) => pid);

const endLeftOfHolder = (): void => {
  for (const pid of leftOfHolder()) process.kill(pid, 'SIGKILL');
};

const takenElsewhere: readonly [string, (home: Home) => Promise<Ended>][] = [
  [
    'the record is in another CURFEW_HOME',
    async (home) =>
      home.run(['run', '--lock', home.file('lock'), '--', 'touch', 'started'], {
        env: { CURFEW_HOME: home.file('another') },
      }),
  ],
  [
    'the record was removed',
    async (home) => {
      rmSync(home.runs, { recursive: true });
      return home.run(['run', '--lock', home.file('lock'), '--', 'touch', 'started']);
    },
  ],
  [
    'the record can’t be read',
    async (home) => {
      for (const id of readdirSync(home.runs)) {
        const meta = join(home.runs, id, 'meta.json');
        if (existsSync(meta)) writeFileSync(meta, '{"schema":1');
      }
      return home.run(['run', '--lock', home.file('lock'), '--', 'touch', 'started']);
    },
  ],
];

test.each(takenElsewhere)('the lock of a killed run stays held while its command lives and %s', async (_, taking) => {
  const home = new Home();
  try {
    const text = await killedHolder(home, home.file('lock'));
    const { code, stderr } = await taking(home);
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toContain('there is no record of its run here');
    expect(stderr).toContain(`rm ${home.file('lock')}`);
    expect(readFileSync(home.file('lock'), 'utf8')).toBe(text);
    expect(existsSync(home.file('started'))).toBe(false);
    expect(leftOfHolder()).toHaveLength(2);
  } finally {
    endLeftOfHolder();
    home.done();
  }
});

test(
  'the lock of a killed run stays held over a watch and two runs where the note of what it had started is lost',
  withHome(async (home) => {
    const lock = home.file('lock');
    const apart = 'setsid env -i perl -e "sleep 3613"';
    const holder = home.curfew(['run', '--lock', lock, '--', 'sh', '-c', `(${apart} &); sleep 3614`], {
      stdio: 'ignore',
    });
    const inside = () => withText('sleep 361').filter(({ args }) => /^(?:perl|sleep) /u.test(args));
    await until('its members are noted', () => {
      const noted = notedIn(home);
      return inside().length === 2 && inside().every(({ pid }) => noted.has(pid));
    });
    holder.child.kill('SIGKILL');
    await until('it is dead', () => living(holder.pid) === null);
    for (const name of readdirSync(home.path, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('/seen.json')) writeFileSync(home.file(name), '{"members":');
      else if (name.endsWith('/meta.json')) {
        // And no control group of the kernel knows them.
        const record = JSON.parse(readFileSync(home.file(name), 'utf8')) as { inForce: object };
        const inForce = { ...record.inForce, cgroup: { reason: 'none' } };
        writeFileSync(home.file(name), JSON.stringify({ ...record, inForce }));
      }
    const text = readFileSync(lock, 'utf8');
    const watch = home.curfew(['watch']);
    try {
      await until('the watch has ended what it knew of', () => inside().length === 1);
      expect(inside()[0]?.args).toContain('perl');
    } finally {
      watch.child.kill('SIGTERM');
      await watch.ended;
    }
    for (const attempt of ['one', 'another']) {
      const { code, stderr } = await home.run(['run', '--lock', lock, '--', 'touch', 'started']);
      expect({ attempt, code, stderr }).toMatchObject({ attempt, code: 1 });
      expect(stderr).toContain(`rm ${lock}`);
    }
    expect(readFileSync(lock, 'utf8')).toBe(text);
    expect(existsSync(home.file('started'))).toBe(false);
    expect(inside()).toHaveLength(1);
    for (const { pid } of inside()) process.kill(pid, 'SIGKILL');
  }),
);

test(
  'a living run whose record another machine with the same home and name reads stays unfinished',
  withHome(async (home) => {
    const started = await home.run(['run', '--background', '--lock', home.file('lock'), '--', 'sleep', '3612']);
    const { id } = JSON.parse(started.stdout) as { id: string };
    const meta = join(home.runs, id, 'meta.json');
    const text = readFileSync(meta, 'utf8');
    const { supervisor } = JSON.parse(text) as { supervisor: { bootId: string } };
    const [, namespace = ''] = supervisor.bootId.split('/');
    const otherBoot = `00000000-0000-4000-8000-000000000000/${namespace}`;
    const foreign = text.replaceAll(supervisor.bootId, otherBoot);
    writeFileSync(meta, foreign);
    expect((await home.run(['runs'])).code).toBe(0);
    const asked = await home.run(['terminate', id]);
    expect(asked.code).not.toBe(0);
    expect(asked.stdout + asked.stderr).toContain('not known here whether it still runs');
    expect(readFileSync(meta, 'utf8')).toBe(foreign);
    expect(existsSync(join(home.runs, id, 'exit_code'))).toBe(false);
    expect(withText('sleep 3612').filter(({ args }) => args.startsWith('sleep'))).toHaveLength(1);
    writeFileSync(meta, text);
    expect((await home.run(['terminate', id])).code).toBe(0);
  }),
);
