import { existsSync } from 'node:fs';
import type { ScenePath } from './actor.ts';
import { curfewEnvironment, curfewFile } from './curfew.ts';
import type { Scene } from './scene.ts';

/** The real terminal of these tests. */
const tmux = '/usr/bin/tmux';

/** True without a terminal to test in; `unlessTerminal` then says so in the names of tests. */
export const noTerminal = !existsSync(tmux);

/** Empty, or why a test is skipped. */
export const unlessTerminal = noTerminal ? ` (SKIPPED: ${tmux} is not on this machine)` : '';

let terminals = 0;

/** A shell of the user's in a real terminal (tmux), which the test types into and reads. */
export class Terminal {
  readonly #stage: Scene;
  readonly #socket: string;
  readonly #captured: ScenePath;
  readonly #problem: ScenePath;

  private constructor(stage: Scene, socket: string) {
    this.#stage = stage;
    this.#socket = socket;
    this.#problem = stage.write(`${socket}.problem`, '', 0o666);
    this.#captured = stage.write(`${socket}.screen`, '', 0o666);
  }

  /** Opens one with a shell that has `curfew` and the prompt `ready$`. */
  static async open(stage: Scene, columns: number, rows: number): Promise<Terminal> {
    const socket = `/tmp/terminal-${terminals++}`;
    const terminal = new Terminal(stage, socket);
    stage.write('/tmp/scene/path/curfew', `#!/bin/sh\nexec '${process.execPath}' '${curfewFile}' "$@"\n`, 0o755);
    stage.write('/tmp/scene/terminal.rc', "PS1='ready$ '\n");
    stage.write('/tmp/scene/tmux.conf', 'set -g status off\nset -g escape-time 20\n');
    const size = ['-x', String(columns), '-y', String(rows)];
    await terminal.#tmux(
      '-f',
      '/tmp/scene/tmux.conf',
      'new-session',
      '-d',
      ...size,
      'bash --rcfile /tmp/scene/terminal.rc',
    );
    await terminal.shows('ready$');
    return terminal;
  }

  /** Types a line, with Enter. */
  async enter(line: string): Promise<void> {
    await this.#tmux('send-keys', '-l', line);
    await this.#tmux('send-keys', 'Enter');
  }

  /**
   * Types a line at a prompt on an empty screen: what is then waited for can't be there from
   * before, and no program that still reads takes the line.
   */
  async enterAnew(line: string): Promise<void> {
    await this.until('the prompt is back', (screen) => screen.trimEnd().endsWith('ready$'));
    await this.#tmux('send-keys', '-R');
    await this.enter(line);
  }

  /** Presses keys, one after the other, by their names in tmux(1). */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#tmux('send-keys', key);
  }

  /** Pastes text, as a terminal that marks it as pasted. */
  async paste(text: string): Promise<void> {
    await this.#tmux('set-buffer', text);
    await this.#tmux('paste-buffer', '-p');
  }

  /** Gives the window another size. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What is on the screen, line by line; with its colours if asked. */
  async screen(colours = false): Promise<string> {
    await this.#tmux('capture-pane', ...(colours ? ['-e'] : []));
    await this.#tmux('save-buffer', this.#captured);
    return this.#stage.read(this.#captured);
  }

  /** Asks tmux something about the pane, in the language of its FORMATS. */
  async ask(format: string): Promise<string> {
    await this.#tmux('set-buffer', '');
    await this.#tmux('run-shell', `echo "${format}" > ${this.#captured}`);
    return this.#stage.read(this.#captured).trim();
  }

  /** Waits until the screen shows this; returns it. */
  async shows(what: string | RegExp, seconds = 60): Promise<string> {
    return this.until(
      `the terminal shows ${what}`,
      (screen) => (typeof what === 'string' ? screen.includes(what) : what.test(screen)),
      seconds,
    );
  }

  /** Waits until the screen is as wanted; returns it. */
  async until(what: string, fits: (screen: string) => boolean, seconds = 60): Promise<string> {
    const endMs = Date.now() + seconds * 1000;
    for (;;) {
      const screen = await this.screen();
      if (fits(screen)) return screen;
      if (Date.now() > endMs) throw new Error(`waited in vain: ${what}\n${screen}`);
    }
  }

  /** Closes the window, as a user does who has a program running in it. */
  async close(): Promise<void> {
    await this.#tmux('kill-server');
  }

  async #tmux(...args: readonly string[]): Promise<void> {
    const { pid } = await this.#stage.top.begin({
      file: tmux,
      argv: ['tmux', '-S', this.#socket, ...args],
      env: { ...curfewEnvironment(this.#stage), TERM: 'xterm-256color' },
      cwd: this.#stage.home,
      setsid: true,
      fds: { 2: this.#problem },
    });
    const { code } = await this.#stage.top.ended(pid);
    if (code !== 0) throw new Error(`tmux ${args.join(' ')} ended with ${code}: ${this.#stage.read(this.#problem)}`);
  }
}
