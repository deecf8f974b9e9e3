import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import type { Actor, ScenePath } from './actor.ts';
import { type ClaudeVersion, childEnvironment, shellArguments } from './claude-shell.ts';
import { type Identity, descendants, lives } from './processes.ts';
import type { Scene } from './scene.ts';
import { seenCall } from './seen-call.ts';
import { give, type SceneUser } from './users.ts';

/** How a fake Claude Code is started. */
export interface ClaudeOptions {
  readonly version?: ClaudeVersion;
  readonly session?: string;
  readonly project?: string;
  readonly parent?: Actor;
  readonly shell?: 'bash' | 'zsh';
  /** Its pid, if it matters. */
  readonly pid?: number;
  /** Its own environment, e.g. from the tool shell of another agent. */
  readonly env?: Readonly<Record<string, string>>;
  readonly setsid?: boolean;
  readonly setpgid?: boolean;
  /** Its command line, `claude` if left out; a second word is a script (see Role). */
  readonly argv?: readonly [string, ...string[]];
  /** Path of its program; the table shows its base name as short name. */
  readonly executable?: string;
  /** Whose it is; root's by default. */
  readonly user?: SceneUser;
}

/** One call of its shell tool. */
export interface ToolCall {
  /** The tool shell; it may have returned already. */
  readonly shell: Identity;
  readonly command: string;
  readonly task: string;
  /** Null for 2.0.28, which connects its shells over sockets. */
  readonly output: ScenePath | null;
}

/** Part of what the real one calls the domain of its pids; empty if the machine has none. */
const machineId = existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8').trim() : '';

const letters = (count: number): string =>
  [...randomBytes(count)].map((byte) => 'abcdefghijklmnopqrstuvwxyz0123456789'[byte % 36]).join('');

/** Folder name that Claude Code derives from a path. */
export const slug = (path: string): string => path.replaceAll(/[^a-zA-Z0-9]/g, '-');

const environmentOf = (user: SceneUser | undefined): Record<string, string> =>
  user === undefined ? {} : { HOME: user.home, USER: user.name, LOGNAME: user.name };

/** A process that looks and behaves like Claude Code as to its shells, files and endings. */
export class FakeClaude {
  readonly version: ClaudeVersion;
  readonly session: string;
  readonly project: string;
  readonly actor: Actor;
  readonly identity: Identity;
  /** `/tmp/claude-<uid>/<project>/<session>/tasks`. */
  readonly tasks: string;
  readonly executable: string;
  readonly calls: ToolCall[] = [];
  readonly #stage: Scene;
  readonly #snapshot: string;
  readonly #shell: 'bash' | 'zsh';
  readonly #inherited: Readonly<Record<string, string>>;
  readonly #home: string;
  readonly #user: SceneUser | null;

  private constructor(stage: Scene, actor: Actor, options: ClaudeOptions, executable: string) {
    this.#stage = stage;
    this.actor = actor;
    this.identity = stage.identity(actor.pid);
    this.version = options.version ?? '2.1.329';
    this.session = options.session ?? randomUUID();
    this.#user = options.user ?? null;
    this.#home = options.user?.home ?? stage.home;
    this.project = options.project ?? `${this.#home}/shop`;
    this.tasks = `/tmp/claude-${options.user?.uid ?? 0}/${slug(this.project)}/${this.session}/tasks`;
    this.executable = executable;
    this.#shell = options.shell ?? 'bash';
    this.#snapshot = `snapshot-${this.#shell}-1795232964792-${letters(6)}.sh`;
    this.#inherited = { ...environmentOf(options.user), ...options.env };
  }

  /** Starts one and writes what the real one writes at its start. */
  static async start(stage: Scene, options: ClaudeOptions = {}): Promise<FakeClaude> {
    const old = options.version === '2.0.28';
    // 2.0 is a script that renames itself; later ones are native programs.
    const file = options.executable ?? (old ? '/tmp/scene/programs/node' : '/opt/claude/claude-linux-x64/claude');
    const { user } = options;
    const project = options.project ?? `${user?.home ?? stage.home}/shop`;
    const actor = await stage.actor({
      argv: options.argv ?? ['claude'],
      file: file.startsWith('/opt') ? `/tmp/scene${file}` : file,
      cwd: project,
      setsid: options.setsid ?? true,
      ...(options.setpgid === undefined ? {} : { setpgid: options.setpgid }),
      env: { ...stage.userEnvironment(), ...environmentOf(user), ...options.env },
      ...(user === undefined ? {} : { uid: user.uid }),
      ...(options.parent === undefined ? {} : { parent: options.parent }),
      ...(options.pid === undefined ? {} : { pid: options.pid }),
    });
    const claude = new FakeClaude(
      stage,
      actor,
      options,
      stage.program(file.startsWith('/opt') ? `/tmp/scene${file}` : file),
    );
    stage.write(
      `${claude.#home}/.claude/shell-snapshots/${claude.#snapshot}`,
      '# Snapshot file\nshopt -s expand_aliases\n',
    );
    claude.note({ type: 'user', message: { role: 'user', content: 'Start the shop.' } });
    if (!old) {
      stage.folder(claude.tasks);
      claude.#give();
      await actor.holdOpen(claude.tasks);
      claude.register();
    }
    return claude;
  }

  /** `~/.claude/sessions/<pid>.json`. */
  get registration(): string {
    return `${this.#home}/.claude/sessions/${this.actor.pid}.json`;
  }

  /** Writes its entry into the registry of sessions. */
  register(more: Readonly<Record<string, unknown>> = {}): void {
    const now = Date.now();
    this.#stage.write(
      this.registration,
      JSON.stringify({
        pid: this.actor.pid,
        sessionId: this.session,
        cwd: this.project,
        startedAt: now,
        procStart: this.identity.start,
        version: this.version,
        kind: 'interactive',
        entrypoint: 'cli',
        pidDomain: `linux:${machineId}:${readlinkSync(`${this.#stage.proc}/1/ns/pid`)}`,
        messagingSocketPath: `/tmp/cc-socks/${this.actor.pid}.sock`,
        name: 'shop-5f',
        status: 'busy',
        updatedAt: now,
        statusUpdatedAt: now,
        ...more,
      }),
    );
    this.#give();
  }

  /** Tests write as root: what is written is the user's. */
  #give(): void {
    if (this.#user === null) return;
    const { uid, home } = this.#user;
    for (const folder of [home, `/tmp/claude-${uid}`]) if (this.#stage.has(folder)) give(this.#stage, folder, uid);
  }

  /** Adds a line to the transcript of its session. */
  note(line: Readonly<Record<string, unknown>>): void {
    const common = {
      sessionId: this.session,
      cwd: this.project,
      version: this.version,
      timestamp: new Date().toISOString(),
    };
    this.#stage.append(
      `${this.#home}/.claude/projects/${slug(this.project)}/${this.session}.jsonl`,
      `${JSON.stringify({ ...line, ...common, uuid: randomUUID() })}\n`,
    );
    this.#give();
  }

  /** The environment of its children. */
  environment(kind: 'agent' | 'harness' = 'agent'): Record<string, string> {
    const { version, session, executable } = this;
    const started = this.tasks.replace(/tasks$/, 'started');
    return {
      ...this.#stage.userEnvironment(),
      ...this.#inherited,
      ...childEnvironment({ version, session, executable, started, pid: this.actor.pid, entrypoint: 'cli' }, kind),
    };
  }

  /** A call of the shell tool with `run_in_background`: returns once the shell runs. */
  async bash(
    command: string,
    more: {
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      /** The id of the call in the transcript. */
      readonly toolUse?: string;
      /**
       * Its shell gets a socket to the agent as standard input, as from 2.1.330 (observed), and
       * keeps it under another number while its command's input is redirected.
       */
      readonly input?: 'socket';
    } = {},
  ): Promise<ToolCall> {
    const { version } = this;
    const task = `b${letters(8)}`;
    const output = version === '2.0.28' ? null : this.#stage.write(`${this.tasks}/${task}.output`, '');
    this.#give();
    const request = { version, command, home: this.#home, snapshot: this.#snapshot, shell: this.#shell };
    const shell = await this.actor.begin({
      file: '/bin/bash',
      argv: shellArguments({ ...request, folderSuffix: randomBytes(2).toString('hex') }),
      env: { ...this.environment(), ...more.env },
      cwd: more.cwd ?? this.project,
      setsid: true,
      fds: {
        0: more.input ?? (command.includes('<<') && version !== '2.0.28' ? 'socket' : '/dev/null'),
        1: output ?? 'socket',
        2: output ?? 'socket',
      },
    });
    this.note({
      type: 'user',
      toolUseResult: { backgroundTaskId: task },
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            ...(more.toolUse === undefined ? {} : { tool_use_id: more.toolUse }),
            content: `Command running in background with ID: ${task}. Output is being written to: ${output}`,
          },
        ],
      },
    });
    const call = { shell, command, task, output };
    this.calls.push(call);
    return call;
  }

  /** A foreground call: waits for the shell, then removes the output file, like the real one. */
  async foreground(command: string, more: { readonly env?: Readonly<Record<string, string>> } = {}): Promise<ToolCall> {
    const call = await this.bash(command, more);
    await this.actor.ended(call.shell.pid);
    if (call.output !== null) rmSync(this.#stage.outside(call.output));
    return call;
  }

  /**
   * A foreground call that lasts until a look has seen what it started, as a supervisor sees what
   * lives for longer than its interval.
   */
  async foregroundSeen(command: string, look?: () => Promise<unknown>): Promise<ToolCall> {
    const call = await seenCall(this.#stage, command, {
      ...(look === undefined ? {} : { look }),
      begin: (text) => this.bash(text),
      shell: ({ shell }) => shell,
      ended: (pid) => this.actor.ended(pid),
    });
    if (call.output !== null) rmSync(this.#stage.outside(call.output));
    return call;
  }

  /** Kills it: no cleaning up, its shells and its files stay. Returns once it is gone. */
  async crash(): Promise<void> {
    await this.#stage.first.signal(this.actor.pid, 'KILL');
    await this.#gone();
  }

  /**
   * Ends it like `/exit` or TERM. From 2.1 on it first ends its tool shells with all descendants,
   * and removes its files; 2.0.28 leaves every shell.
   */
  async end(): Promise<void> {
    if (this.version !== '2.0.28') {
      const table = this.#stage.table();
      const ended: Identity[] = [];
      for (const { shell } of this.calls) {
        if (!this.#stage.lives(shell)) continue;
        ended.push(...descendants(table, shell.pid), shell);
      }
      for (const { pid } of ended) await this.#stage.first.signal(pid, 'KILL');
      // A process without CPU time lives on for a moment, and would be mistaken for a leftover.
      await this.#stage.until('its shells have ended', () => !ended.some((one) => this.#stage.lives(one)));
    }
    await this.leave();
  }

  /**
   * Makes it exit without touching its shells ("Move to background and exit"); it removes its
   * files.
   */
  async leave(): Promise<void> {
    rmSync(this.#stage.outside(this.registration), { force: true });
    rmSync(this.#stage.outside(`${this.#home}/.claude/shell-snapshots/${this.#snapshot}`), { force: true });
    await this.actor.exit();
    await this.#gone();
  }

  async #gone(): Promise<void> {
    await this.#stage.until('the agent is gone', () => !lives(this.#stage.row(this.actor.pid)));
  }
}
