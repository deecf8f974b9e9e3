import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { livingProcesses, newcomers, until, withHome, withText } from './curfew-run.ts';
import { atTerminal, User } from './terminal-user.ts';

test(
  'the command has the terminal, its size, and a group of its own in the foreground',
  atTerminal(async (user) => {
    await user.runs(
      `bash -c 'tty; stty size; test -t 0 -a -t 1 -a -t 2 && echo all-three; ps -o pid=,pgid=,tpgid= -p $$; : > /dev/tty && echo has-dev-tty'`,
    );
    await user.sees('/dev/pts/');
    await user.sees('33 77');
    await user.sees('all-three');
    const [, pid, pgid, tpgid] = /(\d+)\s+(\d+)\s+(\d+)/.exec(await user.sees(/\d+ +\d+ +\d+\r/)) ?? [];
    expect([pgid, tpgid]).toEqual([pid, pid]);
    await user.sees('has-dev-tty');
    expect(await user.status()).toBe(0);
  }),
);

test(
  'is told about a new window size while it runs',
  atTerminal(async (user, home) => {
    // Not bash, which continues if its child ends well while Ctrl-C arrives. Short sleeps: Perl
    // only records a signal that comes right before one.
    const script =
      '$| = 1; $SIG{WINCH} = sub { system "stty size"; print "to", "ld\\n" }; system "tty"; print "re", "ady\\n"; select undef, undef, undef, 0.1 while 1';
    await user.runs(`perl -e '${script}'`);
    const terminal = /\/dev\/pts\/\d+/.exec(await user.sees(/\/dev\/pts\/\d+\r/))?.[0] ?? '';
    await user.sees('ready\r');
    expect((await home.start('stty', ['-F', terminal, 'rows', '44', 'cols', '88']).ended).code).toBe(0);
    await user.sees('44 88\r');
    await user.sees('told\r');
    user.type('\u0003');
    await user.sees('[prompt]');
    expect(await user.status()).toBe(130);
  }),
);

test(
  'Ctrl-C reaches only the command, which may handle it differently',
  atTerminal(async (user) => {
    await user.runs(`bash -c 'trap "echo interrupted; exit 9" INT; echo re""ady; while :; do sleep 0.1; done'`);
    await user.sees('ready\r');
    user.type('\u0003');
    await user.sees('interrupted\r');
    expect(await user.status()).toBe(9);
    await user.runs(`sh -c 'echo re""ady; exec sleep 600'`);
    await user.sees('ready\r');
    user.type('\u0003');
    await user.sees('[prompt]');
    expect(await user.status()).toBe(130);
  }),
);

test(
  'Ctrl-Z stops it for the shell, fg and bg continue it, standard input is its own',
  atTerminal(async (user, home) => {
    await user.runs('cat');
    user.type('one\n');
    await user.sees('one\r\none\r');
    user.type('\u001a');
    await user.sees('Stopped');
    user.type('echo "shell"-answers\n');
    await user.sees('shell-answers');
    expect(withText('cat').some(({ args, state }) => args === 'cat' && state === 'T')).toBe(true);
    user.type('fg\n');
    await user.sees('run -- cat');
    user.type('two\n');
    await user.sees('two\r\ntwo\r');
    user.type('\u0004');
    expect(await user.status()).toBe(0);
    const go = home.file('go');
    // Without children: a shell that waits in vfork(2) for a child that was stopped is not stopped
    // itself.
    const waits = 'select undef, undef, undef, 0.1 until -e $ARGV[0]';
    await user.runs(`perl -e '$| = 1; print "re", "ady\\n"; ${waits}; print "fi", "nished\\n"' ${go}`);
    await user.sees('ready\r');
    user.type('\u001a');
    await user.sees('Stopped');
    user.type('bg\n');
    writeFileSync(go, '');
    await user.sees('finished\r');
  }),
);

test(
  '--idle-after gives the output a pipe in place of the terminal, and says so; input, keys and size are unchanged',
  atTerminal(async (user) => {
    const script = `test -t 0 && test ! -t 1 && test ! -t 2 && stty size; read line; echo "got $line"; trap "exit 9" INT; echo re""ady; while :; do sleep 0.1; done`;
    user.type(`"$NODE" "$CURFEW" run --idle-after never -- bash -c '${script}'\n`);
    await user.sees('sees no terminal there');
    await user.sees('33 77');
    user.type('a line\n');
    await user.sees('got a line');
    await user.sees('ready');
    user.type('\u0003');
    await user.sees('[prompt]');
    expect(await user.status()).toBe(9);
  }),
);

test(
  'started with & it reads nothing before it comes to the foreground',
  atTerminal(async (user) => {
    user.type('"$NODE" "$CURFEW" run -- cat &\n');
    await until('it has stopped, since it wanted to read', () =>
      withText('cat').some(({ args, state }) => args === 'cat' && state === 'T'),
    );
    // The shell is notified when the last thread of its job has stopped; until then `fg` continues
    // nothing, with Curfew or without.
    await user.knowsOfStop();
    user.type('fg\n');
    await user.sees('run -- cat\r');
    user.type('three\n');
    await user.sees('three\r\nthree\r');
    user.type('\u0003');
    await user.sees('[prompt]');
    expect(await user.status()).toBe(130);
  }),
);

test(
  'a change of the terminal persists, as without Curfew; in a pipeline and in a script the keys reach all',
  atTerminal(async (user) => {
    await user.runs('stty -echo');
    expect(await user.status()).toBe(0);
    user.type('stty -a\n');
    await user.sees(' -echo ');
    user.type('stty echo\n');
    expect(await user.status()).toBe(0);
    // A reader of the keyboard in the same pipeline is in the foreground: `head` here reads the
    // terminal.
    user.type('"$NODE" "$CURFEW" run -- sh -c "echo pi""ped; sleep 1" | { cat; head -n 1 < /dev/tty; }\n');
    await user.sees('piped\r');
    user.type('answer\n');
    await user.sees('answer\r\nanswer\r');
    await user.sees('[prompt]');
    // Not a shell that waits for its child: one that Ctrl-C reaches between its fork and the
    // child's exec forgets it there, and goes on.
    const waits = String.raw`perl -e "\$| = 1; print qq(re), qq(ady\\n); sleep 600"`;
    user.type(`bash -c '"$NODE" "$CURFEW" run -- ${waits}; echo not-rea""ched; true'\n`);
    await user.sees('ready\r');
    user.type('\u0003');
    const seen = await user.sees('[prompt]');
    expect(seen).not.toContain('not-reached');
    expect(await user.status()).toBe(130);
  }),
);

test(
  'a terminal that is closed ends the command',
  withHome(async (home) => {
    const before = livingProcesses();
    const user = new User(home);
    await user.sees('[prompt]');
    await user.runs(`sh -c 'setsid sleep 3609 & echo re""ady; sleep 3608'`);
    await user.sees('ready\r');
    const [script] = withText('script -qec');
    if (script !== undefined) process.kill(script.pid, 'SIGKILL');
    await until('livingProcesses is gone', () => newcomers(before).length === 0);
    expect(withText('sleep 360')).toEqual([]);
  }),
);
