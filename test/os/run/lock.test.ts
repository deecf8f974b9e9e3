import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Ended, type Home, living, notedIn, until, withHome, withText } from './curfew-run.ts';

/** A command that notes when somebody else is in the critical section with it. */
const critical = (home: Home): readonly string[] => [
  'bash',
  '-c',
  `mkdir ${home.file('inside')} || { echo >> ${home.file('overlaps')}; exit 70; }; sleep 0.05; rmdir ${home.file('inside')}; echo >> ${home.file('turns')}`,
];

const linesIn = (path: string): number => (existsSync(path) ? readFileSync(path, 'utf8').length : 0);

test(
  'a hundred runs race for one lock: one at a time has it, none is stuck, and nothing is left of it',
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
  'a killed holder: of thirty who come for its lock one at a time gets it, and what it left running is ended first',
  withHome(async (home) => {
    const lock = home.file('lock');
    const holder = home.curfew(
      ['run', '--lock', lock, '--', 'sh', '-c', `mkdir ${home.file('inside')}; setsid sleep 3600 & sleep 3601`],
      {
        stdio: 'ignore',
      },
    );
    await until('the holder is inside, and its run has noted who belongs to it', () => {
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
  "a lock goes however the run ends: by itself, at a limit, by a signal, because the command isn't there",
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

test(
  'a lock of somebody else is refused while that one lives or may live, and is never removed',
  withHome(async (home) => {
    const lock = home.file('lock');
    const other = home.start('sleep', ['600']);
    for (const text of [`${other.pid}\n`, '', 'somebody', '{"pid":1}']) {
      writeFileSync(lock, text);
      const ended = await home.run(['run', '--lock', lock, '--', 'touch', 'started']);
      expect({ text, code: ended.code }).toEqual({ text, code: 1 });
      expect(ended.stderr).toContain(lock);
      expect(readFileSync(lock, 'utf8')).toBe(text);
    }
    // What a script wrote that is dead.
    writeFileSync(lock, `${other.pid}\n`);
    other.child.kill('SIGKILL');
    await other.ended;
    expect((await home.run(['run', '--lock', lock, '--', 'true'])).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
    expect(existsSync(home.file('started'))).toBe(false);
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
  'the holder is recorded with pid and start time, and its pid alone does not make it live',
  withHome(async (home) => {
    const lock = home.file('lock');
    const going = home.curfew(['run', '--lock', lock, '--', 'sleep', '600']);
    const text = await until('the lock is there', () => existsSync(lock) && readFileSync(lock, 'utf8'));
    const holder = JSON.parse(text) as Record<string, unknown>;
    expect(holder).toMatchObject({ pid: going.pid, startTicks: Number(living(going.pid)?.start) });
    going.child.kill('SIGTERM');
    await going.ended;
    const other = home.start('sleep', ['600']);
    // The pid belongs to another process now.
    writeFileSync(lock, JSON.stringify({ ...holder, pid: other.pid }));
    expect((await home.run(['run', '--lock', lock, '--', 'true'])).code).toBe(0);
    expect(living(other.pid)).not.toBeNull();
    // Another machine can't be looked into.
    writeFileSync(lock, JSON.stringify({ ...holder, host: 'another', pid: 99_999 }));
    expect((await home.run(['run', '--lock', lock, '--', 'true'])).code).toBe(1);
    other.child.kill('SIGKILL');
    await other.ended;
  }),
);
