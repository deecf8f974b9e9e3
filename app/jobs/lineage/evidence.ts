import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { AgentSignature, OutputMatch } from '../../agents/common/signature.ts';
import type { ServerMark } from '../../agents/common/server-form.ts';
import type { ChannelRound } from '../../process/channels.ts';
import type { ControlGroups } from '../../process/facts.ts';
import type { Pid } from '../../process/identity.ts';
import type { NamedInside } from '../../process/named-inside.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Descent } from '../../model/proof.ts';
import type { ProcessRef } from '../ledger/ledger.ts';

export interface OutputOrigin {
  readonly agent: AgentId;
  readonly path: string;
  readonly match: OutputMatch;
}

/** What an agent notes of a background command beside its output. All foreign text. */
export interface AgentNote {
  /** The name that the user sees there; null where there is none. */
  readonly displayName: string | null;
  /** The command as the agent was asked for it; null where it isn't noted. */
  readonly script: string | null;
  /** Its first process; null where it isn't noted. */
  readonly pid: number | null;
}

export interface Surroundings {
  /** See `terminalMarksOf`; null: its environment can't be read. */
  readonly terminal: readonly string[] | null;
  /** Standard input, output or error is a terminal, open or closed. */
  readonly onTerminal: boolean;
  readonly unit: string | null;
  readonly image?: string;
  /** See `isDeaf`. Left out: another process may be able to ask it for something. */
  readonly deaf?: true;
  /** Ports and paths on which it listens. Left out: none that is known. */
  readonly listens?: readonly string[];
  /** See `MemberFacts`. */
  readonly readsPipe?: true;
}

/** What a tool shell noted of itself when it began, because its agent had it run Curfew's line. */
export interface ShellNote extends ProcessRef {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** A process that was seen below a living agent between two looks, without a terminal. */
export interface Glimpse extends ProcessRef {
  readonly agent: ProcessRef;
  /** The agent's own child, which led a kernel session: what is in that was started by the call. */
  readonly leadsCall: boolean;
  /** The agent's own child that it is or hangs below, if a shell; `leads`: a kernel session. */
  readonly shell?: ProcessRef & { readonly argv: readonly string[]; readonly leads: boolean };
  /** That child was seen to be another program than a shell with a command. */
  readonly ofProgram?: true;
}

/**
 * An agent that Curfew started in control groups of its own, which exist: the kernel confirms that
 * they are the very ones that were made for it.
 */
export interface AgentStart extends ProcessRef {
  readonly agent: AgentId;
  /** See `terminalMarksOf`; null: not known. */
  readonly terminal: readonly string[] | null;
  readonly unit: string | null;
  readonly groups: readonly StartedGroup[];
}

export interface StartedGroup {
  /** As `ControlGroups` names it. */
  readonly hierarchy: string;
  readonly path: string;
  /** `calls`: only tool calls of the agent, and what they start. */
  readonly holds: 'agent' | 'calls';
}

/**
 * What the assembling of jobs may ask about one process. Synchronous, and the same answer for the
 * same row object, so that a steady look costs nothing for processes that didn't change.
 */
export interface Evidence {
  /** From argv and allow-listed environment, harness markers too; empty for most processes. */
  readonly claims: (row: ProcessRow) => readonly Claim[];
  /**
   * The system hides its environment because the program is the system's own (macOS): no mark can
   * be seen, whatever started it. Left out where no system does that.
   */
  readonly hidesEnvironment?: (row: ProcessRow) => boolean;
  /** The agent whose own part this process is: main program, daemon, worker. */
  readonly program: (row: ProcessRow) => AgentId | null;
  /**
   * True for an agent that nothing but a link tells, which may lead there only since the process
   * began: whatever can write into the project can lead it there. Such a process is spared as an
   * agent, and witnesses nothing. Left out: links tell no agent.
   */
  readonly mayBeRelinked?: (row: ProcessRow) => boolean;
  /** An editor, terminal, login shell, shared daemon: what it starts is not the agent's. */
  readonly isUserProgram: (row: ProcessRow) => boolean;
  /** Multiplexers and terminals of its environment, see `hostsOf`. Empty for most processes. */
  readonly hosts: (row: ProcessRow) => readonly Pid[];
  /** Users start programs in it: editor, terminal, shell, browser; not a mere daemon. */
  readonly opensPrograms: (row: ProcessRow) => boolean;
  /** As costly as a member's facts: asked of new agents, and of what lost its own parent. */
  readonly surroundings: (row: ProcessRow) => Surroundings;
  /** What was seen below agents since the look before. Left out: nothing was looked at. */
  readonly glimpses?: () => readonly Glimpse[];
  /** What tool shells noted of themselves, the oldest first. Left out: none do. */
  readonly shellNotes?: () => readonly ShellNote[];
  /** A process's control groups; null: unreadable. Left out where the system has none. */
  readonly controlGroups?: (row: ProcessRow) => ControlGroups | null;
  /**
   * What Curfew started in groups of its own. Such a group counts only where it is among these.
   * Left out: no record is read.
   */
  readonly agentStarts?: () => readonly AgentStart[];
  /**
   * `apparent`: the system has no kernel sessions (Windows), and to share what stands for them says
   * little. Left out where they are the kernel's.
   */
  readonly sessions?: 'apparent';
  /**
   * The ports on which a process listens; none while that was not asked yet. Asked of what is no
   * agent's. Left out: nothing is known of ports.
   */
  readonly listens?: (row: ProcessRow) => readonly number[];
  /** Asked only for detached processes without a claim. */
  readonly output: (row: ProcessRow) => OutputOrigin | null;
  /**
   * True where the process holds this file open for writing as standard output or error, the file
   * at that path is the same by device and inode, it lies in a session's folder under a base where
   * this agent keeps them, and the process carries marks of that agent; or that file was there and
   * was removed, where its own marks name that session. Left out: no output file proves anything.
   */
  readonly holdsOutput?: (row: ProcessRow, output: OutputOrigin) => boolean;
  /**
   * What the kernel (a control group that is given to tool calls), a hook or an earlier look of
   * this boot saw of the descent of a process; null for nothing. Left out: nothing is asked.
   */
  readonly descentOf?: (row: ProcessRow) => Descent | null;
  /**
   * What names the user's own rule that describes a process, by the rules that hold at this moment.
   * Asked once for a table: rules come from a file, and with a look at it for each of 500 processes
   * an idle supervisor spent a third of its time there.
   */
  readonly rules: () => (row: ProcessRow) => string | null;
  /** What the agent notes beside this output file; null for nothing. Asked for jobs only. */
  readonly describe?: (agent: AgentId, output: string) => AgentNote | null;
  readonly namedInside?: NamedInside;
  /** True for the first process of a pid namespace below the table's. Left out: none known. */
  readonly isFirstInside?: (row: ProcessRow) => boolean;
  /**
   * When a process ran its program already, in ticks: the start of its oldest thread but the first.
   * Null: not told. Left out: no system tells.
   */
  readonly ranSince?: (row: ProcessRow) => number | null;
  /** True for an agent that adopts orphans, as this look or an earlier one of this boot saw. */
  readonly adopts?: (agent: ProcessRow) => boolean;
  /**
   * False where the package of the program that it runs was read and holds no such agent. Left out,
   * or null: can't be told. `slug`: what an agent without a dossier calls itself.
   */
  readonly holdsAgent?: (row: ProcessRow, agent: AgentId, slug: string | null) => boolean | null;
  /** Marks of agents' harnesses, the strongest first; empty for most processes. */
  readonly serverMarks?: (row: ProcessRow) => readonly { readonly agent: AgentId; readonly mark: ServerMark }[];
  /** Begins a round about private channels. Left out where unknown: then no server is found. */
  readonly channels?: () => ChannelRound;
  /** True when that agent holds the other ends of its standard input and output. */
  readonly isHeldBy?: (row: ProcessRow, agent: ProcessRow) => boolean;
  readonly signature: (
    agent: AgentId,
  ) =>
    | (Pick<AgentSignature, 'toolShells' | 'plainCalls'> &
        Partial<Pick<AgentSignature, 'marksCallsAlone' | 'callGroup' | 'callFlags' | 'callScript'>>)
    | null;
}
