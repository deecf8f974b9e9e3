import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledOnce, curfewFile } from '../scene/curfew.ts';
import type { Row } from '../scene/processes.ts';
import { Scene } from '../scene/scene.ts';
import { StageError } from '../scene/stage-error.ts';
import { manyUsers } from '../machine-facts.ts';

const checkout = join(import.meta.dirname, '../../..');
const sshd = '/usr/sbin/sshd';
const needed = [sshd, '/usr/bin/ssh', '/usr/bin/ssh-keygen', '/usr/bin/busybox', '/usr/bin/nsenter'];

/**
 * Why these tests can't run here; null if they can. Part of their names, so that a skip is visible.
 */
export const missing =
  [...needed.filter((file) => !existsSync(file)), ...(manyUsers ? [] : ['second user, which sshd needs'])].join(', ') ||
  null;

/** Suffix of the name of a test group. */
export const skipped = missing === null ? '' : `(SKIPPED: no ${missing})`;

/** How the far machine runs a requested command. */
export type FarShell = 'dash' | 'busybox';

/** Configuration of a far machine. */
export interface FarOptions {
  readonly shell?: FarShell;
  /**
   * Replaces every requested command: a program of the scene, by its path there. null: the login
   * shell gets the command.
   */
  readonly forced?: string | null;
  /** Further lines of sshd's configuration. */
  readonly sshd?: readonly string[];
}

/** Result of a run of the command line. */
export interface NearRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A far machine with a real sshd (a scene: its own pid, mount and network namespaces) and a near
 * one beside it: the test's pid namespace, from which Curfew reaches the far one over its loopback,
 * with throw-away keys and its own home.
 */
export class FarMachine {
  readonly stage: Scene;
  /** The near home. */
  readonly home: string;
  readonly #pidOutside: string;
  #sshd = 0;
  #hostKeys = 0;

  private constructor(stage: Scene, home: string) {
    this.stage = stage;
    this.home = home;
    this.#pidOutside = /\/proc\/(\d+)\//.exec(stage.proc)?.[1] ?? '';
  }

  static async open(options: FarOptions = {}): Promise<FarMachine> {
    return FarMachine.around(await Scene.open(), options);
  }

  /** Makes a scene in which nothing runs yet a far machine; the near one goes with the scene. */
  static async around(stage: Scene, options: FarOptions = {}): Promise<FarMachine> {
    const home = mkdtempSync(join(tmpdir(), 'curfew-near-'));
    stage.atEnd(() => rmSync(home, { recursive: true, force: true }));
    const machine = new FarMachine(stage, home);
    // Root's home over there is that of the scene's user.
    await machine.once('mount -t tmpfs run /run && mkdir -p /run/sshd');
    // Needed contents of root's real home (a checkout) are bind-mounted.
    await machine.once(
      `mkdir /mnt/checkout && mount --bind '${checkout}' /mnt/checkout && mount --bind /tmp/home /root || exit 1
      case '${checkout}' in /root/*) mkdir -p '${checkout}' && mount --bind /mnt/checkout '${checkout}' ;; esac`,
    );
    await stage.first.listen(1);
    for (const folder of ['.ssh', 'path']) mkdirSync(join(home, folder), { mode: 0o700 });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, '.ssh/id')]);
    stage.write('/tmp/scene/ssh/authorized_keys', readFileSync(join(home, '.ssh/id.pub'), 'utf8'), 0o600);
    stage.folder('/tmp/scene/busybox');
    await machine.once('for a in $(busybox --list); do ln -s /usr/bin/busybox /tmp/scene/busybox/$a; done');
    // ssh reads ~/.ssh of the user database, whatever HOME says; so it is told which file.
    const wrapper = join(home, 'path/ssh');
    writeFileSync(wrapper, '#!/bin/sh\nexec /usr/bin/ssh -F "$HOME/.ssh/config" "$@"\n');
    chmodSync(wrapper, 0o755);
    machine.configure('Host *\n  HostName 127.0.0.1\n  Port 2222\n');
    machine.newHostKey();
    machine.knowHostKey();
    await machine.startSshd(options);
    return machine;
  }

  async close(): Promise<void> {
    await this.stage.close();
  }

  /** Writes the near ssh configuration: these lines, and the throw-away key for every host. */
  configure(lines: string): void {
    const common = `Host *\n  User root\n  IdentityFile ${this.home}/.ssh/id\n  IdentitiesOnly yes\n  UserKnownHostsFile ${this.home}/.ssh/known_hosts\n  GlobalKnownHostsFile /dev/null\n`;
    writeFileSync(join(this.home, '.ssh/config'), lines + common);
  }

  /** Gives the far machine another host key; the next sshd uses it. */
  newHostKey(): void {
    const folder = this.stage.folder('/tmp/scene/ssh');
    const path = join(this.stage.outside(folder), `host-${(this.#hostKeys += 1)}`);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
  }

  /** Records the far machine's host key as known. */
  knowHostKey(): void {
    const key = this.stage.read(`/tmp/scene/ssh/host-${this.#hostKeys}.pub`);
    writeFileSync(join(this.home, '.ssh/known_hosts'), `[127.0.0.1]:2222 ${key}`);
  }

  /** Starts sshd in the far machine and waits until it listens. */
  async startSshd({ shell = 'dash', forced, sshd: more = [] }: FarOptions = {}): Promise<void> {
    const usual = shell === 'busybox' ? 'env PATH=/tmp/scene/busybox /tmp/scene/busybox/sh' : '/usr/bin/dash';
    this.stage.write(
      '/tmp/scene/ssh/sshd_config',
      [
        'ListenAddress 127.0.0.1:2222',
        `HostKey /tmp/scene/ssh/host-${this.#hostKeys}`,
        'AuthorizedKeysFile /tmp/scene/ssh/authorized_keys',
        'StrictModes no',
        'UsePAM no',
        'PermitRootLogin yes',
        'PidFile none',
        'MaxStartups 200',
        ...(forced === null ? [] : [`ForceCommand ${forced ?? usual}`]),
        ...more,
        '',
      ].join('\n'),
    );
    this.#sshd = await this.stage.first.start({
      file: sshd,
      argv: [sshd, '-D', '-e', '-f', '/tmp/scene/ssh/sshd_config'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C' },
      cwd: '/',
      setsid: true,
      fds: { 1: this.stage.write('/tmp/scene/ssh/log', '', 0o666), 2: '/tmp/scene/ssh/log' },
    });
    await this.stage.until('sshd listens', () => this.stage.read('/tmp/scene/ssh/log').includes('Server listening'));
  }

  /** Starts a listener that greets like an ssh server and then stays silent. */
  async startSilent(port: number): Promise<void> {
    const script = `use IO::Socket::INET; $SIG{CHLD}="IGNORE"; my $l=IO::Socket::INET->new(Listen=>99,LocalAddr=>"127.0.0.1",LocalPort=>${port},ReuseAddr=>1) or die; open my $f,">","/tmp/scene/silent"; close $f; my @all; while (my $c=$l->accept) { print $c "SSH-2.0-Silent\r\n"; push @all,$c }`;
    await this.stage.first.start({
      file: '/usr/bin/perl',
      argv: ['perl', '-e', script],
      env: {},
      cwd: '/',
      setsid: true,
    });
    await this.stage.until('the silent one listens', () => this.stage.has('/tmp/scene/silent'));
  }

  /**
   * Kills sshd and all its connections, like a network failure; returns once none is left, so that
   * its port is free.
   */
  async killSshd(): Promise<void> {
    const left = (): readonly Row[] =>
      this.stage.table().filter(({ argv }) => argv[0]?.startsWith('sshd') === true || argv[0] === sshd);
    await this.stage.first.signal(this.#sshd, 'KILL');
    while (left().length > 0) {
      for (const { pid } of left()) await this.stage.first.signal(pid, 'KILL').catch(() => undefined);
      await pause(20);
    }
  }

  /**
   * Runs `curfew ARGS…` on the near machine to its end. If an answer is expected, a timeout of ssh
   * or Curfew only shows that the test machine is busy: a StageError.
   */
  async run(
    args: readonly string[],
    expected: 'an answer' | 'silence' = 'an answer',
    env: Readonly<Record<string, string>> = {},
  ): Promise<NearRun> {
    const run = await this.start(args, env).ended;
    if (expected === 'an answer' && /timed out|no answer in time/u.test(run.stderr))
      throw new StageError(`waited in vain: an answer in the time that ssh gives: ${run.stderr}`);
    return run;
  }

  /** Starts `curfew ARGS…` on the near machine. */
  start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): {
    readonly ended: Promise<NearRun>;
    readonly stdout: () => string;
    readonly end: () => void;
  } {
    return this.startProgram([curfewFile, ...args], env);
  }

  /** Starts a program of Node on the near machine. */
  startProgram(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): {
    readonly ended: Promise<NearRun>;
    readonly stdout: () => string;
    readonly end: () => void;
  } {
    const child = spawn('nsenter', [`--net=/proc/${this.#pidOutside}/ns/net`, process.execPath, ...args], {
      env: { ...this.environment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<NearRun>((resolve) => {
      child.on('close', (code) => {
        resolve({ code: code ?? 128, stdout, stderr });
      });
    });
    return { ended, stdout: () => stdout, end: () => child.kill('SIGTERM') };
  }

  /** True if this file exists on the near machine. */
  hasHere(path: string): boolean {
    return existsSync(path);
  }

  /** Environment of the near user. */
  environment(): Record<string, string> {
    return {
      ...compiledOnce,
      HOME: this.home,
      CURFEW_HOME: join(this.home, 'curfew'),
      PATH: `${this.home}/path:/usr/local/bin:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
    };
  }

  /** Runs a shell script on the far machine to its end. Throws if it fails. */
  async once(script: string): Promise<void> {
    const { first } = this.stage;
    const pid = await first.start({
      file: '/bin/sh',
      argv: ['sh', '-c', script],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      cwd: '/',
    });
    const { code } = await first.ended(pid);
    if (code !== 0) throw new Error(`${script}: ${code}`);
  }
}

/** Runs a test with its own far machine and always ends it. */
export const far =
  (play: (machine: FarMachine) => Promise<void>, options: FarOptions = {}) =>
  async (): Promise<void> => {
    const machine = await FarMachine.open(options);
    try {
      await play(machine);
    } finally {
      await machine.close();
    }
  };
