import { join } from 'node:path';
import { agentIds, type AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { isUpdater } from '../../app/agents/signatures.ts';
import type { AgentSession, SessionDirectory } from '../../app/model/session.ts';
import type { MemberFacts, OpenFile } from '../../app/process/facts.ts';
import { type IdentityKey, identityKey } from '../../app/process/identity.ts';
import { type ProcessTable, identityOf } from '../../app/process/table.ts';
import { furtherFolders, type SeenList } from '../store/seen-list.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { agentProcesses, type AgentProcess, type NamedByProcesses, NamingReader } from './common/named-by-processes.ts';
import { BoundedFiles } from './common/bounded-files.ts';
import { type AgentFiles, filesHere } from '../os/files/small-file.ts';
import type { RegistryLook, RegistryMachine, RegistryReading, SessionRegistry } from './common/session-registry.ts';
import { agentParts } from './dossiers.ts';
import { system } from '../os/this-system.ts';

/**
 * Sessions as registries tell, completed by what hooks told. A registry's own entry of a session
 * counts, beside a further process that hooks saw with it; a process that no registry names gets
 * the session that its hooks named.
 */
export const mergeSessions = (
  registered: readonly AgentSession[],
  hooked: readonly AgentSession[],
): readonly AgentSession[] => {
  const further = hooked.filter(
    (one) =>
      !registered.some(
        (known) => known.agent === one.agent && known.id === one.id && (one.state === 'gone' || known.pid === one.pid),
      ),
  );
  const named = new Set(further.flatMap((one) => (one.pid === null ? [] : [`${one.agent} ${one.pid}`])));
  const kept = registered.filter((one) => one.id !== null || !named.has(`${one.agent} ${one.pid}`));
  return [...kept, ...further];
};

export interface SessionReaderInput {
  readonly source: Pick<ProcessSource, 'environment' | 'facts' | 'pidNamespace' | 'namespaces' | 'probing'>;
  /** The user's home folder, in which agents keep their files unless they are told otherwise. */
  readonly home: string;
  readonly uid: number;
  readonly platform?: NodeJS.Platform;
  /** Folders of agents that earlier looks saw; takes new ones. Left out: none are remembered. */
  readonly seen?: Pick<SeenList, 'read' | 'add'>;
  /**
   * Another Linux machine's, with the machine id and the wall clock (milliseconds, null: not told)
   * of that machine; this machine's own if left out.
   */
  readonly elsewhere?: {
    readonly files: AgentFiles;
    readonly machineId: string;
    readonly nowMs: () => number | null;
  };
}

/** A folder that an agent's environment names is only looked at when it could be one. */
const maxFolders = 64;
const maxSandboxes = 512;

/** All open files of a process; null where some may not be told. */
const filesOf = (fact: MemberFacts | undefined): readonly OpenFile[] | null =>
  fact === undefined || fact.furtherFiles === true ? null : fact.openFiles;

/** Looks after which open files of agents are read again. */
const looksBetweenOpenFiles = 4;

interface Holder extends AgentProcess {
  /** null: could not be read. */
  readonly files: readonly OpenFile[] | null;
}

/** Parts that start or serve sessions, but are none: daemon, tools' server, updater. */
const servesSessions = ({ agent, row: { argv } }: AgentProcess): boolean =>
  argv[1] === 'daemon' || argv[1] === 'mcp' || isUpdater(agent, argv);

/**
 * Agents that no registry names: older versions, and agents without a registry. Of an agent that
 * consists of several processes (a launcher with the program below it) only the one nearest to the
 * top is listed, and none where a part of it is named already.
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
    .filter((one) => !named.has(one.row.pid) && agentOf.get(one.row.ppid) !== one.agent && !servesSessions(one))
    .map(({ agent, row }) => ({
      agent,
      id: null,
      process: identityOf(table, row),
      pid: row.pid,
      // Its process lives, but which session it is (and so, which jobs are its) is not known where
      // others are named.
      state: dossiers[agent].registry === 'none' ? 'live' : 'unknown',
      project: null,
      source: `process ${row.pid}`,
    }));
};

/**
 * Reads what is known of agents' sessions: registries, leases, and what living agents hold open.
 * One per supervisor, because it remembers what it has parsed: an unchanged file costs one status
 * call. All calls are synchronous; nothing on disk can make it throw.
 */
export class SessionReader {
  readonly #input: SessionReaderInput;
  readonly #files: AgentFiles;
  readonly #bounded: BoundedFiles;
  readonly #absent = new Set<string>();
  readonly #registries: ReadonlyMap<AgentId, SessionRegistry>;
  #held = new Map<IdentityKey, readonly OpenFile[] | null>();
  #looks = 0;
  readonly #folders = new Map<AgentId, Set<string>>();
  readonly #naming: NamingReader;

  constructor(input: SessionReaderInput) {
    const { elsewhere, source, uid } = input;
    this.#input = input;
    this.#files = elsewhere?.files ?? filesHere;
    this.#bounded = new BoundedFiles(this.#files, input.home);
    const machine: RegistryMachine = {
      uid,
      files: this.#bounded,
      platform: elsewhere === undefined ? (input.platform ?? system) : 'linux',
      machineId: elsewhere?.machineId ?? null,
      pidNamespace: source.pidNamespace,
    };
    this.#registries = new Map(
      agentIds.flatMap((agent) => {
        const { registry } = agentParts[agent];
        return registry === 'none' ? [] : [[agent, registry.open(machine)] as const];
      }),
    );
    this.#naming = new NamingReader((row) => source.environment(row));
  }

  /**
   * The sessions at this look. `completeFor` has an agent only when its registry exists and all of
   * it could be read and understood; what can't be read is unknown, never gone.
   */
  read(table: ProcessTable): SessionDirectory {
    const { elsewhere, source } = this.#input;
    this.#bounded.begin();
    const agents = agentProcesses(table);
    const holders = this.#holders(table, agents);
    const named = this.#naming.read(table);
    const common: Pick<RegistryLook, 'table' | 'nowMs' | 'namedInside' | 'probing'> = {
      table,
      nowMs: elsewhere === undefined ? table.takenAtMs : elsewhere.nowMs(),
      namedInside: (pid, begun) => source.namespaces?.namedInside(pid, begun) ?? null,
      probing: source.probing,
    };
    const foldersOf = new Map([...this.#registries.keys()].map((agent) => [agent, this.#foldersOf(named, agent)]));
    const readings = [...this.#registries].map(([agent, registry]): readonly [AgentId, RegistryReading] => {
      const own = holders.filter((one) => one.agent === agent);
      const look: RegistryLook = {
        ...common,
        folders: foldersOf.get(agent) ?? [],
        named: named.sessionsOf(agent),
        holders: own.flatMap(({ row, files }) => (files === null ? [] : [{ row, files }])),
        opaque: own.some(({ files }) => files === null),
      };
      return [agent, registry.read(look)];
    });
    const all = readings.map(([, reading]) => reading);
    const registered = all.flatMap(({ sessions }) => sessions);
    return {
      sessions: [...registered, ...unregistered(table, agents, registered)],
      completeFor: new Set(readings.flatMap(([agent, { complete }]) => (complete ? [agent] : []))),
      hasTranscript: (agent, session) => {
        const has = this.#registries.get(agent)?.hasTranscript ?? 'none';
        return has !== 'none' && has(foldersOf.get(agent) ?? [], session);
      },
      opaqueFor: new Set(holders.filter((one) => one.files === null).map((one) => one.agent)),
      unclear: all.flatMap(({ unclear }) => unclear),
      adoptions: all.flatMap(({ adoptions }) => adoptions),
      keptByAgent: all.flatMap(({ kept }) => kept),
    };
  }

  /**
   * Open files are asked for only of agents whose sessions show in them, in one call, because it is
   * the dear part: of a process that is new, of all again every few looks, and of all when one of
   * them has ended: its session may have been taken over. (The grace of an orphan does not wait for
   * that: it counts from the start of the job.)
   */
  #holders(table: ProcessTable, agents: readonly AgentProcess[]): readonly Holder[] {
    const asked = agents.filter(({ agent }) => {
      const { registry } = agentParts[agent];
      return registry !== 'none' && registry.showsInOpenFiles;
    });
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
      return { key, ...one, files: files === undefined ? filesOf(facts?.get(one.row.pid)) : files };
    });
    this.#held = new Map(holders.map(({ key, files }) => [key, files]));
    return holders;
  }

  /** What is not there takes no place from what is: any process names what it likes. */
  #isThere(folder: string): boolean {
    return this.#input.elsewhere !== undefined || this.#files.stamp(folder).state !== 'absent';
  }

  /** A folder that its agent has yet to make is remembered too, up to `maxFolders` of them. */
  #isRemembered(folder: string, folders: ReadonlySet<string>): boolean {
    if (folders.has(folder) || this.#isThere(folder)) return folders.has(folder);
    if (this.#absent.size < maxFolders) this.#absent.add(folder);
    return this.#absent.has(folder);
  }

  #seenBefore(agent: AgentId): readonly string[] {
    const all = this.#input.seen?.read() ?? [];
    return all
      .filter((one) => one.agent === agent && this.#isThere(one.seen))
      .map(({ seen }) => seen)
      .slice(0, maxFolders - 1);
  }

  /**
   * The agent's usual folder, that in each Flatpak's own home, and every other that a process was
   * told to use: one of the agent's, or a command of it that inherited that. Also after that
   * process has ended, and in later Curfews.
   */
  #foldersOf(named: NamedByProcesses, agent: AgentId): readonly string[] {
    const { home } = this.#input;
    const { registry } = dossiers[agent];
    if (registry === 'none') return [];
    const usual = registry.folder;
    const { seen } = this.#input;
    const folders = this.#folders.get(agent) ?? new Set([join(home, usual), ...this.#seenBefore(agent)]);
    this.#folders.set(agent, folders);
    const own = named.folders.filter((one) => one.agent === agent);
    for (const { folder } of own)
      if (folders.size < maxFolders && (folders.has(folder) || this.#isThere(folder))) folders.add(folder);
    const further = own.map(({ folder }) => folder).filter((folder) => folder !== join(home, usual));
    const kept = further.map((folder) => (this.#isRemembered(folder, folders) ? folder : furtherFolders));
    seen?.add([...new Set(kept)].map((folder) => ({ agent, seen: folder })));
    const sandboxes = this.#files.names(join(home, '.var/app'), maxSandboxes);
    if (sandboxes.state !== 'read') return [...folders];
    return [...folders, ...sandboxes.value.map((name) => join(home, '.var/app', name, usual))];
  }
}
