import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { curfewFile } from '../scene/curfew.ts';
import { readableNode } from '../machine-facts.ts';
import { type Home, until } from './curfew-run.ts';

/** Programs that can be process 1 of a container, with the words before their command. */
export const programs = {
  curfew: (grace: string) => [readableNode, curfewFile, 'init', '--grace', grace, '--'],
  tini: () => ['tini', '--'],
  'dumb-init': () => ['dumb-init', '--'],
} as const satisfies Readonly<Record<string, (grace: string) => readonly string[]>>;
export type ProgramName = keyof typeof programs;

/** A container: a pid namespace with this program as its process 1. */
export class Container {
  readonly #child: ChildProcess;
  readonly #home: Home;
  #output = '';
  readonly ended: Promise<number>;

  constructor(home: Home, program: ProgramName, command: readonly string[], grace = '5s') {
    this.#home = home;
    this.#child = spawn(
      'unshare',
      ['--pid', '--fork', '--mount-proc', '--kill-child', ...programs[program](grace), ...command],
      { env: home.env(), cwd: home.path, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  }

  get output(): string {
    return this.#output;
  }

  /** Its process 1, as seen from outside. */
  get first(): number {
    const pid = this.#child.pid ?? 0;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  }

  async says(text: string): Promise<void> {
    await until(
      () => `the container says "${text}"; it said: ${this.#output}`,
      () => this.#output.includes(text),
    );
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.first, signal);
  }

  /** The states of all children of process 1. */
  get states(): readonly string[] {
    const { first } = this;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return Number(parent) === first ? [state] : [];
        } catch {
          return [];
        }
      });
  }

  file(name: string): string {
    return this.#home.file(name);
  }
}

/** Tells each signal that reaches it, and goes on. */
export const listener = [
  'perl',
  '-e',
  '$| = 1; for my $n (qw(HUP INT QUIT TERM USR1 USR2 ALRM CONT WINCH PWR)) { $SIG{$n} = sub { print "got $n\\n" } } print "ready\\n"; sleep 1 while 1',
];
export const listened = ['HUP', 'INT', 'QUIT', 'TERM', 'USR1', 'USR2', 'ALRM', 'CONT', 'WINCH', 'PWR'] as const;

/** Leaves so many orphans behind, which end at once, and lives on. */
export const orphans = (count: number): readonly string[] => [
  'perl',
  '-e',
  `$| = 1; for (1 .. ${count}) { my $p = fork // die; if (!$p) { exit if fork; exit } waitpid $p, 0 } print "left\\n"; sleep 600`,
];

/** Ends and leaves one process, which writes a file when it is asked to end; `how` starts it. */
export const leaves = (how: string, file: string): readonly string[] => [
  'sh',
  '-c',
  `${how} perl -e '$SIG{TERM} = sub { open my $f, ">", "${file}"; print $f "asked"; close $f; exit }; open my $r, ">", "${file}.ready"; close $r; sleep 1 while 1' & while [ ! -e ${file}.ready ]; do sleep 0.01; done; exit 5`,
];
