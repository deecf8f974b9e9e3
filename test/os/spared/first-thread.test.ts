import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { bystander } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import type { Row } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';

/**
 * A process whose first thread has ended works on in the others, and /proc/PID shows none of what
 * it holds.
 */

/** exit(2), not exit_group(2): it ends the thread that calls it. */
const exitCall = process.arch === 'x64' ? 60 : 93;

/** A Python program that does `lines` in its second thread while its first one has ended. */
const withoutFirstThread = (lines: string, done: string): string =>
  `import ctypes, os, socket, subprocess, mmap, threading, time
def work():
${lines
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
    open("${done}", "w").close()
    time.sleep(3600)
threading.Thread(target=work).start()
ctypes.CDLL(None).syscall(${exitCall}, 0)
`;

const untilFirstEnded = (stage: Scene): Promise<Row> =>
  stage.until('its first thread has ended', () =>
    stage.table().find(({ comm, state, threads }) => state === 'Z' && comm === 'python3' && threads > 1),
  );

const expectGoingOn = (stage: Scene, row: Row): void => {
  expect(stage.lives(row), `touched: ${row.pid} goes on`).toBe(true);
};

const python = (stage: Scene, name: string, text: string): readonly [string, string] => {
  const script = stage.write(`/tmp/scene/${name}.py`, text);
  return ['python3', script];
};

const ofUser = (stage: Scene, argv: readonly [string, string], env: Readonly<Record<string, string>> = {}) =>
  stage.top.begin({
    file: '/usr/bin/python3',
    argv: [...argv],
    env: { ...stage.userEnvironment(), ...env },
    setsid: true,
  });

/** What a leftover does, and what the user's program does that is connected to it. */
const ways = [
  {
    what: 'a named pipe',
    serve: 'os.mkfifo("/tmp/orders"); held = os.open("/tmp/orders", os.O_RDWR)',
    use: 'held = os.open("/tmp/orders", os.O_WRONLY)',
  },
  {
    what: 'shared memory',
    serve: 'f = open("/tmp/shared", "wb+"); f.truncate(4096); held = mmap.mmap(f.fileno(), 4096); f.close()',
    use: 'f = open("/tmp/shared", "rb+"); held = mmap.mmap(f.fileno(), 4096); f.close()',
  },
  {
    what: 'a port',
    serve:
      's = socket.create_server(("127.0.0.1", 5433)); c = []; threading.Thread(target=lambda: c.append(s.accept())).start()',
    use: 'held = socket.create_connection(("127.0.0.1", 5433))',
  },
  {
    what: 'a socket with a path',
    serve:
      's = socket.socket(socket.AF_UNIX); s.bind("/tmp/db.sock"); s.listen(); c = []; threading.Thread(target=lambda: c.append(s.accept())).start()',
    use: 'held = socket.socket(socket.AF_UNIX); held.connect("/tmp/db.sock")',
  },
] as const;

const plain = (lines: string, done: string): string =>
  `import os, socket, mmap, threading, time\n${lines}\nopen("${done}", "w").close()\ntime.sleep(3600)\n`;

describe.concurrent('what a process without its first thread is connected to', () => {
  for (const { what, serve, use } of ways) {
    test(
      `is in use: ${what}, by a program of the user that has lost its first thread`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        const left = python(stage, 'left', plain(serve, '/tmp/serves'));
        await claude.bash(left.join(' '));
        await stage.until('it serves', () => stage.has('/tmp/serves'));
        const leftover = await stage.find('the leftover', ({ argv }) => argv.at(-1) === left[1]);
        await ofUser(stage, python(stage, 'mine', withoutFirstThread(use, '/tmp/uses')));
        await stage.until('it is used', () => stage.has('/tmp/uses'));
        const mine = await untilFirstEnded(stage);
        await claude.crash();
        await expectSpared(stage, [bystander(stage, 'the leftover', leftover.pid)]);
        expectGoingOn(stage, mine);
      }),
    );

    test(
      `is in use: ${what} of a leftover that has lost its first thread`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        await claude.bash(python(stage, 'left', withoutFirstThread(serve, '/tmp/serves')).join(' '));
        await stage.until('it serves', () => stage.has('/tmp/serves'));
        const left = await untilFirstEnded(stage);
        const user = await ofUser(stage, python(stage, 'mine', plain(use, '/tmp/uses')));
        await stage.until('it is used', () => stage.has('/tmp/uses'));
        await claude.crash();
        await expectSpared(stage, [bystander(stage, 'the user’s', user.pid)]);
        expectGoingOn(stage, left);
      }),
    );
  }

  test(
    'is its server: an agent that is not known holds both ends in its second thread',
    scene(async (stage) => {
      const outer = await FakeClaude.start(stage);
      const server = stage.write('/tmp/scene/server.py', 'import sys\nsys.stdin.read()\n');
      const begins = `held = subprocess.Popen(["python3", "${server}"], stdin=-1, stdout=-1, start_new_session=True)`;
      await ofUser(stage, python(stage, 'helper', withoutFirstThread(begins, '/tmp/begun')), outer.environment());
      await stage.until('its server runs', () => stage.has('/tmp/begun'));
      const agent = await untilFirstEnded(stage);
      const running = await stage.find('the server', ({ argv }) => argv.at(-1) === server);
      await outer.crash();
      await expectSpared(stage, [bystander(stage, 'its server', running.pid)]);
      expectGoingOn(stage, agent);
    }),
  );
});
