import type { Said } from '../../app/format/said.ts';
import { isAbsolute, normalize } from 'node:path/posix';
import type { RegistryForm } from '../../app/agents/common/dossier.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { environmentNames } from '../../app/agents/signatures.ts';
import type { Terms } from '../../app/judge/context.ts';
import type { Job } from '../../app/model/job.ts';
import { type BootId, asPid } from '../../app/process/identity.ts';
import type { RemoteHead } from '../../app/remote/head.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { SessionReader } from '../agents/session-directory.ts';
import { evidenceFrom } from '../observing/evidence.ts';
import { nameEvidence } from '../observing/package-of.ts';
import type { Look } from '../observing/look.ts';
import type { LedgerMemory } from '../observing/observer-tools.ts';
import { Observer } from '../observing/observer.ts';
import { ProcessTableUnreadable } from '../os/processes/source.ts';
import type { Turns } from '../os/programs/turns.ts';
import { type Observation, fileSizeIn, observationIn } from '../os/recorded/observation.ts';
import { RemoteSource, remoteBootId } from '../os/recorded/source.ts';
import { RemoteAgentFiles } from './answers/agent-files.ts';
import { type OutputEnd, maxOutputBytes, outputEndIn } from './answers/output.ts';
import { type RemoteOrder, type RemoteResult, namesExpression, signalLines, signalResults } from './answers/signals.ts';
import type { SshConnection } from './connection.ts';
import { HostFailure } from './host-failure.ts';
import { lookScript, outputScript, signalScript } from './scripts/scripts.ts';

export interface HostSessionTools {
  readonly settings: () => Settings;
  readonly ledger: LedgerMemory;
  readonly terms?: Terms;
  readonly announces?: boolean;
  readonly allServers?: boolean;
}

export interface HostSession {
  head: RemoteHead;
  readonly source: RemoteSource;
  readonly observer: Observer;
  files: RemoteAgentFiles;
  outputBytes: ReadonlyMap<string, number>;
  /** Reads processes as the latest look judged them; null before the first. */
  judged: ReturnType<RemoteSource['reader']> | null;
}

/** Returns the boot's state of a machine that answered with this head, before its first look. */
const openHostSession = (head: RemoteHead, tools: HostSessionTools): HostSession => {
  const source = new RemoteSource(head, environmentNames);
  const { settings, ledger, terms, announces, allServers } = tools;
  const latest = (): HostSession => session;
  const sessions = new SessionReader({
    source,
    home: head.home,
    uid: head.uid,
    elsewhere: {
      nowMs: () => latest().head.time,
      machineId: head.id,
      files: {
        stamp: (path) => latest().files.stamp(path),
        text: (path) => latest().files.text(path),
        names: (path, most) => latest().files.names(path, most),
      },
    },
  });
  const observer = new Observer({
    source,
    evidence: {
      ...evidenceFrom(
        source,
        () => settings().rules,
        () => source.scan().rows,
      ),
      holdsAgent: nameEvidence,
    },
    readSessions: (table) => sessions.read(table),
    ledger,
    settings,
    now: Date.now,
    fileBytes: (path) => latest().outputBytes.get(path) ?? null,
    freeBytes: () => null,
    numberIn: () => null,
    ownPid: () => asPid(latest().head.self),
    ...(terms === undefined ? {} : { terms }),
    ...(announces === true ? { announces } : {}),
    ...(allServers === true ? { allServers } : {}),
  });
  const session: HostSession = {
    head,
    source,
    observer,
    files: new RemoteAgentFiles([], []),
    outputBytes: new Map(),
    judged: null,
  };
  return session;
};

/** The word of the question that asks for an agent's files, see `scripts/agent-files.sh`. */
export type FolderWord = 'claude' | 'copilot';

const registryOf = (agent: 'claude-code' | 'copilot'): RegistryForm => {
  const { registry } = dossiers[agent];
  if (registry === 'none') throw new Error(`The dossier of ${agent} names no registry.`);
  return registry;
};

/** The agents whose files are read on other machines, and where those lie. */
const askedFolders: Readonly<Record<FolderWord, RegistryForm>> = {
  claude: registryOf('claude-code'),
  copilot: registryOf('copilot'),
};

/** The same, one by one. */
const askedFolderWords = Object.keys(askedFolders) as readonly FolderWord[];

export interface RemoteHostTools extends HostSessionTools {
  readonly connection: SshConnection;
  /** The boot of this machine: one that has the same is this one. */
  readonly ownBoot: BootId;
  /** Looks at many machines wait here for their turn; signals never do. */
  readonly turns?: Turns;
}

/** Folders that an agent's environment names are only asked for when they could be some. */
const maxFolders = 16;
/** Outputs that are asked for their size. */
const maxOutputs = 256;

/** Processes that are asked how often they slept. */
const maxSleepers = 256;

/** Members of living sessions' jobs: whatever one does, it slept before. */
const sleepersIn = ({ jobs }: Look): readonly number[] =>
  [...jobs.values()]
    .filter(({ job }) => job.owner.state === 'live')
    .flatMap(({ job }) => job.members.map(({ row }) => row.pid))
    .slice(0, maxSleepers);

/** Unusual configuration folders and their agents; the same object as long as none is new. */
type Folders = ReadonlyMap<string, FolderWord>;

const names = namesExpression(environmentNames);

/** Whether a file can be asked for: its path comes from a process, and is to be one line. */
const isAskable = (path: string): boolean => isAbsolute(path) && !/[\n\0]/u.test(path) && path.length <= 1024;

const outputLine = (path: string): string => `output ${Buffer.from(path, 'utf8').toString('latin1')}`;

/** Another machine: looked at, judged by the same judge, signalled. One question at a time. */
export class RemoteHost {
  readonly host: string;
  readonly #tools: RemoteHostTools;
  #session: HostSession | null = null;
  #folders: Folders = new Map();
  #outputs: readonly string[] = [];
  /** Pids of which is asked how often they slept. */
  #sleepers: readonly number[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #waiting: Promise<Look> | null = null;

  constructor(tools: RemoteHostTools) {
    this.#tools = tools;
    this.host = tools.connection.host;
  }

  /** Where `curfew` is on that machine's path at the latest look; null for nowhere. */
  get installed(): string | null {
    const path = this.#session?.head.curfew ?? '';
    return path.startsWith('/') ? path : null;
  }

  /**
   * Starts a look after this call; concurrent callers share the queued one. Throws HostFailure;
   * then nothing may be concluded and nothing was remembered.
   */
  look(): Promise<Look> {
    this.#waiting ??= this.#inTurn(async () => {
      const { turns } = this.#tools;
      const look = (): Promise<Look> => {
        this.#waiting = null;
        return this.#look();
      };
      return turns === undefined ? look() : turns.run(look);
    });
    return this.#waiting;
  }

  forgetAnnouncements(): void {
    this.#session?.observer.forgetAnnouncements();
  }

  /**
   * Sends signals over there, each confirmed immediately before. Resolves with what became of them.
   * Of a process without a result nothing is known: `broken` says why the answer ended before.
   * @param abandoned the server that they are of, if no process may speak to it: that is asked
   * again over there
   */
  signal(
    orders: readonly RemoteOrder[],
    abandoned: Pick<Job, 'members'> | null = null,
  ): Promise<{ readonly results: readonly RemoteResult[]; readonly broken: HostFailure | null }> {
    const session = this.#session;
    if (session?.judged == null) throw new TypeError('a machine is signalled only after it was looked at');
    const { way, boot, namespace, uid } = session.head;
    const ends = abandoned === null ? null : session.source.abandonedEnds(abandoned);
    // Now, and not when it is our turn: what is confirmed over there is what the judge saw.
    const lines = signalLines({ way, id: boot, namespace, uid, names }, orders, session.judged, ends);
    return this.#inTurn(async () => {
      try {
        const sections = await this.#tools.connection.ask({ script: signalScript, lines });
        const { results, refused } = signalResults(sections, orders);
        const broken = refused === null ? null : new HostFailure(this.host, { code: 'senseless', detail: refused });
        return { results, broken };
      } catch (error) {
        if (!(error instanceof HostFailure)) throw error;
        const { partial } = error;
        return { results: partial === null ? [] : signalResults(partial, orders).results, broken: error };
      }
    });
  }

  /** The end of an output file there; null if none could be read. Throws HostFailure. */
  async output(path: string): Promise<OutputEnd | null> {
    if (!isAskable(path)) return null;
    const lines = [`max ${maxOutputBytes}`, outputLine(path)];
    return outputEndIn(await this.#tools.connection.ask({ script: outputScript, lines }));
  }

  /** The ports that processes over there listened on at the latest look. */
  portsInUse(): ReadonlySet<number> {
    return this.#session?.source.portsInUse() ?? new Set();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #look(): Promise<Look> {
    let { session, asked } = await this.#ask();
    // A folder that was not known of before is asked for at once: what is in it may say that a
    // session lives.
    if (this.#findFolders(session) !== asked) ({ session, asked } = await this.#ask());
    try {
      const look = session.observer.look();
      session.judged = session.source.reader();
      this.#outputs = [...new Set([...look.jobs.values()].flatMap(({ job }) => job.output ?? []))]
        .filter(isAskable)
        .slice(0, maxOutputs);
      this.#sleepers = sleepersIn(look);
      return look;
    } catch (error) {
      if (error instanceof ProcessTableUnreadable) throw this.#senseless(error.said);
      throw error;
    }
  }

  async #ask(): Promise<{ readonly session: HostSession; readonly asked: Folders }> {
    const folders = this.#folders;
    const outputs = this.#outputs;
    const lines = [
      `names ${names}`,
      ...[...folders].map(([path, agent]) => `${agent} ${path}`),
      ...outputs.map(outputLine),
      ...this.#sleepers.map((pid) => `threads ${pid}`),
    ];
    const observation = observationIn(await this.#tools.connection.ask({ script: lookScript, lines }));
    if (typeof observation === 'string') throw this.#senseless(observation);
    const session = this.#sessionFor(observation);
    const { head } = observation;
    session.head = head;
    session.files = new RemoteAgentFiles(observation.files, [
      ...askedFolderWords.map((word) => `${head.home}/${askedFolders[word].folder}`),
      ...folders.keys(),
    ]);
    session.outputBytes = new Map(
      outputs.flatMap((path, at) => {
        const bytes = fileSizeIn(observation.outputs[at] ?? '', head.uid);
        return bytes === null ? [] : [[path, bytes]];
      }),
    );
    try {
      session.source.take(observation, Date.now());
    } catch (error) {
      if (error instanceof ProcessTableUnreadable) throw this.#senseless(error.said);
      throw error;
    }
    return { session, asked: folders };
  }

  #senseless(detail: Said): HostFailure {
    return new HostFailure(this.host, { code: 'senseless', detail });
  }

  /** What is known of the boot that answered; nothing of an earlier one holds for it. */
  #sessionFor({ head }: Observation): HostSession {
    const boot = remoteBootId(head);
    if (boot === this.#tools.ownBoot) throw new HostFailure(this.host, { code: 'same-machine', detail: '' });
    const before = this.#session?.head;
    if (
      this.#session !== null &&
      before !== undefined &&
      remoteBootId(before) === boot &&
      before.uid === head.uid &&
      before.home === head.home
    )
      return this.#session;
    const session = openHostSession(head, this.#tools);
    this.#session = session;
    this.#folders = new Map();
    this.#outputs = [];
    this.#sleepers = [];
    return session;
  }

  /**
   * Folders of agents that a process was told to use, as far as they can be asked for; the same
   * object as before when none is new.
   */
  #findFolders(session: HostSession): Folders {
    const found = new Map(this.#folders);
    const note = (word: FolderWord, folder: string | undefined): void => {
      if (folder === undefined || found.size >= maxFolders || !/^\/[\u0021-\u007E]{1,1023}$/u.test(folder)) return;
      const path = normalize(folder).replace(/(?<=.)\/$/u, '');
      if (path !== `${session.head.home}/${askedFolders[word].folder}`) found.set(path, word);
    };
    for (const row of session.source.scan().rows.values()) {
      if (row.uid !== session.head.uid) continue;
      const environment = session.source.environment(row);
      for (const word of askedFolderWords) note(word, environment?.[askedFolders[word].folderVariable]);
    }
    if (found.size > this.#folders.size) this.#folders = found;
    return this.#folders;
  }
}
