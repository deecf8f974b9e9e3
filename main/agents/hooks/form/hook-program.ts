/** What the script needs to know to start Curfew by itself. */
export interface HookProgram {
  /** Absolute paths: Node, and the command line's file. */
  readonly command: readonly [string, ...string[]];
  /**
   * Variables that decide where Curfew keeps its things (`CURFEW_HOME`, XDG folders), as they are
   * at installation.
   */
  readonly environment: Readonly<Record<string, string>>;
}
