import { agentOf, agentPrograms, callForm, type FakeAgent } from './agents.ts';
import type { Machine, Process, Start } from './machine.ts';
import { startWithNumberOf } from './numbers.ts';
import type { WineAgentPlan } from './plan.ts';

/** A process on the stage. */
export interface Placed {
  readonly process: Process;
  readonly what: string;
  /** Null: no job's, and nothing may happen to it. */
  readonly agent: FakeAgent | null;
  /** What started it, where that is of the same job. */
  readonly parent: Process | null;
  /** Whether it counts up: a stand-in that runs. */
  readonly counts: boolean;
}

/** A user's shell in a terminal, with the agent that was started there. */
export interface Seat {
  readonly agent: FakeAgent;
  readonly shell: Process;
}

const windows = String.raw`C:\windows`;

/** A program of Wine that shows a window. */
export const notepad = String.raw`${windows}\system32\notepad.exe`;

/** What a program of Git Bash that another started shows of its environment. */
export const bareEnvironment = [
  String.raw`PATH=C:\windows\system32`,
  `SYSTEMROOT=${windows}`,
  `WINDIR=${windows}`,
  'SYSTEMDRIVE=C:',
];

/** The processes of a world under Wine, as they come and go. */
export class World {
  readonly machine: Machine;
  readonly home: string;
  /** What the programs of the user have in their environment. */
  readonly environment: readonly string[];
  readonly placed: Placed[] = [];
  /** What has ended by itself. */
  readonly ended: Process[] = [];
  readonly explorer: Process;
  /** Curfew runs, and may end them, too. */
  isWatched = false;
  /** So many ended by themselves meanwhile: the history may count them or not. */
  endedBeside = 0;
  /** Agents whose marks are on programs of the user, too. */
  readonly marked = new Set<FakeAgent>();
  /** What Curfew has seen below its agent. */
  readonly followed = new Set<Process>();
  recycled = 0;
  readonly #later: { readonly at: number; readonly happen: () => void }[] = [];
  #look = 0;
  #tasks = 0;

  constructor(machine: Machine, home: string, environment: readonly string[]) {
    this.machine = machine;
    this.home = home;
    this.environment = environment;
    this.explorer = machine.startBelow(null, { file: 'explorer', environment, console: 'none' });
    this.placed.push({ process: this.explorer, what: 'explorer', agent: null, parent: null, counts: true });
    // In place of the taskbar: Windows without any window are not to be believed.
    this.spare('taskbar', this.explorer, { file: notepad, console: 'none' });
  }

  /** What was put off to this look happens. */
  reach(look: number): void {
    this.#look = look;
    for (const { at, happen } of this.#later) if (at === look) happen();
  }

  at(look: number, happen: () => void): void {
    this.#later.push({ at: look, happen });
  }

  /** Happens so many looks later. */
  after(looks: number, happen: () => void): void {
    this.at(this.#look + looks, happen);
  }

  /** Starts what may never be touched. */
  spare(what: string, parent: Process, start: Partial<Start> & Pick<Start, 'file'>): Process {
    return this.#place(what, null, parent, start);
  }

  /** Starts a process of a job. */
  owe(agent: FakeAgent, what: string, parent: Process, start: Partial<Start> & Pick<Start, 'file'>): Process {
    return this.#place(`${what} of ${agent.kind}`, agent, parent, { environment: agent.environment, ...start });
  }

  #place(what: string, agent: FakeAgent | null, parent: Process, start: Partial<Start> & Pick<Start, 'file'>): Process {
    const whole = { environment: this.environment, console: 'shared', ...start } as const;
    const process = this.machine.start(parent, whole);
    const counts = start.suspended !== true && start.file !== notepad;
    this.placed.push({ process, what: `${what} (${start.file})`, agent, parent, counts });
    return process;
  }

  /** What was started by another way may never be touched. */
  spareStarted(what: string, process: Process): Process {
    this.placed.push({ process, what, agent: null, parent: null, counts: true });
    return process;
  }

  /** An agent in a terminal of the user. */
  raise({ agent: kind }: WineAgentPlan): Seat {
    const terminal = this.spare('terminal', this.explorer, { file: 'WindowsTerminal', console: 'none' });
    const shell = this.spare('shell of the user', terminal, { file: 'pwsh', args: '-NoLogo', console: 'own' });
    const process = this.spare(kind, shell, { file: agentPrograms[kind] });
    return { shell, agent: agentOf(kind, process, this.home, this.environment) };
  }

  /** A file for the output of a call. */
  output(agent: FakeAgent): string {
    return agent.output(`b${String((this.#tasks += 1)).padStart(8, '0')}`);
  }

  /** Starts the shell of a call that ends by itself, and that nothing is expected of. */
  passingCall(agent: FakeAgent, command: string): Process {
    const form = callForm(agent.kind, command);
    return this.machine.start(agent.process, { ...form, environment: agent.environment });
  }

  /** Curfew looks: it can see of what is whole whose it is. */
  follow(): void {
    // Parents come first.
    for (const { process, agent, parent } of this.placed) {
      if (agent === null || !this.isAlive(process)) continue;
      const isBelow = parent === agent.process || (parent !== null && this.followed.has(parent));
      if (isBelow && parent !== null && this.isAlive(parent)) this.followed.add(process);
    }
  }

  isAlive(process: Process): boolean {
    return this.machine.lives(process);
  }

  /** They end by themselves. */
  end(...processes: readonly Process[]): void {
    for (const process of processes) {
      if (!this.isAlive(process)) continue;
      this.machine.end(process);
      this.ended.push(process);
      if (this.isWatched) this.endedBeside += 1;
    }
  }

  /** The number of an ended process goes to a program of the user, with a child. */
  giveNumberOf(ended: Process, marks: FakeAgent | null): void {
    if (marks !== null) this.marked.add(marks);
    const environment = marks?.environment ?? this.environment;
    const mine = startWithNumberOf(this.machine, ended.pid, this.explorer, {
      file: 'mine',
      args: 'mine',
      environment,
      console: 'none',
    });
    if (mine === null) return;
    this.recycled += 1;
    this.spareStarted('a program with a recycled number', mine);
    this.spare('below one with a recycled number', mine, { file: 'mine', environment, console: 'none' });
    // Of a marked one that lost its parent between two looks nothing tells that it is no leftover.
    if (marks === null) this.after(2, () => this.end(mine));
  }

  /** The number of one of the ended processes. */
  giveNumber(which: number, agent: FakeAgent): void {
    const free = this.ended.filter(({ pid }) => this.machine.find(pid) === null);
    const ended = free[which % Math.max(free.length, 1)];
    if (ended !== undefined) this.giveNumberOf(ended, which % 2 === 0 ? null : agent);
  }
}
