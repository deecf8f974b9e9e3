import { machineOf, type Machine } from '../unit/jobs/machine.ts';
import { claudeEnvironment, claudeShell, type Plant } from '../unit/jobs/plant.ts';

const hourSeconds = 3600;
/** A session ends before the next begins; its leftovers are found as orphans. */
const sessionSeconds = 2400;
const jobsPerSession = 6;
const bystanders = 40;
const firstPid = 2000;
const lastPid = 32_768;

interface Planned {
  readonly atSeconds: number;
  readonly pids: readonly number[];
}

/**
 * A machine in use for a week: every hour a session of Claude Code starts six commands, ends, and
 * leaves three of them; forty programs of the user stay, and one comes and goes at each scan. Pids
 * are reused cyclically, as the kernel does.
 */
export class WeekWorld {
  readonly machine: Machine;
  /** Number of processes started. */
  started = 0;
  #seconds = 0;
  #nextPid = firstPid;
  #session = 0;
  /** Planned ends, in order. */
  #ends: Planned[] = [];
  #passing: number | null = null;

  constructor() {
    const stay = Array.from({ length: bystanders }, (_, index): Plant => {
      const pid = 100 + index;
      return { pid, argv: `/usr/bin/program-${index} --serve ${index}`, env: { PATH: '/usr/bin' } };
    });
    this.machine = machineOf(stay);
  }

  /** Lets time pass and carries out what is planned in it. */
  pass(seconds: number): void {
    const before = this.#seconds;
    this.#seconds += seconds;
    this.machine.pass(seconds);
    if (this.#passing !== null) this.end(this.#passing);
    this.#passing = this.#start({ argv: `/usr/bin/make target-${this.#seconds}` });
    if (Math.floor(before / hourSeconds) !== Math.floor(this.#seconds / hourSeconds)) this.#openSession();
    const due = this.#ends.filter(({ atSeconds }) => atSeconds <= this.#seconds);
    this.#ends = this.#ends.filter(({ atSeconds }) => atSeconds > this.#seconds);
    for (const { pids } of due) pids.forEach((pid) => this.end(pid));
  }

  /** Ends a process, if it lives. */
  end(pid: number): void {
    if (this.machine.planted(pid) !== undefined) this.machine.end(pid);
  }

  #openSession(): void {
    this.#session += 1;
    const session = `43c8e917-0000-4000-8000-${this.#session.toString(16).padStart(12, '0')}`;
    const agent = this.#start({ argv: 'claude' });
    const env = claudeEnvironment({ pid: agent, session });
    for (let number = 0; number < jobsPerSession; number += 1) {
      const command = `npm run task-${this.#session}-${number}`;
      const shell = this.#start({ ppid: agent, argv: claudeShell(command), env }, true);
      const child = this.#start({ ppid: shell, argv: command, env });
      if (number % 2 === 0) this.#ends.push({ atSeconds: this.#seconds + 120 * (number + 1), pids: [child, shell] });
    }
    this.#ends.push({ atSeconds: this.#seconds + sessionSeconds, pids: [agent] });
  }

  #start(plant: Omit<Plant, 'pid'>, leads = false): number {
    let pid = this.#nextPid;
    while (this.machine.planted(pid) !== undefined) pid += 1;
    this.#nextPid = pid + 1 > lastPid ? firstPid : pid + 1;
    this.machine.start({ ...plant, pid, ...(leads ? { sid: pid } : {}) });
    this.started += 1;
    return pid;
  }
}
