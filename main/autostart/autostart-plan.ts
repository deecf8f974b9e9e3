/** What starts Curfew without anybody's doing: files in the person's own folders, and the system's commands that take them up. */
export interface AutostartPlan {
  /** A pass every few minutes, or the supervisor from login on. */
  readonly kind: 'pass' | 'supervisor';
  /** In words: "a timer of systemd", "a LaunchAgent". */
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What the system's commands make beside them, and would leave lying where they can't be asked. */
  readonly links: readonly string[];
  /** Each command with whether its failing is a failure of the whole. */
  readonly enable: readonly AutostartStep[];
  readonly disable: readonly AutostartStep[];
  /** Ends with status 0 when it is taken up; asked for `status`. null: it is by being there. */
  readonly check: readonly [string, ...string[]] | null;
}

/** A command of the system. */
export interface AutostartStep {
  readonly command: readonly [string, ...string[]];
  readonly mayFail: boolean;
}

/** What a plan is made for. */
export interface AutostartInput {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  /** Node and the command line's file, absolute. */
  readonly program: readonly [string, ...string[]];
  /** Variables that decide where Curfew keeps its things. */
  readonly placesEnvironment: Readonly<Record<string, string>>;
}

/** Between two passes, and the age from which they end orphans. */
export const passEverySeconds = 300;
/** See `passEverySeconds`. */
export const passArguments = ['hook', 'pass', '--max-age', '10m'] as const;

/** What the files say of themselves, when they are written on the machine that they are for. */
export const writtenHere = 'Written by "curfew autostart enable", removed by "curfew autostart disable".';
