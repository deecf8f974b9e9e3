import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Home, Innocent, living, type StartOptions, until, withHome, withText } from './curfew-run.ts';

const startDocument = z.looseObject({ id: z.string(), pid: z.int(), dir: z.string() });
type Start = z.infer<typeof startDocument>;

const listDocument = z.looseObject({
  runs: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string().nullable(),
      status: z.enum(['running', 'ended']),
      exitCode: z.int().nullable(),
    }),
  ),
});

const background = async (home: Home, args: readonly string[], options: StartOptions = {}): Promise<Start> => {
  const ended = await home.run(['run', '--background', ...args], options);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return startDocument.parse(JSON.parse(ended.stdout));
};

const exitCode = (start: Start): string | null => {
  try {
    return readFileSync(join(start.dir, 'exit_code'), 'utf8').trim();
  } catch {
    return null;
  }
};

const list = async (home: Home): Promise<z.infer<typeof listDocument>['runs']> =>
  listDocument.parse(JSON.parse((await home.run(['runs', '--json'])).stdout)).runs;

test(
  'a background run returns at once, writes its files, and ends with its own exit code',
  withHome(async (home) => {
    const start = await background(home, [
      '--name',
      'greeting',
      '--',
      'sh',
      '-c',
      `echo out; echo error >&2; until test -e ${home.file('go')}; do sleep 0.05; done; exit 9`,
    ]);
    expect(living(start.pid)).not.toBeNull();
    expect(exitCode(start)).toBeNull();
    expect(await list(home)).toMatchObject([{ id: start.id, name: 'greeting', status: 'running', exitCode: null }]);
    writeFileSync(home.file('go'), '');
    await until('it has ended', () => exitCode(start) !== null);
    expect(exitCode(start)).toBe('9');
    expect(readFileSync(join(start.dir, 'stdout.log'), 'utf8')).toBe('out\n');
    expect(readFileSync(join(start.dir, 'stderr.log'), 'utf8')).toBe('error\n');
    expect(JSON.parse(readFileSync(join(start.dir, 'meta.json'), 'utf8'))).toMatchObject({
      id: start.id,
      name: 'greeting',
    });
    expect(await list(home)).toMatchObject([{ id: start.id, status: 'ended', exitCode: 9 }]);
    expect(statSync(start.dir).mode & 0o077).toBe(0);
    expect((await home.run(['terminate', start.id])).code).toBe(0);
    expect(exitCode(start)).toBe('9');
  }),
);

test(
  'terminate: 143 when asking was enough, 137 when KILL was needed for anybody, whatever a trap writes late',
  withHome(async (home) => {
    const polite = await background(home, ['--', 'sh', '-c', 'sleep 3600 & sleep 3601']);
    expect((await home.run(['terminate', polite.id])).code).toBe(0);
    expect(exitCode(polite)).toBe('143');

    const late = 'trap "sleep 0.5; echo 0 > $CURFEW_HOME/runs/*/exit_code; exit 0" TERM EXIT; sleep 3600 & wait';
    const second = await background(home, ['--workspace', 'w', '--', 'bash', '-c', late]);
    const document = JSON.parse((await home.run(['terminate', '--json', '--workspace', 'w'])).stdout) as unknown;
    expect(document).toMatchObject({ runs: [{ id: second.id, result: 'ended', exitCode: 143 }] });
    expect(exitCode(second)).toBe('143');

    const deafChild = `perl -e '$| = 1; $SIG{TERM} = "IGNORE"; print "ready\\n"; sleep 1 while 1' & wait`;
    const third = await background(home, ['--grace', '1', '--', 'bash', '-c', deafChild]);
    await until('the child is deaf', () => readFileSync(join(third.dir, 'stdout.log'), 'utf8') === 'ready\n');
    expect((await home.run(['terminate', third.id.slice(0, 6)])).code).toBe(0);
    expect(exitCode(third)).toBe('137');
    expect(withText('sleep 360')).toEqual([]);
  }),
);

test(
  'terminate knows workspaces, leaves others alone, and refuses what it does not know',
  withHome(async (home) => {
    const a = await background(home, ['--workspace', 'a', '--', 'sleep', '3600']);
    const b = await background(home, ['--workspace', 'b', '--', 'sleep', '3601']);
    expect((await home.run(['terminate', 'nonsense'])).code).toBe(2);
    expect((await home.run(['terminate'])).code).toBe(2);
    expect((await home.run(['logs', '../../etc'])).code).toBe(2);
    expect((await home.run(['terminate', '--workspace', 'a'])).code).toBe(0);
    expect(living(a.pid)).toBeNull();
    expect(living(b.pid)).not.toBeNull();
    // A process that a living foreign program started on its behalf has the cookie and is no part of it.
    const stranger = await new Innocent(home, 'stranger', { env: { CURFEW_RUN: b.id } }).ready();
    expect((await home.run(['terminate', b.id])).code).toBe(0);
    expect(living(b.pid)).toBeNull();
    expect(stranger.untouched()).toBe(true);
    await stranger.end();
  }),
);

test(
  'a background run survives its terminal, and ends at its limit with 143 or 137',
  withHome(async (home) => {
    const { curfewFile } = await import('../scene/curfew.ts');
    const env = { NODE: process.execPath, CURFEW: curfewFile, SHELL: '/bin/bash' };
    const script = '"$NODE" "$CURFEW" run --background --max-elapsed 3 -- sleep 3600 > start.json';
    expect((await home.start('script', ['-qec', script, '/dev/null'], { env }).ended).code).toBe(0);
    const start = startDocument.parse(JSON.parse(readFileSync(home.file('start.json'), 'utf8')));
    // The cause tells that it was not its terminal.
    await until('its limit has ended it', () => exitCode(start) !== null);
    expect(exitCode(start)).toBe('143');
    expect(living(start.pid)).toBeNull();
    expect(JSON.parse(readFileSync(join(start.dir, 'meta.json'), 'utf8'))).toMatchObject({
      end: { cause: 'max-elapsed' },
    });
  }),
);

test(
  'a background run that can not be started says so to who asked: a missing command, a lock that is held',
  withHome(async (home) => {
    const missing = await home.run(['run', '--background', '--', 'there-is-no-such-command']);
    expect(missing).toMatchObject({ code: 127, stdout: '' });
    expect(missing.stderr).toContain('there-is-no-such-command');
    const holder = await background(home, ['--lock', home.file('lock'), '--', 'sleep', '3600']);
    const refused = await home.run(['run', '--background', '--lock', home.file('lock'), '--', 'sleep', '3601']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('is held by process');
    expect(await list(home)).toHaveLength(1);
    await home.run(['terminate', holder.id]);
    expect(withText('sleep 360')).toEqual([]);
  }),
);

test(
  'logs: bytes as they are, both streams, followed to the end',
  withHome(async (home) => {
    const start = await background(home, [
      '--',
      'perl',
      '-e',
      '$| = 1; print "a\\xff\\n"; select(undef, undef, undef, 0.05) until -e $ARGV[0]; print STDERR "last\\n"; print "b"',
      home.file('go'),
    ]);
    await until('the first line is there', () => readFileSync(join(start.dir, 'stdout.log'), 'latin1') === 'a\xff\n');
    const once = await home.run(['logs', start.id]);
    expect(once).toMatchObject({ code: 0, stdout: 'a\xff\n', stderr: '' });
    const followed = home.curfew(['logs', '-f', start.id]);
    await until('the first line comes before the end', () => followed.stdout() === 'a\xff\n');
    expect(exitCode(start)).toBeNull();
    writeFileSync(home.file('go'), '');
    expect(await followed.ended).toMatchObject({ code: 0, stdout: 'a\xff\nb', stderr: 'last\n' });
    const json = await home.run(['logs', '--json', start.id]);
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { stream: string }).stream),
    ).toEqual(['stdout', 'stderr']);
  }),
);

test(
  'idle-after works in the background, and secrets are not kept',
  withHome(async (home) => {
    const start = await background(home, [
      '--idle-after',
      'done',
      '--idle-grace',
      '1',
      '--',
      'sh',
      '-c',
      'echo done; sleep 3600',
      '--token=ghp_0123456789abcdefghijABCDEFGHIJ012345',
    ]);
    await until('it has ended', () => exitCode(start) !== null);
    expect(exitCode(start)).toBe('143');
    expect(readFileSync(join(start.dir, 'stdout.log'), 'utf8')).toBe('done\n');
    const meta = readFileSync(join(start.dir, 'meta.json'), 'utf8');
    expect(meta).not.toContain('ghp_0123456789');
    expect(JSON.parse(meta)).toMatchObject({ end: { cause: 'idle' } });
  }),
);
