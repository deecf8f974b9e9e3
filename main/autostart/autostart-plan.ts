import type { Said } from '../../app/format/said.ts';

/** A way to start automatically: the user's files, and the commands that activate them. */
export interface AutostartPlan {
  /** A pass every few minutes, or the supervisor from login on. */
  readonly kind: 'pass' | 'supervisor';
  /** In words: "a timer of systemd", "a LaunchAgent". */
  readonly name: Said;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Links that the system's commands create, to be removed even where those can't run. */
  readonly links: readonly string[];
  /** The commands, each with whether its failure fails the whole. */
  readonly enable: readonly AutostartStep[];
  readonly disable: readonly AutostartStep[];
  /** A command for `status` that exits 0 if the plan is active. Null: its files are enough. */
  readonly check: readonly [string, ...string[]] | null;
}

/** A system command. */
export interface AutostartStep {
  readonly command: readonly [string, ...string[]];
  readonly mayFail: boolean;
  /** Runs it again while it ends with one of these statuses, for at most `forMs`. */
  readonly again?: { readonly statuses: readonly number[]; readonly forMs: number };
}

/** What a plan is made for. */
export interface AutostartInput {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  /** Node and the command line's file, absolute. */
  readonly program: readonly [string, ...string[]];
  /** Variables that decide where Curfew keeps its files. */
  readonly placesEnvironment: Readonly<Record<string, string>>;
  /** How long launchd may take to let go of a job, milliseconds; left out: 10 s. */
  readonly letGoMs?: number;
}

/** Seconds between two passes, and the age from which they end orphans. */
export const passEverySeconds = 300;
export const passArguments = ['hook', 'pass', '--max-age', '10m'] as const;

/** The comment in files that are written on the machine they are for. */
export const writtenHere = 'Written by "curfew autostart enable", removed by "curfew autostart disable".';
