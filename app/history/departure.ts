/** What was found when a job that had been told of was gone, and Curfew had not ended it. null and false: nothing of the kind was found. */
export interface DepartureClues {
  /** The kernel's log names one of its processes among those that the OOM killer ended. */
  readonly oomKilled: number | null;
  /** The OOM killer ended somebody in its control group meanwhile. */
  readonly oomInGroup: boolean;
  /** What its agent says became of the task. */
  readonly report: TaskReport | null;
  /** What its agent's shell wrote down as its exit status. */
  readonly exitCode: number | null;
  /** Its session ended between the same two looks. */
  readonly sessionEnded: boolean;
  /** It ran under `curfew run`, which ends what it started by itself. */
  readonly underRun: boolean;
}

/** What an agent told its model of the end of a background task. */
export interface TaskReport {
  /** In the agent's own word: `completed`, `failed`, `killed`. */
  readonly status: string;
  /** It says that it stopped the task itself, and why. */
  readonly cause: 'memory' | 'deadline' | null;
}

/** Who ended a job, as far as that can be known. `sure` false: it fits, and something else could be the reason. */
export type Departure =
  | { readonly by: 'oom-killer'; readonly sure: boolean; readonly pid: number | null }
  | { readonly by: 'agent'; readonly cause: 'memory' | 'deadline' }
  | { readonly by: 'agent-reports'; readonly status: string }
  | { readonly by: 'itself'; readonly exitCode: number }
  | { readonly by: 'signal'; readonly signal: number }
  | { readonly by: 'curfew-run' }
  | { readonly by: 'session' }
  | { readonly by: 'nobody-known' };

/** Of several clues the one that leaves the least doubt: the kernel's word, the agent's own, an exit status, then what happened at the same time. */
export const departureOf = (clues: DepartureClues): Departure => {
  const { oomKilled, oomInGroup, report, exitCode, sessionEnded, underRun } = clues;
  if (oomKilled !== null) return { by: 'oom-killer', sure: true, pid: oomKilled };
  if (report?.cause != null) return { by: 'agent', cause: report.cause };
  // A shell gives 128 and the number of the signal: https://www.gnu.org/software/bash/manual/html_node/Exit-Status.html
  if (exitCode !== null && exitCode > 128 && exitCode < 193) return { by: 'signal', signal: exitCode - 128 };
  if (exitCode !== null) return { by: 'itself', exitCode };
  if (underRun) return { by: 'curfew-run' };
  if (report !== null) return { by: 'agent-reports', status: report.status };
  if (oomInGroup) return { by: 'oom-killer', sure: false, pid: null };
  if (sessionEnded) return { by: 'session' };
  return { by: 'nobody-known' };
};
