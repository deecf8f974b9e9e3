import type { AgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { Adoption, AgentSession, KeptByAgent, UnclearEntry } from '../../../app/model/session.ts';
import type { OpenFile } from '../../../app/process/facts.ts';
import type { NamedInside } from '../../../app/process/named-inside.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import type { Probing } from '../../os/processes/probing.ts';
import type { AgentFiles } from '../../os/files/small-file.ts';

export interface RegistryMachine {
  readonly uid: number;
  readonly files: AgentFiles;
  readonly platform: NodeJS.Platform;
  /** The text of /etc/machine-id; null: that of this machine. */
  readonly machineId: string | null;
  /** The pid namespace in which our pids mean something; null: unknown. */
  readonly pidNamespace: string | null;
}

export interface RegistryLook {
  readonly table: ProcessTable;
  /** The agent's folders: the usual one, and every one that a process named. */
  readonly folders: readonly string[];
  /** Sessions that processes name in their environments. */
  readonly named: readonly AgentSessionId[];
  /** The agent's own living processes whose files were read; none if it isn't asked for them. */
  readonly holders: readonly { readonly row: ProcessRow; readonly files: readonly OpenFile[] }[];
  /** The open files of one more of its processes could not be read. */
  readonly opaque: boolean;
  /** By the clock of the machine that wrote the files, milliseconds; null: not known. */
  readonly nowMs: number | null;
  readonly namedInside: NamedInside;
  readonly probing: Probing | undefined;
}

export interface RegistryReading {
  readonly sessions: readonly AgentSession[];
  /** The registry exists and is all understood: only then is an unlisted session not there. */
  readonly complete: boolean;
  /** What is there and could not be read or understood. */
  readonly unclear: readonly UnclearEntry[];
  readonly adoptions: readonly Adoption[];
  readonly kept: readonly KeptByAgent[];
}

/** One agent's sessions, as its files tell. It keeps what it parsed; no file makes it throw. */
export interface SessionRegistry {
  readonly read: (look: RegistryLook) => RegistryReading;
  /** Whether a session's transcript is in these folders; `none`: transcripts prove nothing. */
  readonly hasTranscript: ((folders: readonly string[], session: string) => boolean) | 'none';
}

export interface RegistryReader {
  readonly open: (machine: RegistryMachine) => SessionRegistry;
  /** Sessions show in what the agent's processes hold open, so these are asked for it. */
  readonly showsInOpenFiles: boolean;
}
