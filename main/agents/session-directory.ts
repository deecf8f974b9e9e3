import { join } from 'node:path';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { isCodexUpdater } from '../../app/agents/codex/signature.ts';
import type { AgentSession, SessionDirectory } from '../../app/jobs/model/session.ts';
import type { OpenFile } from '../../app/process/facts.ts';
import type { IdentityKey, Pid } from '../../app/process/identity.ts';
import { identityKey } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { identityOf } from '../../app/process/table.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { agentProcesses, type AgentProcess } from './common/agent-processes.ts';
import { adoptionsByOpenFiles, ClaudeAdoptions } from './claude-code/adoptions.ts';
import { ClaudeRegistry } from './claude-code/registry.ts';
import { CodexRecords } from './codex/records.ts';
import { ClaudeTranscripts } from './claude-code/transcripts.ts';
import { codexSessions } from './codex/rollouts.ts';
import { CopilotSessions } from './copilot/sessions.ts';
import type { FilingAgent, NamedByProcesses } from './common/named-by-processes.ts';
import { NamingReader } from './common/named-by-processes.ts';
import { ownPidDomain } from './common/pid-domain.ts';
import type { AgentFiles } from './common/small-file.ts';
import { filesHere } from './common/small-file.ts';

/** What sessions are read with. */
export interface SessionReaderInput {
  readonly source: Pick<ProcessSource, 'environment' | 'facts' | 'pidNamespace' | 'namedInside' | 'probing'>;
  /** The user's home folder, in which agents keep their files unless they are told otherwise. */
  readonly home: string;
  /** The user whose files are believed. */
  readonly uid: number;
  readonly platform?: NodeJS.Platform;
  /** Another machine's, with the pid domain and the wall clock (milliseconds, null: not told) of that machine; this machine's own if left out. */
  readonly elsewhere?: {
    readonly files: AgentFiles;
    readonly domain: string | null;
    readonly nowMs: () => number | null;
  };
}

/** A folder that an agent's environment names is only looked at when it could be one. */
const mostFolders = 64;
const maxSandboxes = 512;

/** Agents that say which process is which session: a process of theirs without an entry may be a session nobody knows the id of. */
const withRegistry: ReadonlySet<AgentId> = new Set(['claude-code', 'codex', 'copilot']);

/** Open files of agents are read again after so many looks. */
const looksBetweenOpenFiles = 4;

interface Holder extends AgentProcess {
  /** null: could not be read. */
  readonly files: readonly OpenFile[] | null;
}

/** Parts of an agent that start sessions or serve them, but are none: Claude Code's daemon and its MCP server, and what updates Codex. */
const servesSessions = ({ argv }: ProcessRow): boolean =>
  argv[1] === 'daemon' || argv[1] === 'mcp' || isCodexUpdater(argv);

/**
 * Agents that no registry names: older versions, and agents without a registry. Of an agent that consists of several processes
 * (a launcher with the program below it) only the one nearest to the top is listed, and none where a part of it is named already.
 */
const unregistered = (
  table: ProcessTable,
  agents: readonly AgentProcess[],
  registered: readonly AgentSession[],
): readonly AgentSession[] => {
  const named = new Set(registered.filter((one) => one.state === 'live').map((one) => one.pid));
  const agentOf = new Map(agents.map(({ agent, row }) => [row.pid, agent]));
  for (const { agent, row } of agents) if (named.has(row.pid) && agentOf.get(row.ppid) === agent) named.add(row.ppid);
  return agents
    .filter(({ agent, row }) => !named.has(row.pid) && agentOf.get(row.ppid) !== agent && !servesSessions(row))
    .map(({ agent, row }) => ({
      agent,
      id: null,
      process: identityOf(table, row),
      pid: row.pid,
      // Its process lives, but which session it is (and so, which jobs are its) is not known where others are named.
      state: withRegistry.has(agent) ? 'unknown' : 'live',
      project: null,
      source: `process ${row.pid}`,
    }));
};

/**
 * Reads what is known of agents' sessions: registries, leases, and what living agents hold open. One per supervisor, because it
 * remembers what it has parsed: an unchanged file costs one status call. All calls are synchronous; nothing on disk can make it throw.
 */
export class SessionReader {
  readonly #input: SessionReaderInput;
  readonly #files: AgentFiles;
  readonly #registry: ClaudeRegistry;
  readonly #adoptions: ClaudeAdoptions;
  readonly #copilot = new Map<string, CopilotSessions>();
  #held = new Map<IdentityKey, readonly OpenFile[] | null>();
  #looks = 0;
  readonly #folders = new Map<string, Set<string>>();
  readonly #naming: NamingReader;
  readonly #codex: CodexRecords;
  readonly #transcripts: ClaudeTranscripts;

  constructor(input: SessionReaderInput) {
    this.#input = input;
    const { files, domain } = input.elsewhere ?? {
      files: filesHere,
      domain: ownPidDomain(input.platform ?? process.platform, input.source.pidNamespace),
    };
    this.#files = files;
    this.#registry = new ClaudeRegistry(input.uid, domain, files);
    this.#adoptions = new ClaudeAdoptions(input.uid, files);
    this.#codex = new CodexRecords(files);
    this.#transcripts = new ClaudeTranscripts(files);
    this.#naming = new NamingReader((row) => input.source.environment(row));
  }

  /**
   * The sessions at this look. `completeFor` has an agent only when its registry exists and all of it could be read and understood;
   * what can't be read is unknown, never gone.
   */
  read(table: ProcessTable): SessionDirectory {
    const { elsewhere } = this.#input;
    const nowMs = elsewhere === undefined ? table.takenAtMs : elsewhere.nowMs();
    const agents = agentProcesses(table);
    const holders = this.#holders(table, agents);
    const named = this.#naming.read(table);
    const namedInside = (pid: Pid): Pid | null => this.#input.source.namedInside?.(pid) ?? null;
    const claudeFolders = this.#foldersOf(named, 'claude-code', '.claude');
    const claude = this.#registry.read(claudeFolders, table, namedInside);
    const copilotFolders = this.#foldersOf(named, 'copilot', '.copilot');
    const copilot = copilotFolders.map((folder) =>
      this.#copilotIn(folder).read(folder, table, named.sessionsOf('copilot'), namedInside),
    );
    const readable = holders.flatMap((one) => (one.files === null ? [] : [{ ...one, files: one.files }]));
    const of = (agent: AgentId): readonly { row: ProcessRow; files: readonly OpenFile[] }[] =>
      readable.filter((one) => one.agent === agent);

    const codex = codexSessions(table, of('codex'));
    const registered = [
      ...claude.sessions,
      ...copilot.flatMap((reading) => reading.sessions),
      ...codex,
      ...this.#codex.read(
        this.#foldersOf(named, 'codex', '.codex'),
        named.sessionsOf('codex').filter((id) => !codex.some((one) => one.id === id)),
        table,
        this.#input.source.probing,
      ),
    ];
    const completeFor = new Set<AgentId>();
    const opaque = holders.some((one) => one.agent === 'claude-code' && one.files === null);
    if (claude.complete && !opaque) completeFor.add('claude-code');
    if (copilot.some((reading) => reading.complete)) completeFor.add('copilot');
    const adoptions = [
      ...adoptionsByOpenFiles(table, of('claude-code')),
      ...this.#adoptions.byRoster(claudeFolders, table),
    ];
    const handedOver = this.#adoptions.handedOver(claudeFolders, nowMs);
    return {
      sessions: [...registered, ...unregistered(table, agents, registered)],
      completeFor,
      hasTranscript: (agent, session) => agent === 'claude-code' && this.#transcripts.has(claudeFolders, session),
      opaqueFor: new Set(holders.filter((one) => one.files === null).map((one) => one.agent)),
      unclear: [...claude.unclear, ...copilot.flatMap((reading) => reading.unclear), ...this.#adoptions.unclear],
      adoptions,
      keptByAgent: [...copilot.flatMap((reading) => reading.kept), ...handedOver],
    };
  }

  #copilotIn(folder: string): CopilotSessions {
    let sessions = this.#copilot.get(folder);
    if (sessions === undefined) {
      sessions = new CopilotSessions(this.#input.uid, this.#files);
      this.#copilot.set(folder, sessions);
    }
    return sessions;
  }

  /**
   * Open files are asked for only of agents whose sessions show in them, in one call, because it is the dear part: of a process
   * that is new, of all again every few looks, and of all when one of them has ended: its session may have been taken over. (The grace
   * of an orphan does not wait for that: it counts from the start of the job.)
   */
  #holders(table: ProcessTable, agents: readonly AgentProcess[]): readonly Holder[] {
    const asked = agents.filter(({ agent }) => agent === 'claude-code' || agent === 'codex');
    const keyed = asked.map((one) => ({ ...one, key: identityKey(identityOf(table, one.row)) }));
    const living = new Set(keyed.map(({ key }) => key));
    const oneEnded = [...this.#held.keys()].some((key) => !living.has(key));
    const known =
      oneEnded || this.#looks % looksBetweenOpenFiles === 0
        ? new Map<IdentityKey, readonly OpenFile[] | null>()
        : this.#held;
    this.#looks += 1;
    const fresh = keyed.filter((one) => !known.has(one.key)).map(({ row }) => row);
    const facts = fresh.length === 0 ? null : this.#input.source.facts(fresh);
    const holders = keyed.map(({ key, ...one }) => {
      const files = known.get(key);
      return { key, ...one, files: files === undefined ? (facts?.get(one.row.pid)?.openFiles ?? null) : files };
    });
    this.#held = new Map(holders.map(({ key, files }) => [key, files]));
    return holders;
  }

  /**
   * The agent's usual folder, that in each Flatpak's own home, and every other that a process was told to use: one of the agent's, or a command of
   * it that inherited that. Also after that process has ended.
   */
  #foldersOf(named: NamedByProcesses, agent: FilingAgent, usual: string): readonly string[] {
    const { home } = this.#input;
    const folders = this.#folders.get(agent) ?? new Set([join(home, usual)]);
    this.#folders.set(agent, folders);
    for (const one of named.folders) if (one.agent === agent && folders.size < mostFolders) folders.add(one.folder);
    const sandboxes = this.#files.names(join(home, '.var/app'), maxSandboxes);
    if (sandboxes.state !== 'read') return [...folders];
    return [...folders, ...sandboxes.value.map((name) => join(home, '.var/app', name, usual))];
  }
}
