/** A process of a scene under Wine, with what it starts. */
export interface Planted {
  /** Names it within the scene. */
  readonly id: string;
  /**
   * The file of its program, without `.exe`: a link to node that runs `planted.ts`, or a program of
   * Wine (`cmd`, `notepad`), which runs `args`.
   */
  readonly file: string;
  readonly args?: readonly string[];
  /** Added to its parent's environment; `$PID` is the pid of its parent. */
  readonly env?: Readonly<Record<string, string>>;
  /** `none`: no console, as agents start commands; `own`: a hidden one; else the parent's. */
  readonly console?: 'none' | 'own';
  /** Started by a `cmd /c` that waits, without input and its output captured: a tool call. */
  readonly inShell?: true;
  readonly children?: readonly Planted[];
}

/** One step of a scene. */
export type Step =
  | { readonly do: 'plant'; readonly planted: Planted }
  /** It ends by itself. */
  | { readonly do: 'end'; readonly id: string }
  | { readonly do: 'wait'; readonly ms: number }
  /** Runs Curfew to its end. */
  | { readonly do: 'curfew'; readonly args: readonly string[] }
  /** Runs `curfew watch` until these have ended, and so much longer. */
  | {
      readonly do: 'watch';
      readonly args: readonly string[];
      readonly meanwhile: readonly Step[];
      readonly gone: readonly string[];
      readonly thenMs: number;
    }
  /** A `cmd /c pause` gets the pid of one that has ended. */
  | { readonly do: 'reuse'; readonly id: string; readonly as: string };

/** What a run of Curfew gave. */
export interface Ran {
  readonly args: readonly string[];
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** What came of a scene. */
export interface Played {
  readonly runs: readonly Ran[];
  /** Of the planted ones that lived at the end. */
  readonly alive: readonly string[];
  readonly pids: Readonly<Record<string, number>>;
  /** The planted ones that a console event reached. */
  readonly asked: readonly string[];
  /** Why the scene could not be played to its end; null: it was. */
  readonly problem: string | null;
}

/** What a scene is played with, as JSON in a file. */
export interface Script {
  readonly steps: readonly Step[];
  /** Folder of the programs, and the command line of Curfew, as Windows names them. */
  readonly programs: string;
  readonly curfew: string;
  /** Where the answer goes, and what Curfew says. */
  readonly folder: string;
}
