import { isAbsolute, normalize } from 'node:path/posix';
import { environmentNames } from '../../app/agents/signatures.ts';
import type { BootId } from '../../app/process/identity.ts';
import type { Look } from '../observing/look.ts';
import { ProcessTableUnreadable } from '../os/processes/source.ts';
import { RemoteAgentFiles } from './answers/agent-files.ts';
import type { SshConnection } from './connection.ts';
import { type Eye, type EyeTools, openEye } from './host-session.ts';
import { HostFailure } from './host-failure.ts';
import { lookScript } from './scripts/scripts.ts';
import type { Observation } from './answers/observation.ts';
import { mostOutputBytes, type OutputEnd, outputEndIn } from './answers/output.ts';
import { outputScript } from './scripts/scripts.ts';
import { fileSizeIn, observationIn } from './answers/observation.ts';
import { signalScript } from './scripts/scripts.ts';
import { namesExpression, type RemoteOrder, type RemoteResult, signalLines, signalResults } from './answers/signals.ts';
import { remoteBootId } from './answers/source.ts';

/** What a machine is looked at with. */
export interface RemoteHostTools extends EyeTools {
  readonly connection: SshConnection;
  /** The boot of this machine: one that has the same is this one. */
  readonly ownBoot: BootId;
}

/** Folders that an agent's environment names are only asked for when they could be some. */
const mostFolders = 16;
/** So many outputs are asked for their size. */
const mostOutputs = 256;

/** So many processes are asked how often they slept. */
const mostSleepers = 256;

/** Members of living sessions' jobs that hold sockets: what comes over those is told by no figure of input and output. */
const sleepersIn = ({ jobs }: Look): readonly number[] =>
  [...jobs.values()]
    .filter(({ job }) => job.owner.state === 'live')
    .flatMap(({ job }) => job.members.flatMap(({ row }) => (job.facts.get(row.pid)?.sockets ? [row.pid] : [])))
    .slice(0, mostSleepers);

/** Configuration folders besides the usual ones, and whose they are. The same object as long as none is new. */
type Folders = ReadonlyMap<string, 'claude' | 'copilot'>;

const names = namesExpression(environmentNames);

/** Whether a file can be asked for: its path comes from a process, and is to be one line. */
const isAskable = (path: string): boolean => isAbsolute(path) && !/[\n\0]/u.test(path) && path.length <= 1024;

const outputLine = (path: string): string => `output ${Buffer.from(path, 'utf8').toString('latin1')}`;

/** One other machine: looks at it, judges it with the same judge, and sends signals over there. One question at a time. */
export class RemoteHost {
  readonly host: string;
  readonly #tools: RemoteHostTools;
  #eye: Eye | null = null;
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
    const path = this.#eye?.head.curfew ?? '';
    return path.startsWith('/') ? path : null;
  }

  /**
   * One look, begun after this call. Whoever asks while another waits for its turn gets the same. Throws HostFailure; then nothing may be concluded and nothing
   * was remembered.
   */
  look(): Promise<Look> {
    this.#waiting ??= this.#inTurn(async () => {
      this.#waiting = null;
      return this.#look();
    });
    return this.#waiting;
  }

  /** See `Observer`. */
  forgetAnnouncements(): void {
    this.#eye?.observer.forgetAnnouncements();
  }

  /**
   * Sends signals over there, each confirmed immediately before. Resolves with what became of them; of whom there is no result nothing is known: `broken` says why
   * the answer ended before.
   */
  signal(
    orders: readonly RemoteOrder[],
  ): Promise<{ readonly results: readonly RemoteResult[]; readonly broken: HostFailure | null }> {
    const eye = this.#eye;
    if (eye?.judged == null) throw new TypeError('a machine is signalled only after it was looked at');
    const { way, boot, namespace, uid } = eye.head;
    // Now, and not when it is our turn: what is confirmed over there is what the judge saw.
    const lines = signalLines({ way, id: boot, namespace, uid, names }, orders, eye.judged);
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

  /** The end of an output file over there; null when there is none that could be read. Throws HostFailure. */
  async output(path: string): Promise<OutputEnd | null> {
    if (!isAskable(path)) return null;
    const lines = [`most ${mostOutputBytes}`, outputLine(path)];
    return outputEndIn(await this.#tools.connection.ask({ script: outputScript, lines }));
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #look(): Promise<Look> {
    let { eye, asked } = await this.#ask();
    // A folder that was not known of before is asked for at once: what is in it may say that a session lives.
    if (this.#findFolders(eye) !== asked) ({ eye, asked } = await this.#ask());
    try {
      const look = eye.observer.look();
      eye.judged = eye.source.reader();
      this.#outputs = [...new Set([...look.jobs.values()].flatMap(({ job }) => job.output ?? []))]
        .filter(isAskable)
        .slice(0, mostOutputs);
      this.#sleepers = sleepersIn(look);
      return look;
    } catch (error) {
      if (error instanceof ProcessTableUnreadable) throw this.#senseless(error.message);
      throw error;
    }
  }

  async #ask(): Promise<{ readonly eye: Eye; readonly asked: Folders }> {
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
    const eye = this.#eyeFor(observation);
    const { head } = observation;
    eye.head = head;
    eye.files = new RemoteAgentFiles(observation.files, [
      `${head.home}/.claude`,
      `${head.home}/.copilot`,
      ...folders.keys(),
    ]);
    eye.outputBytes = new Map(
      outputs.flatMap((path, at) => {
        const bytes = fileSizeIn(observation.outputs[at] ?? '', head.uid);
        return bytes === null ? [] : [[path, bytes]];
      }),
    );
    try {
      eye.source.take(observation, Date.now());
    } catch (error) {
      if (error instanceof ProcessTableUnreadable) throw this.#senseless(error.message);
      throw error;
    }
    return { eye, asked: folders };
  }

  #senseless(detail: string): HostFailure {
    return new HostFailure(this.host, { code: 'senseless', detail });
  }

  /** What is known of the boot that answered; nothing of an earlier one holds for it. */
  #eyeFor({ head }: Observation): Eye {
    const boot = remoteBootId(head);
    if (boot === this.#tools.ownBoot) throw new HostFailure(this.host, { code: 'same-machine', detail: '' });
    const before = this.#eye?.head;
    if (
      this.#eye !== null &&
      before !== undefined &&
      remoteBootId(before) === boot &&
      before.uid === head.uid &&
      before.home === head.home
    )
      return this.#eye;
    const eye = openEye(head, this.#tools);
    this.#eye = eye;
    this.#folders = new Map();
    this.#outputs = [];
    this.#sleepers = [];
    return eye;
  }

  /** Folders of agents that a process was told to use, as far as they can be asked for; the same object as before when none is new. */
  #findFolders(eye: Eye): Folders {
    const found = new Map(this.#folders);
    const note = (agent: 'claude' | 'copilot', folder: string | undefined): void => {
      if (folder === undefined || found.size >= mostFolders || !/^\/[\u0021-\u007E]{1,1023}$/u.test(folder)) return;
      const path = normalize(folder).replace(/(?<=.)\/$/u, '');
      if (path !== `${eye.head.home}/.${agent}`) found.set(path, agent);
    };
    for (const row of eye.source.scan().rows.values()) {
      if (row.uid !== eye.head.uid) continue;
      const environment = eye.source.environment(row);
      note('claude', environment?.['CLAUDE_CONFIG_DIR']);
      note('copilot', environment?.['COPILOT_HOME']);
    }
    if (found.size > this.#folders.size) this.#folders = found;
    return this.#folders;
  }
}
