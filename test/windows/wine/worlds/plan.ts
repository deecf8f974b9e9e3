import type { AgentPlan } from '../../../played/agent-plans.ts';

// What a world on real processes under Wine is made of. A plan is the same everywhere; the world is
// played by a Windows Node.

export const wineAgents = ['claude-code', 'codex', 'copilot', 'opencode'] as const;
export type WineAgent = (typeof wineAgents)[number];

/** What a call starts and leaves; see jobs.ts. */
export const wineJobs = [
  'waits',
  'background',
  'detached',
  'pipeline',
  'deaf',
  'own-console',
  'in-the-users-console',
  'suspended',
  'git-bash',
  'powershell',
  'dead-from-birth',
] as const;
export type WineJob = (typeof wineJobs)[number];

/** What may never be asked or ended, whatever marks it carries; see innocents.ts. */
export const wineInnocents = [
  'user-server',
  'shell-closed',
  'from-explorer',
  'explorer-with-marks',
  'service',
  'task-of-scheduler',
  'editor',
  'editor-terminal',
  'opened-terminal',
  'window',
  'own-console',
  'wsl',
  'from-wsl',
  'kept',
  'other-agent',
  'mentions-the-form',
  'same-command-line',
] as const;
export type WineInnocent = (typeof wineInnocents)[number];

export type WineAgentPlan = AgentPlan<WineAgent, WineJob, WineInnocent>;

/** The number of an ended process goes to a program of the user, before this look. */
export interface NumberPlan {
  readonly at: number;
  /** Which of the ended processes, counted round. */
  readonly which: number;
}

/** A world. */
export interface WinePlan {
  readonly agents: readonly WineAgentPlan[];
  readonly numbers: readonly NumberPlan[];
  /** Curfew looks before this look, or its watch begins then; null: at the end only. */
  readonly lookedAt: number | null;
  readonly by: 'reap' | 'watch';
  /** While Curfew works, a process that is due ends by itself, and a program gets its number. */
  readonly disturbedAfterMs: number | null;
  /** And then `reap --job` of all that is protected, or a run with a limit. */
  readonly atLast: 'nothing' | 'reap-protected' | 'run';
}

/** A plan with its seed, by which it is made again. */
export interface SeededPlan {
  readonly seed: number;
  readonly plan: WinePlan;
}

/** What came of a world. */
export interface PlayedWorld {
  readonly seed: number;
  /** What was wrong; empty: nothing. */
  readonly wrong: readonly string[];
  /** Why it could not be set; null: it was. */
  readonly notSet: string | null;
  readonly due: number;
  readonly mustLive: number;
  /** What Curfew ended. */
  readonly terminations: number;
  readonly recycled: number;
  readonly tookMs: number;
}

/** What a lane plays, as JSON in a file. */
export interface Lane {
  readonly worlds: readonly SeededPlan[];
  /** Milliseconds since 1970; no world is begun after. */
  readonly until: number;
  /** Folder of the programs, the command line of Curfew, and where results go: of Windows. */
  readonly programs: string;
  readonly curfew: string;
  readonly folder: string;
}

/** From its first look to its last. */
export const looks = 24;
