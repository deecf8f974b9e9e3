import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Actor, type Descriptor, type ScenePath } from './actor.ts';
import { type Identity, type Row, lives, readRow, readTable } from './processes.ts';
import { StageError } from './stage-error.ts';

const checkout = join(import.meta.dirname, '../../..');
const fixtures = join(import.meta.dirname, '../fixtures');

/** Folders that a scene has for itself, with those that tests lay over the machine's. */
const ownFolders = ['/tmp', '/opt', '/usr/local', '/usr/lib/node_modules', '/etc', '/run', '/root'];
const isOwn = (path: string): boolean => ownFolders.some((own) => path === own || path.startsWith(`${own}/`));

/** Options of a scene. */
export interface SceneOptions {
  /**
   * What adopts orphans: pid 1, or a subreaper in between, as `systemd --user` is. The latter is
   * the default, because "parent is 1" is a frequent mistake in programs of this kind.
   */
  readonly adopter?: 'init' | 'subreaper';
  /** Folders of the machine's /tmp that are needed in the scene, too. */
  readonly carried?: readonly string[];
  /**
   * So many seconds are added to the time since the start of the machine, in a time namespace: what
   * Curfew remembers can then be older than a machine that has just started.
   */
  readonly upForSeconds?: number;
}

/** Options of an actor. */
export interface Role {
  /** Path of its apparent program file; by default one named as argv[0]. */
  readonly file?: string;
  /**
   * Its command line. With more than one word the second is a script: a file of that name, relative
   * to `cwd`, is created (perl takes its first word for its script), so it can't begin with a dash.
   */
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly parent?: Actor;
  readonly setsid?: boolean;
  readonly setpgid?: boolean;
  readonly uid?: number;
  readonly pid?: number;
  readonly fds?: Readonly<Partial<Record<0 | 1 | 2, Descriptor>>>;
  /** Signals that it ignores. */
  readonly deaf?: readonly string[];
  readonly subreaper?: boolean;
  /** It never collects its children, so that they stay zombies. */
  readonly neglectful?: boolean;
}

/**
 * A small machine: its own pid, mount and network namespaces, /tmp, HOME and CURFEW_HOME.
 * Everything in it dies with it, and can neither see nor signal anything outside. Paths are inside
 * ones unless said otherwise.
 */
export class Scene {
  /** The user's home. */
  readonly home = '/tmp/home';
  /** Its pid 1. */
  readonly first: Actor;
  /** What adopts orphans: `first`, or the subreaper. */
  top: Actor;
  /** The scene's /proc as seen by the test. */
  readonly proc: string;
  readonly #root: string;
  readonly #unshare: ChildProcess;
  readonly #tidying: (() => void)[] = [];
  #names = 0;

  private constructor(unshare: ChildProcess, outsidePid: number) {
    this.#unshare = unshare;
    this.#root = `/proc/${outsidePid}/root`;
    this.proc = `${this.#root}/proc`;
    this.first = new Actor(1, this.outside('/tmp/scene/control/first'));
    this.top = this.first;
  }

  /** Creates a scene. Throws with the machine's message if it doesn't allow namespaces. */
  static async open(options: SceneOptions = {}): Promise<Scene> {
    const node = dirname(process.execPath);
    const { upForSeconds } = options;
    const clocks = ['--monotonic', '--boottime'].flatMap((clock) => [clock, String(upForSeconds)]);
    const unshare = spawn(
      'unshare',
      [
        ...(upForSeconds === undefined ? [] : ['--time', ...clocks]),
        '--pid',
        '--fork',
        '--mount',
        '--mount-proc',
        '--net',
        '--ipc',
        '--kill-child',
        'bash',
        join(fixtures, 'stage.sh'),
      ].concat([checkout, node, join(fixtures, 'actor.pl'), ...(options.carried ?? [])]),
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    let said = '';
    unshare.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ready = await Promise.race([once(unshare.stdout, 'data'), once(unshare, 'exit').then(() => null)]);
    if (ready === null) throw new Error(`no scene could be set here: ${said}`);
    const outside = readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8').trim();
    const scene = new Scene(unshare, Number(outside));
    scene.folder(scene.home);
    if (options.adopter !== 'init') {
      scene.top = await scene.actor({
        argv: ['systemd'],
        file: '/tmp/scene/lib/systemd/systemd',
        setsid: true,
        subreaper: true,
      });
    }
    return scene;
  }

  /** Ends everything in it. */
  async close(): Promise<void> {
    if (this.#unshare.exitCode !== null || this.#unshare.signalCode !== null) return;
    const gone = once(this.#unshare, 'exit');
    this.#unshare.stdin?.end();
    await gone;
    for (const tidy of this.#tidying) tidy();
  }

  /** Registers a cleanup on the machine for when everything in the scene has ended. */
  atEnd(tidy: () => void): void {
    this.#tidying.push(tidy);
  }

  /** Path of a scene's file as seen by the test. */
  outside(path: string): string {
    return `${this.#root}${path}`;
  }

  /** Makes a folder with its parents; returns its path. */
  folder(path: string): ScenePath {
    if (!isOwn(path)) throw new StageError(`${path} is the machine's: other scenes see it too`);
    mkdirSync(this.outside(path), { recursive: true });
    return path as ScenePath;
  }

  /** Writes a file, with its folders. */
  write(path: string, text: string, mode = 0o644): ScenePath {
    this.folder(dirname(path));
    writeFileSync(this.outside(path), text);
    chmodSync(this.outside(path), mode);
    return path as ScenePath;
  }

  /** Adds to a file. */
  append(path: string, text: string): void {
    this.folder(dirname(path));
    appendFileSync(this.outside(path), text);
  }

  /** Moves a file or folder. */
  move(from: string, to: string): void {
    renameSync(this.outside(from), this.outside(to));
  }

  /** Reads a file; throws when there is none. */
  read(path: string): string {
    return readFileSync(this.outside(path), 'utf8');
  }

  /** The contents of all files below a folder, as text. */
  contents(folder: string): readonly string[] {
    return readdirSync(this.outside(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  }

  /** Overwrites matching files below a folder with nonsense; returns the count. */
  damage(folder: string, name: RegExp): number {
    const files = readdirSync(this.outside(folder), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && name.test(entry.name),
    );
    for (const file of files) writeFileSync(join(file.parentPath, file.name), 'nonsense '.repeat(1000));
    return files.length;
  }

  /** True if this file exists. */
  has(path: string): boolean {
    return existsSync(this.outside(path));
  }

  /** Path of a program file of this name: perl under another name. Created if missing. */
  program(path: string): string {
    const file = path.startsWith('/') ? path : `/tmp/scene/programs/${path}`;
    if (!this.has(file)) {
      this.folder(dirname(file));
      linkSync(this.outside('/tmp/scene/bin/perl'), this.outside(file));
    }
    return file;
  }

  /**
   * Environment of every program of the user. Programs in /tmp/scene/path precede the machine's.
   */
  userEnvironment(): Record<string, string> {
    const counting = process.env['NODE_V8_COVERAGE'];
    return {
      // See test/os/count-programs.ts.
      ...(counting === undefined ? {} : { NODE_V8_COVERAGE: counting, NODE_DISABLE_COMPILE_CACHE: '1' }),
      HOME: this.home,
      USER: 'root',
      LOGNAME: 'root',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      PATH: `/tmp/scene/path:${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    };
  }

  /** Writes one of the fixtures' perl programs, preceded by its parameters. */
  script(path: string, preamble: string, program: 'actor.pl' | 'resident.pl' | 'worker.pl'): ScenePath {
    return this.write(path, `${preamble}\n${readFileSync(join(fixtures, program), 'utf8')}`);
  }

  /** Starts a perl program under another program's name and arguments. */
  async play(role: Role, preamble: string, program: 'actor.pl' | 'resident.pl' | 'worker.pl'): Promise<Identity> {
    const cwd = this.folder(role.cwd ?? this.home);
    const [name, second] = role.argv;
    // With arguments perl reads its script from the second word; without, from standard input.
    const path =
      second === undefined ? `/tmp/scene/scripts/${this.#names++}.pl` : join(second.startsWith('/') ? '' : cwd, second);
    const file = this.script(path, preamble, program);
    return (role.parent ?? this.top).begin({
      file: this.program(role.file ?? name.split('/').at(-1) ?? name),
      argv: role.argv,
      env: role.env ?? this.userEnvironment(),
      cwd,
      fds: second === undefined ? { ...role.fds, 0: file } : (role.fds ?? {}),
      ...(role.setsid === undefined ? {} : { setsid: role.setsid }),
      ...(role.setpgid === undefined ? {} : { setpgid: role.setpgid }),
      ...(role.uid === undefined ? {} : { uid: role.uid }),
      ...(role.pid === undefined ? {} : { pid: role.pid }),
    });
  }

  /** Starts a process that takes orders. */
  async actor(role: Role): Promise<Actor> {
    if (role.uid !== undefined) chmodSync(this.outside('/tmp/scene/control'), 0o777);
    const { socket, preamble } = this.#part(role);
    const { pid } = await this.play(role, preamble, 'actor.pl');
    await this.until(`actor ${role.argv.join(' ')} listens`, () => this.has(socket));
    return new Actor(pid, this.outside(socket));
  }

  /**
   * Writes an actor's program for other processes to start by this path; `ready` waits until one
   * has.
   */
  actorProgram(
    path: string,
    role: Pick<Role, 'deaf' | 'subreaper' | 'neglectful'> = {},
  ): { readonly ready: () => Promise<Actor> } {
    const { socket, preamble } = this.#part(role);
    this.script(path, preamble, 'actor.pl');
    const ready = async (): Promise<Actor> => {
      await this.until(`${path} listens`, () => this.has(socket));
      const name = path.slice(path.lastIndexOf('/') + 1);
      const row = await this.find(path, ({ argv }) => argv[1] === path || argv[1] === name);
      return new Actor(row.pid, this.outside(socket));
    };
    return { ready };
  }

  #part(role: Pick<Role, 'deaf' | 'subreaper' | 'neglectful'>): { readonly socket: string; readonly preamble: string } {
    const socket = `/tmp/scene/control/${this.#names++}`;
    const preamble = [
      `our $SOCKET = '${socket}';`,
      `our $SUBREAPER = ${role.subreaper === true ? 1 : 0};`,
      `our $NEGLECTFUL = ${role.neglectful === true ? 1 : 0};`,
      `our @DEAF = qw(${(role.deaf ?? []).join(' ')});`,
    ].join(' ');
    return { socket, preamble };
  }

  /** The process table, or one row of it. */
  table(): readonly Row[] {
    return readTable(this.proc);
  }

  /** One row; null when there is no such process. */
  row(pid: number): Row | null {
    return readRow(this.proc, pid);
  }

  /** Identity of a living process. Throws if there is none. */
  identity(pid: number): Identity {
    const row = this.row(pid);
    if (!lives(row)) throw new Error(`there is no living process ${pid} in the scene`);
    return { pid, start: row.start };
  }

  /** True if this very process (not another with its pid) is alive. */
  lives(identity: Identity): boolean {
    const row = this.row(identity.pid);
    return lives(row) && row.start === identity.start;
  }

  /**
   * Waits until a process catches or ignores a signal, according to the kernel (SigCgt and SigIgn
   * of proc_pid_status(5)): from then on the signal won't end it.
   */
  async untilDeaf(pid: number, signal: 'SIGTERM'): Promise<void> {
    const bit = 1n << BigInt(constants.signals[signal] - 1);
    await this.until(`process ${pid} is not ended by ${signal}`, () => {
      const status = this.read(`/proc/${pid}/status`);
      return [...status.matchAll(/^Sig(?:Cgt|Ign):\s*([0-9a-f]+)$/gmu)].some(
        ([, mask]) => (BigInt(`0x${mask}`) & bit) !== 0n,
      );
    });
  }

  /**
   * Waits until a check returns a value, and gives up after `seconds` with a StageError that shows
   * the process table. Returns that value.
   */
  async until<T>(what: string, check: () => T | null | undefined | false, seconds = 90): Promise<T> {
    for (let turn = 0; turn < seconds * 50; turn++) {
      const found = check();
      if (found !== null && found !== undefined && found !== false) return found;
      await sleep(20);
    }
    const table = this.table().map(
      (row) => `${row.pid} ${row.ppid} ${row.pgid} ${row.sid} ${row.state} ${row.argv.join(' ').slice(0, 160)}`,
    );
    throw new StageError(`waited in vain: ${what}\n${table.join('\n')}`);
  }

  /** The only process with a matching command line; waits for it. */
  async find(what: string, fits: (row: Row) => boolean): Promise<Row> {
    return this.until(what, () => this.table().find((row) => lives(row) && fits(row)));
  }
}

/** Runs a test in its own scene and always ends the scene. */
export const scene =
  (play: (stage: Scene) => Promise<void>, options: SceneOptions = {}) =>
  async (): Promise<void> => {
    const stage = await Scene.open(options);
    try {
      await play(stage);
    } finally {
      await stage.close();
    }
  };
