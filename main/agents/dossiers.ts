import type { AgentId } from '../../app/agents/common/agent-id.ts';
import type { ConfiguredServer } from '../../app/agents/common/configured-server.ts';
import type { TaskReport } from '../../app/history/departure.ts';
import type { AgentNote } from '../../app/jobs/lineage/evidence.ts';
import type { Job } from '../../app/model/job.ts';
import type { PastCall } from '../../app/left-open/container.ts';
import type { TurnState } from '../../app/model/reach.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { AgentSession } from '../../app/model/session.ts';
import {
  claudeKeptDays,
  claudeCodeMemoryLimit,
  claudeCodeInstaller,
  claudeCodeMcp,
  claudeCodeStatusLine,
} from './claude-code/agent.ts';
import { claudeCodePastCalls } from './claude-code/past-calls.ts';
import { claudeCodeSessions } from './claude-code/sessions.ts';
import { claudeTeammateTurn } from './claude-code/teammates.ts';
import { claudeCodeTaskReport } from './claude-code/task-report.ts';
import { claudeCodeTranscript } from './claude-code/transcripts.ts';
import { claudeCodeWakes } from './claude-code/wake-ups.ts';
import { clineInstaller } from './cline/installation.ts';
import { codexConfiguredServers, codexInstaller, codexMcp, codexSessions } from './codex/agent.ts';
import { codexTranscript } from './codex/records.ts';
import { codexTurn } from './codex/turns.ts';
import type { PastCallsAsked } from './common/past-calls.ts';
import type { RegistryReader } from './common/session-registry.ts';
import { copilotInstaller, copilotMcp, copilotSessions } from './copilot/agent.ts';
import { cursorInstaller, cursorMcp } from './cursor/agent.ts';
import type { Entry, McpForm, MemoryLimit } from './entries/form/entry.ts';
import { geminiInstaller, geminiMcp } from './gemini/agent.ts';
import type { AgentHookInstaller, AgentPlaces } from './hooks/form/agent-hooks.ts';
import { kimiInstaller } from './kimi/installation.ts';
import { muxTaskNotes } from './mux/task-notes.ts';
import { opencodeInstaller, opencodeMcp } from './opencode/agent.ts';
import { qwenInstaller } from './qwen/installation.ts';

/**
 * What Curfew does with one agent on a machine; what is known of it stands in `app/agents`. A part
 * that it doesn't have says so.
 */
export interface AgentParts {
  readonly hooks: AgentHookInstaller | 'none';
  readonly mcp: McpForm | 'none';
  /** The setting by which it gives its tool calls a control group with a limit of memory. */
  readonly memoryLimit: MemoryLimit | 'none';
  readonly statusLine: ((places: AgentPlaces, script: string) => Entry) | 'none';
  readonly registry: RegistryReader | 'none';
  /**
   * Opens what it notes of its tasks beside their output, for one user's files. The reader takes
   * the path of an output file and gives null where nothing is noted.
   */
  readonly taskNotes: ((uid: number) => (output: string) => AgentNote | null) | 'none';
  /** Reads what it says of its job's end, below a home, in one user's files; null: nothing. */
  readonly taskReport: ((job: Job, home: string, uid: number) => TaskReport | null) | 'none';
  /**
   * Opens a reader of the servers that its settings name, below a home folder and in files of one
   * user: for an agent that clears the environment of its servers.
   */
  readonly configuredServers: ((home: string, uid: number) => () => readonly ConfiguredServer[]) | 'none';
  /** The path of a living session's transcript; null where it is not known. */
  readonly transcript: ((session: AgentSession) => string | null) | 'none';
  /** Whether a living session may wake by itself, by files of one user; null: not known. */
  readonly wakes: ((session: AgentSession, uid: number) => boolean | null) | 'none';
  /** Whether its last turn has ended, by its transcript; null: not known. */
  readonly turn: ((session: AgentSession, uid: number) => TurnState | null) | 'none';
  /** The same of a teammate below a home, by what its team notes of it. */
  readonly turnInTeam: ((row: ProcessRow, home: string, uid: number) => TurnState | null) | 'none';
  /**
   * Days after its last change for which it keeps a transcript in one of its folders, by all its
   * settings, also those of these projects; infinity where they don't tell.
   */
  readonly keptDays: ((folder: string, projects: readonly string[]) => number) | 'none';
  /** Reads past tool calls whose output names an id, around a moment, in one user's files. */
  readonly pastCalls: ((asked: PastCallsAsked) => readonly PastCall[]) | 'none';
}

const nothing: AgentParts = {
  hooks: 'none',
  mcp: 'none',
  memoryLimit: 'none',
  statusLine: 'none',
  registry: 'none',
  taskNotes: 'none',
  taskReport: 'none',
  configuredServers: 'none',
  transcript: 'none',
  wakes: 'none',
  turn: 'none',
  turnInTeam: 'none',
  keptDays: 'none',
  pastCalls: 'none',
};

/** The parts of every agent. The order is that in which `curfew hooks` lists them. */
export const agentParts: Readonly<Record<AgentId, AgentParts>> = {
  'claude-code': {
    ...nothing,
    hooks: claudeCodeInstaller,
    mcp: claudeCodeMcp,
    memoryLimit: claudeCodeMemoryLimit,
    statusLine: claudeCodeStatusLine,
    registry: claudeCodeSessions,
    taskReport: claudeCodeTaskReport,
    transcript: claudeCodeTranscript,
    wakes: claudeCodeWakes,
    turnInTeam: claudeTeammateTurn,
    keptDays: claudeKeptDays,
    pastCalls: claudeCodePastCalls,
  },
  copilot: { ...nothing, hooks: copilotInstaller, mcp: copilotMcp, registry: copilotSessions },
  codex: {
    ...nothing,
    hooks: codexInstaller,
    mcp: codexMcp,
    registry: codexSessions,
    configuredServers: codexConfiguredServers,
    transcript: codexTranscript,
    turn: codexTurn,
  },
  gemini: { ...nothing, hooks: geminiInstaller, mcp: geminiMcp },
  cursor: { ...nothing, hooks: cursorInstaller, mcp: cursorMcp },
  opencode: { ...nothing, hooks: opencodeInstaller, mcp: opencodeMcp },
  mux: { ...nothing, taskNotes: muxTaskNotes },
  aider: nothing,
  pi: nothing,
  qwen: { ...nothing, hooks: qwenInstaller },
  cline: { ...nothing, hooks: clineInstaller },
  continue: nothing,
  crush: nothing,
  openclaw: nothing,
  hermes: nothing,
  kimi: { ...nothing, hooks: kimiInstaller },
  'curfew-run': nothing,
  other: nothing,
};

export const hookInstallers: readonly AgentHookInstaller[] = Object.values(agentParts).flatMap(({ hooks }) =>
  hooks === 'none' ? [] : [hooks],
);
