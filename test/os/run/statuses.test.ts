import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { living, until, withHome } from './curfew-run.ts';

test(
  "the exit status is the command's own",
  withHome(async (home) => {
    for (const code of [0, 1, 2, 3, 77, 124, 255]) {
      expect((await home.run(['run', '--', 'sh', '-c', `exit ${code}`])).code).toBe(code);
    }
  }),
);

test(
  'a signal is reported as by shells, a missing command as 127, a file that is not a program as 126',
  withHome(async (home) => {
    expect((await home.run(['run', '--', 'sh', '-c', 'kill -SEGV $$'])).code).toBe(139);
    expect((await home.run(['run', '--', 'sh', '-c', 'kill -KILL $$'])).code).toBe(137);
    const missing = await home.run(['run', '--', 'there-is-no-such-command']);
    expect(missing.code).toBe(127);
    expect(missing.stderr).toContain('there-is-no-such-command');
    expect((await home.run(['run', '--', home.file('not-there')])).code).toBe(127);
    writeFileSync(home.file('text'), 'text');
    expect((await home.run(['run', '--', home.file('text')])).code).toBe(126);
    writeFileSync(home.file('script'), 'echo "$0 $1"; exit 4\n');
    chmodSync(home.file('script'), 0o755);
    const script = await home.run(['run', '--', home.file('script'), 'a b']);
    expect(script).toMatchObject({ code: 4, stdout: `${home.file('script')} a b\n` });
  }),
);

test(
  'a limit ends with 124, even if the command ignores TERM',
  withHome(async (home) => {
    expect((await home.run(['run', '--max-elapsed', '1s', '--', 'sleep', '600'])).code).toBe(124);
    const deaf = ['run', '--max-elapsed', '1', '--grace', '1', '--', 'sh', '-c', 'trap "" TERM; sleep 600; sleep 601'];
    const ended = await home.run(deaf);
    expect(ended.code).toBe(124);
    expect(ended.stderr).toContain('limit of 1 s');
    expect((await home.run(['run', '--hard-cap', '1', '--', 'sleep', '600'])).code).toBe(124);
  }),
);

test(
  'a signal to `curfew run` reaches the command, which may print final output',
  withHome(async (home) => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
    ] as const) {
      const going = home.curfew(['run', '--', 'sh', '-c', 'echo ready; exec sleep 600']);
      await until('the command runs', () => going.stdout().includes('ready'));
      going.child.kill(signal);
      expect((await going.ended).code).toBe(code);
    }
    const going = home.curfew(['run', '--', 'sh', '-c', 'trap "exit 7" TERM; echo ready; while :; do sleep 0.1; done']);
    await until('the command runs', () => going.stdout().includes('ready'));
    going.child.kill('SIGTERM');
    expect((await going.ended).code).toBe(7);
  }),
);

test(
  'a wrong call ends with 2 and starts nothing',
  withHome(async (home) => {
    for (const args of [
      [],
      ['--max-elapsed', 'soon', '--', 'touch', 'started'],
      ['--max-elapsed', '0', '--', 'touch', 'started'],
      ['--hard-cap', '25h', '--', 'touch', 'started'],
      ['--signal', 'KILL', '--', 'touch', 'started'],
      ['--idle-after', '(', '--', 'touch', 'started'],
      ['--idle-grace', '1', '--', 'touch', 'started'],
      ['--nonsense', '--', 'touch', 'started'],
    ]) {
      const ended = await home.run(['run', ...args]);
      expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(ended.stderr).not.toBe('');
    }
    expect(existsSync(home.file('started'))).toBe(false);
  }),
);

test(
  'the command gets its own arguments, even options of Curfew, and our standard input',
  withHome(async (home) => {
    const ended = await home.run(['run', '--', 'printf', '%s|', '--json', '--max-elapsed', '-h', '--', 'a b', '']);
    expect(ended.stdout).toBe('--json|--max-elapsed|-h|--|a b||');
    const going = home.curfew(['run', 'cat'], { stdio: ['pipe', 'pipe', 'pipe'] });
    going.child.stdin?.end('one\ntwo');
    expect(await going.ended).toMatchObject({ code: 0, stdout: 'one\ntwo' });
  }),
);

test(
  'output passes byte for byte, in blocking descriptors, and at once',
  withHome(async (home) => {
    const bytes = String.raw`for (my $i = 0; $i < 256; $i++) { print chr($i) x 3 } open F, "<", "/proc/self/fdinfo/1"; print STDERR grep /flags/, <F>`;
    const ended = await home.run(['run', '--', 'perl', '-e', bytes]);
    expect(Buffer.from(ended.stdout, 'latin1')).toEqual(
      Buffer.concat([...Array(256).keys()].map((byte) => Buffer.alloc(3, byte))),
    );
    const flags = Number.parseInt(/flags:\s*(\d+)/.exec(ended.stderr)?.[1] ?? '', 8);
    expect(flags & 0o4000).toBe(0);
    const going = home.curfew(['run', '--', 'sh', '-c', 'printf first; exec sleep 600']);
    await until('the first word arrives before the end', () => going.stdout() === 'first');
    expect(living(going.pid)).not.toBeNull();
    going.child.kill('SIGTERM');
    await going.ended;
  }),
);

test(
  'arguments and environment pass byte for byte even if they are not UTF-8',
  withHome(async (home) => {
    const script = `exec "$NODE" "$CURFEW" run -- printf '%s' "$(printf 'a\\377b')"`;
    const { curfewFile } = await import('../scene/curfew.ts');
    const ended = await home.start('sh', ['-c', script], { env: { NODE: process.execPath, CURFEW: curfewFile } }).ended;
    expect(Buffer.from(ended.stdout, 'latin1')).toEqual(Buffer.from([0x61, 0xff, 0x62]));
    const inEnvironment = `export ODD="$(printf 'x\\376y')"; exec "$NODE" "$CURFEW" run -- sh -c 'printf %s "$ODD"'`;
    const second = await home.start('sh', ['-c', inEnvironment], {
      env: { NODE: process.execPath, CURFEW: curfewFile },
    }).ended;
    expect(Buffer.from(second.stdout, 'latin1')).toEqual(Buffer.from([0x78, 0xfe, 0x79]));
  }),
);

test(
  '--json keeps standard output for one document that reports the mechanisms in force',
  withHome(async (home) => {
    const ended = await home.run([
      'run',
      '--json',
      '--name',
      'n',
      '--',
      'sh',
      '-c',
      'echo out; echo error >&2; exit 3',
    ]);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('out\n');
    const document = z
      .looseObject({
        name: z.literal('n'),
        inForce: z.looseObject({
          session: z.literal(true),
          group: z.literal(true),
          cookie: z.literal(true),
          subreaper: z.boolean(),
          cgroup: z.union([z.object({ path: z.string() }), z.object({ reason: z.string() })]),
          signals: z.string(),
        }),
        end: z.looseObject({ status: z.literal(3), cause: z.literal('command') }),
      })
      .parse(JSON.parse(ended.stdout));
    expect(ended.stdout.trim().split('\n')).toHaveLength(1);
    expect(document.end.status).toBe(3);
  }),
);

test(
  '--idle-after gives a command that has printed its result some time to exit, and then ends it',
  withHome(async (home) => {
    const idleFor = (grace: string) => ['run', '--idle-after', '^\\{"type":"result"', '--idle-grace', grace, '--'];
    const idle = idleFor('1');
    const hangs = 'echo "no {\\"type\\":\\"result\\"}"; printf "{\\"type\\":\\"result\\"}"; exec sleep 600';
    const ended = await home.run([...idle, 'sh', '-c', hangs]);
    expect(ended).toMatchObject({ code: 124, stdout: 'no {"type":"result"}\n{"type":"result"}' });
    const exits = await home.run([...idleFor('60'), 'sh', '-c', 'echo "{\\"type\\":\\"result\\"}"; exit 5']);
    expect(exits.code).toBe(5);
    const large = await home.run([...idle, 'sh', '-c', 'head -c 3000000 /dev/zero; echo; echo end']);
    expect(large.code).toBe(0);
    expect(large.stdout.length).toBe(3_000_005);
    const onError = await home.run([...idle, 'sh', '-c', 'echo "{\\"type\\":\\"result\\"}" >&2; exec sleep 600']);
    expect(onError.code).toBe(124);
  }),
);

test(
  'a reader that goes away ends the command as it would without Curfew',
  withHome(async (home) => {
    const { curfewFile } = await import('../scene/curfew.ts');
    const env = { NODE: process.execPath, CURFEW: curfewFile };
    const script = (options: string): string =>
      `"$NODE" "$CURFEW" run ${options} -- yes | head -n 1; echo "\${PIPESTATUS[0]}"`;
    expect((await home.start('bash', ['-c', script('')], { env }).ended).stdout).toBe('y\n141\n');
    expect((await home.start('bash', ['-c', script('--idle-after never')], { env }).ended).stdout).toBe('y\n141\n');
  }),
);
