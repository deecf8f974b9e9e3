import { FakeClaude } from '../os/scene/claude.ts';
import { jobWith, runCurfew, scan, startCurfew } from '../os/scene/curfew.ts';
import { bystander, type Innocent, innocentProgram } from '../os/scene/innocents.ts';
import type { Identity } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import { ownDevices } from '../os/spared/sockets-unseen.ts';
import type { SituationKind, WorldPlan } from './world.ts';

// Leftovers whose descent is witnessed by their output file, and which the user would lose
// something with. Each stands beside another of the same session that is due.

/** What one of them put on the stage. */
export interface Put {
  readonly innocents: readonly Innocent[];
  readonly due: readonly Identity[];
}

/** One of the situations of this file. */
export type Held = Extract<
  SituationKind,
  | 'uses-without-first-thread'
  | 'traces-mine'
  | 'entered-namespace'
  | 'has-kernels'
  | 'has-meeting-place'
  | 'holds-device'
  | 'driven-window'
  | 'viewed-display'
>;

let names = 0;
const exitCall = process.arch === 'x64' ? 60 : 93;
const sign = (number: number, what: string): string => `/tmp/scene/held-${number}-${what}`;
const note = (number: number, what: string): string => `open("${sign(number, what)}", "w").close()`;

const startUser = (stage: Scene, argv: readonly [string, ...string[]]): Promise<Identity> =>
  stage.top.begin({
    file: `/usr/bin/${argv[0]}`,
    argv: [...argv],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
  });

const until = (stage: Scene, number: number, what: string): Promise<boolean> =>
  stage.until(`${what} of ${number}`, () => stage.has(sign(number, what)));

/** Lets a session leave a Python program, and gives what runs it. */
const leaves = async (stage: Scene, claude: FakeClaude, number: number, lines: string): Promise<Innocent> => {
  const script = stage.write(
    `/tmp/work/held-${number}.py`,
    `import os, mmap, socket, subprocess, threading, time, ctypes\n${lines}\n${note(number, 'ready')}\ntime.sleep(3600)\n`,
  );
  await claude.bash(`python3 ${script}`);
  await until(stage, number, 'ready');
  const row = await stage.find(script, ({ argv }) => argv[0] === 'python3' && argv[1] === script);
  return bystander(stage, `what is held (${number})`, row.pid);
};

const listensAt = (path: string): string =>
  `s = socket.socket(socket.AF_UNIX); s.bind("${path}"); s.listen(); c = []\nthreading.Thread(target=lambda: c.append(s.accept())).start()`;
const connectsTo = (path: string): string =>
  `c = socket.socket(socket.AF_UNIX)\nwhile c.connect_ex("${path}"): time.sleep(0.05)`;

const put: Readonly<Record<Held, (stage: Scene, claude: FakeClaude, number: number) => Promise<readonly Innocent[]>>> =
  {
    'uses-without-first-thread': async (stage, claude, number) => {
      const pipe = `/tmp/scene/held-pipe-${number}`;
      const left = await leaves(stage, claude, number, `os.mkfifo("${pipe}"); f = os.open("${pipe}", os.O_RDWR)`);
      const lines = `import ctypes, os, threading, time
def work():
    f = os.open("${pipe}", os.O_WRONLY); ${note(number, 'used')}; time.sleep(3600)
threading.Thread(target=work).start(); ctypes.CDLL(None).syscall(${exitCall}, 0)`;
      await startUser(stage, ['python3', '-c', lines]);
      await until(stage, number, 'used');
      return [left];
    },
    'traces-mine': async (stage, claude, number) => {
      const { pid } = await startUser(stage, ['sleep', '3600']);
      const left = await leaves(
        stage,
        claude,
        number,
        `l = ctypes.CDLL(None); l.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
assert l.ptrace(0x4206, ${pid}, None, 0x100000) == 0`,
      );
      return [left, bystander(stage, 'what a leftover traces', pid)];
    },
    'entered-namespace': async (stage, claude, number) => {
      await claude.bash(`unshare --pid --fork perl -e 'sleep 3600' first-${number}`);
      const first = await stage.find(
        'the first',
        ({ argv }) => argv[0] === 'perl' && argv.at(-1) === `first-${number}`,
      );
      await startUser(stage, ['nsenter', '--target', String(first.pid), '--pid', '--', 'sleep', `36${number}`]);
      const mine = await stage.find('the user’s', ({ argv }) => argv.join(' ') === `sleep 36${number}`);
      return [first, mine].map(({ pid }) => bystander(stage, 'in an entered namespace', pid));
    },
    'has-kernels': async (stage, claude, number) => {
      const kernel = `["sleep", "3600"]`;
      const left = await leaves(
        stage,
        claude,
        number,
        `p = subprocess.Popen(["perl", "-e", "sleep 3600", "-f", "/tmp/jupyter/kernel-${number}.json"]); q = ${kernel}`,
      );
      return [left];
    },
    'has-meeting-place': async (stage, claude, number) => {
      const folder = stage.folder(`${stage.home}/.cache/shared-${number}`);
      return [await leaves(stage, claude, number, listensAt(`${folder}/main.sock`))];
    },
    'holds-device': async (stage, claude, number) => {
      await ownDevices(stage, '[ -e /dev/uinput ] || mknod -m 666 /dev/uinput c 1 3');
      return [await leaves(stage, claude, number, 'f = os.open("/dev/uinput", os.O_RDWR)')];
    },
    'driven-window': async (stage, claude, number) => {
      const at = `${stage.folder('/tmp/.X11-unix')}/X${number + 20}`;
      const display = stage.write(
        `/tmp/work/display-${number}.py`,
        `import socket, threading, time\n${listensAt(at)}\ntime.sleep(3600)`,
      );
      await stage.top.begin({
        file: '/usr/bin/python3',
        argv: ['Xorg', display],
        env: stage.userEnvironment(),
        cwd: stage.home,
        setsid: true,
      });
      const window = `$c = IO::Socket::UNIX->new(Peer => "${at}") until $c; open F, ">", "${sign(number, 'shown')}"; close F; sleep 3600`;
      const options = `--remote-debugging-port=92${number} --user-data-dir=/tmp/puppeteer_dev_chrome_profile-${number}`;
      await claude.bash(`${stage.program('chrome')} -MIO::Socket -e '${window}' -- ${options}`);
      await until(stage, number, 'shown');
      const left = await stage.find(
        'the browser',
        ({ argv }) => argv.at(-1) === options.split(' ')[1] && argv[1] === '-MIO::Socket',
      );
      return [bystander(stage, 'a driven browser with a window', left.pid)];
    },
    'viewed-display': async (stage, claude, number) => {
      const at = `${stage.folder('/tmp/.X11-unix')}/X${number + 20}`;
      const shows = `$s = IO::Socket::UNIX->new(Listen => 5, Local => "${at}"); while (1) { push @c, $s->accept }`;
      await claude.bash(`${stage.program('Xtigervnc')} -MIO::Socket -e '${shows}'`);
      return [await leaves(stage, claude, number, connectsTo(at))];
    },
  };

/** @param isCertain no other agent of the world could have the session: what is beside it is due */
export const held = async (stage: Scene, kind: Held, isCertain: boolean): Promise<Put> => {
  const number = names++;
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/held` });
  const beside = await claude.bash(`sleep 8${number}`);
  const innocents = await put[kind](stage, claude, number);
  await claude.crash();
  return { innocents, due: isCertain ? [beside.shell] : [] };
};

/** What the user keeps, or said is theirs, of what a look saw; over SSH nothing of it is known. */
export const kept = async (stage: Scene, kind: 'user-keeps' | 'user-owns', { by }: WorldPlan): Promise<Put> => {
  if (by === 'remote') return { innocents: [], due: [] };
  const number = names++;
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/kept` });
  const left = await leaves(stage, claude, number, '');
  const { id } = jobWith(await scan(stage), left.identity.pid);
  const said = await runCurfew(stage, ['keep', id, ...(kind === 'user-keeps' ? ['--for', '3h'] : ['--mine'])]);
  if (said.code !== 0) throw new Error(said.stderr);
  await claude.crash();
  return { innocents: [left], due: [] };
};

/** The user’s run holds a lock, and another one, whose record is elsewhere, asks for it. */
export const locked = async (stage: Scene): Promise<Put> => {
  const number = names++;
  const lock = `/tmp/work/held-${number}.lock`;
  const { ready } = innocentProgram(stage, `/tmp/work/deploys-${number}.js`);
  const command = [stage.program('/tmp/scene/bin/node'), `/tmp/work/deploys-${number}.js`];
  const at = (home: string) => ({ env: { ...stage.userEnvironment(), CURFEW_HOME: `/tmp/work/${home}-${number}` } });
  const first = await startCurfew(stage, ['run', '--lock', lock, '--', ...command], at('one'));
  const deploys = await ready();
  const second = await runCurfew(stage, ['run', '--lock', lock, '--', 'touch', `${lock}.second`], at('other'));
  if (second.code === 0 || stage.has(`${lock}.second`)) throw new Error('a second run has begun beside the first');
  return { innocents: [deploys, bystander(stage, 'the run that holds a lock', first.identity.pid)], due: [] };
};
