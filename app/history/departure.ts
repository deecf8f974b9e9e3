/** Clues about a known job that went without Curfew ending it. null and false: no such clue. */
export interface DepartureClues {
  /** Its process that the kernel's log names among those the OOM killer ended. */
  readonly oomKilled: number | null;
  /** The OOM killer ended another process in its control group meanwhile. */
  readonly oomInGroup: boolean;
  readonly report: TaskReport | null;
  /** The exit status that its agent's shell recorded. */
  readonly exitCode: number | null;
  /** Its session ended between the same two scans. */
  readonly sessionEnded: boolean;
  /** It ran under `curfew run`, which ends what it started. */
  readonly underRun: boolean;
}

/** What an agent told its model about the end of a background task. */
export interface TaskReport {
  /** In the agent's words: `completed`, `failed`, `killed`. */
  readonly status: string;
  /** The agent says that it stopped the task, with this cause. */
  readonly cause: 'memory' | 'deadline' | null;
}

/** What ended a job, as far as known. `sure` false: plausible, but not the only cause. */
export type Departure =
  | { readonly by: 'oom-killer'; readonly sure: boolean; readonly pid: number | null }
  | { readonly by: 'agent'; readonly cause: 'memory' | 'deadline' }
  | { readonly by: 'agent-reports'; readonly status: string }
  | { readonly by: 'itself'; readonly exitCode: number }
  | { readonly by: 'signal'; readonly signal: number }
  | { readonly by: 'curfew-run' }
  | { readonly by: 'session' }
  | { readonly by: 'unknown' };

/**
 * Returns the conclusion from the most certain clue: the kernel's log, the agent's report, an exit
 * status, then simultaneous events.
 */
export const departureOf = (clues: DepartureClues): Departure => {
  const { oomKilled, oomInGroup, report, exitCode, sessionEnded, underRun } = clues;
  if (oomKilled !== null) return { by: 'oom-killer', sure: true, pid: oomKilled };
  if (report?.cause != null) return { by: 'agent', cause: report.cause };
  // A shell returns 128 plus the number of the signal:
  // https://www.gnu.org/software/bash/manual/html_node/Exit-Status.html
  if (exitCode !== null && exitCode > 128 && exitCode < 193) return { by: 'signal', signal: exitCode - 128 };
  if (exitCode !== null) return { by: 'itself', exitCode };
  if (underRun) return { by: 'curfew-run' };
  if (report !== null) return { by: 'agent-reports', status: report.status };
  if (oomInGroup) return { by: 'oom-killer', sure: false, pid: null };
  if (sessionEnded) return { by: 'session' };
  return { by: 'unknown' };
};
