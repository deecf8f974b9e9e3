/**
 * What holds the processes of one run: a control group (version 2), or a job object of Windows.
 * Every process started in it stays in it, however it forks, and all can be killed at once.
 */
export interface Enclosure {
  readonly path: string;
  /** How records name it; left out: a control group with its path. */
  readonly what?: string;
  /**
   * Moves this process in, runs `work`, and moves it out again, so that what `work` starts begins
   * inside. If it can't get in, `work` runs all the same.
   */
  during<Result>(work: () => Result): Result;
  /** Returns all pids inside, including sub-groups; null when it can't be read. */
  pids(): readonly number[] | null;
  /**
   * Kills all processes inside at once, faster than any fork (Linux 5.14). False when the kernel
   * refused.
   */
  kill(): boolean;
  /**
   * Whether the kernel ends what is inside when this process ends. Absent where it never does.
   */
  endsWithUs?(ends: boolean): void;
  /** Whether no process may start inside any more. Absent where `kill` outruns every fork. */
  seal?(sealed: boolean): void;
  /**
   * Moves every process inside to the group in which this one was made. A process that the kernel
   * refuses to move stays.
   */
  moveOut(): void;
  /** Removes the group and its sub-groups; false while a process is inside. */
  remove(): boolean;
}
