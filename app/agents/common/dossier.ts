import type { LeftForm } from '../../sweep/left-form.ts';
import type { ServerForm } from './server-form.ts';
import type { AgentSignature } from './signature.ts';

/** How an agent is called. Its name itself is in its signature. */
export interface AgentNames {
  /** What users type for it: the shortest name that it has. */
  readonly short: string;
  /** The command that starts it in a terminal. Left out: none does. */
  readonly command?: string;
  /** What else it is called: its command, its package, its name with the maker's. */
  readonly others: readonly string[];
  /** Its mark in a window: a path on a grid of 16, in lines of 1.5. Never the maker's trademark. */
  readonly glyph: string;
  /**
   * The word in the names of programs that contain the agent, as an editor's adapter does
   * (`codex-acp`). `none`: such programs mark nothing that could be taken for gone.
   */
  readonly containedAs: RegExp | 'none';
  /** The words before a session's id that let it go on. `none`: no such command is known. */
  readonly resume: readonly [string, ...string[]] | 'none';
}

/** Where an agent records its sessions. `main/agents/<agent>` reads the records. */
export interface RegistryForm {
  readonly folderVariable: string;
  /** The folder below the user's home where that variable is not set. */
  readonly folder: string;
  /** Variables that name a session, to look up records one by one; empty where all are read. */
  readonly sessionVariables: readonly string[];
}

export interface ServiceEnd {
  /** As a user would write it: the agent's name first. */
  readonly command: readonly [string, ...string[]];
  /** Whether the process itself ends, or the one of its session, which may be below it. */
  readonly ends: 'process' | 'session';
}

/** How an agent's daemons and background sessions are told, and ended in the agent's own way. */
export interface ServiceForm {
  /** True for the command line of one that runs without a terminal on purpose. */
  readonly is: (argv: readonly string[]) => boolean;
  /** The command that ends it; null where there is none. `session`: the id of its session. */
  readonly end: (argv: readonly string[], session: string | null) => ServiceEnd | null;
  /** Variables by which the command finds this very service; they are its own. */
  readonly environment: readonly string[];
}

/**
 * How one agent is called and recognised, and where its records lie. How it is answered is in
 * `answers.ts`. A part that it doesn't have says so.
 */
export interface AgentDossier {
  readonly signature: AgentSignature;
  readonly names: AgentNames;
  readonly registry: RegistryForm | 'none';
  /** The file beside a command's output whose exit code the agent reads; without one: running. */
  readonly exitCode: { readonly file: string } | 'none';
  /** What it leaves in files: which `curfew sweep` may delete, and of which it tells the size. */
  readonly leftFiles: readonly LeftForm[] | 'none';
  readonly service: ServiceForm | 'none';
  /** How the servers that it keeps beside a session are told. `none`: it starts none. */
  readonly servers: ServerForm | 'none';
}

/** What a dossier says of an agent that keeps no records, leaves no files and has no service. */
export const noRecords = { registry: 'none', exitCode: 'none', leftFiles: 'none', service: 'none' } as const;
