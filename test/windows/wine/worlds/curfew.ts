import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a run of Curfew gave. */
export interface Said {
  readonly args: readonly string[];
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** One that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly said: () => Said;
  readonly ended: Promise<Said>;
}

const patienceMs = 120_000;

/** The built command line, with a home of its own. */
export class Curfew {
  readonly #program: string;
  readonly #home: string;
  readonly #environment: Readonly<Record<string, string>>;
  #runs = 0;

  constructor(program: string, home: string, environment: Readonly<Record<string, string>>) {
    this.#program = program;
    this.#home = join(home, 'curfew');
    this.#environment = { ...environment, CURFEW_HOME: this.#home };
    mkdirSync(this.#home, { recursive: true });
    const settings = {
      mode: 'enforce',
      orphanGraceSeconds: 0,
      noticeSeconds: 0,
      scanIntervalSeconds: 1,
      backgroundKillGraceSeconds: 1,
    };
    writeFileSync(join(this.#home, 'settings.json'), JSON.stringify(settings));
  }

  /** Into files: what Wine starts by the way would keep pipes open. */
  start(...args: readonly string[]): Running {
    this.#runs += 1;
    const paths = ['out', 'err'].map((name) => join(this.#home, `${this.#runs}.${name}`));
    const files = paths.map((path) => openSync(path, 'w'));
    const child = spawn(process.execPath, [this.#program, ...args], {
      env: this.#environment,
      stdio: ['ignore', ...files],
      windowsHide: true,
    });
    for (const file of files) closeSync(file);
    const said = (): Said => {
      const [out = '', err = ''] = paths.map((path) => readFileSync(path, 'utf8'));
      return { args, status: child.exitCode, out, err };
    };
    const timer = setTimeout(() => child.kill(), patienceMs);
    const ended = new Promise<Said>((done, fail) => {
      child.on('error', fail);
      child.on('exit', () => {
        clearTimeout(timer);
        done(said());
      });
    });
    return { child, said, ended };
  }

  /** Runs it to its end. */
  async run(...args: readonly string[]): Promise<Said> {
    return this.start(...args).ended;
  }

  /** Starts a watch, and waits until it has looked. */
  async watch(): Promise<Running> {
    const running = this.start('watch', '--enforce', '--json');
    for (let waited = 0; running.said().out === '' && waited < patienceMs; waited += 100) {
      if (running.child.exitCode !== null) throw new Error(`the watch ended: ${running.said().err}`);
      await sleep(100);
    }
    return running;
  }
}
