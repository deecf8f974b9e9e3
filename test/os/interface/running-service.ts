import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inEnglish } from '../../../app/text/say.ts';
import { z } from 'zod';
import type { Answer, Failure } from '../../../app/contract/answer.ts';
import { answerSchema } from '../../unit/contract/answer-schema.ts';
import {
  questions,
  type QuestionInput,
  type QuestionName,
  type QuestionOutput,
} from '../../../app/contract/contract.ts';
import { applyDifference } from '../../../app/contract/difference/difference.ts';
import { differenceSchema } from '../../../app/contract/difference/difference-schema.ts';
import { incidentViewSchema } from '../../../app/contract/views/incident-view.ts';
import {
  snapshotJobSchema,
  snapshotSchema,
  type Snapshot,
  type SnapshotJob,
} from '../../../app/contract/views/snapshot.ts';
import { curfewEnvironment } from '../scene/curfew.ts';
import type { Identity } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';
import { StageError } from '../scene/stage-error.ts';

const program = join(import.meta.dirname, 'programs/service.ts');

const toldSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('snapshot'), snapshot: snapshotSchema }),
  z.object({ kind: z.literal('difference'), difference: differenceSchema }),
  z.object({ kind: z.literal('noticed'), job: snapshotJobSchema }),
  z.object({ kind: z.literal('ended'), incident: incidentViewSchema }),
  z.object({ kind: z.literal('lost'), problem: z.looseObject({ key: z.string() }) }),
  z.object({ kind: z.literal('answer'), id: z.number(), answer: z.unknown() }),
]);

/** Events of the service besides its snapshot. */
export type Told = Exclude<z.infer<typeof toldSchema>, { kind: 'snapshot' | 'difference' | 'answer' }>;

/** Connects to a socket. Its file appears a moment before its listener. */
export const connected = async (stage: Scene, path: string): Promise<Socket> => {
  const attempts: Socket[] = [];
  const open = await stage.until(`a listener on ${path}`, () => {
    const last = attempts.at(-1);
    if (last?.readyState === 'open') return last;
    if (last === undefined || last.destroyed) attempts.push(createConnection(path).on('error', () => undefined));
    return null;
  });
  return open;
};

/** Stands for a window: one connection that keeps the snapshot by differences alone. */
export class Window {
  readonly told: Told[] = [];
  /** Every state so far, in order. */
  readonly states: Snapshot[] = [];
  readonly #stage: Scene;
  readonly #connection: Socket;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #asked = 0;

  private constructor(stage: Scene, connection: Socket) {
    this.#stage = stage;
    this.#connection = connection;
    createInterface({ input: connection }).on('line', (line) => {
      const told = toldSchema.parse(JSON.parse(line));
      if (told.kind === 'answer') this.#waiting.get(told.id)?.(told.answer);
      else if (told.kind === 'snapshot') this.states.push(told.snapshot);
      else if (told.kind === 'difference') {
        const next = applyDifference(this.snapshot, told.difference);
        if (next === null)
          throw new Error(`a difference to ${told.difference.to} doesn't follow ${this.snapshot.revision}`);
        this.states.push(next);
      } else this.told.push(told);
    });
  }

  /** Connects to a service that listens at this path of the scene. */
  static async open(stage: Scene, socket: string): Promise<Window> {
    const window = new Window(stage, await connected(stage, stage.outside(socket)));
    await stage.until('a snapshot', () => window.states.length > 0);
    return window;
  }

  get snapshot(): Snapshot {
    const latest = this.states.at(-1);
    if (latest === undefined) throw new Error('no snapshot came');
    return latest;
  }

  /** Asks a question; the answer is checked against the contract. */
  async ask<Name extends QuestionName>(name: Name, input: QuestionInput<Name>): Promise<Answer<QuestionOutput<Name>>> {
    const id = (this.#asked += 1);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, resolve);
    this.#connection.write(`${JSON.stringify({ id, name, input })}\n`);
    const answer = answerSchema(questions[name].output).parse(await promise);
    return answer as Answer<QuestionOutput<Name>>;
  }

  /** Asks for something that must succeed. */
  async get<Name extends QuestionName>(name: Name, input: QuestionInput<Name>): Promise<QuestionOutput<Name>> {
    const answer = await this.ask(name, input);
    if (!answer.ok) throw new Error(`${name}: ${answer.failure.code}: ${inEnglish(answer.failure.message)}`);
    return answer.value;
  }

  /** Asks for something that must be refused. */
  async refusal<Name extends QuestionName>(name: Name, input: QuestionInput<Name>): Promise<Failure> {
    const answer = await this.ask(name, input);
    if (answer.ok) throw new Error(`${name} was not refused`);
    return answer.failure;
  }

  /** Waits until the snapshot satisfies a condition. */
  async until<T>(what: string, check: (snapshot: Snapshot) => T | null | undefined | false): Promise<T> {
    try {
      return await this.#stage.until(what, () => check(this.snapshot));
    } catch (cause) {
      if (!(cause instanceof StageError)) throw cause;
      throw new StageError(`waited in vain: ${what}, with ${JSON.stringify(this.snapshot, null, 1)}`, { cause });
    }
  }

  /** Waits for the job with this process. */
  job(pid: number, is: (job: SnapshotJob) => boolean = () => true): Promise<SnapshotJob> {
    return this.until(`the job of process ${pid}`, ({ jobs }) =>
      jobs.find((job) => job.members.some((member) => member.pid === pid) && is(job)),
    );
  }

  close(): void {
    this.#connection.destroy();
  }
}

/** A service that runs in a scene. */
export interface RunningService {
  readonly identity: Identity;
  readonly open: () => Promise<Window>;
  readonly stderr: () => string;
  readonly signal: (name: string) => Promise<void>;
  /** Waits for its end; returns its exit status. */
  readonly ended: () => Promise<number>;
  /** Ends it as Quit does. */
  readonly stop: () => Promise<void>;
}

let services = 0;

/**
 * Starts a service in the scene without waiting for it.
 * @param by words before its program, and variables beside those of the scene
 */
export const launchService = async (
  stage: Scene,
  by: { readonly argv?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<RunningService> => {
  const number = (services += 1);
  const socket = `/tmp/scene/service-${number}.sock`;
  const err = stage.write(`/tmp/scene/service-${number}.err`, '', 0o666);
  const pid = await stage.top.start({
    file: process.execPath,
    argv: [process.execPath, ...(by.argv ?? []), program, socket],
    env: { ...curfewEnvironment(stage), ...by.env },
    cwd: stage.home,
    setsid: true,
    fds: { 1: '/dev/null', 2: err },
  });
  const identity = { pid, start: stage.row(pid)?.start ?? '' };
  const service: RunningService = {
    identity,
    open: async () => {
      await stage.until(`the service listens\n${stage.read(err)}`, () => stage.has(socket));
      return Window.open(stage, socket);
    },
    stderr: () => stage.read(err),
    signal: (name) => stage.first.signal(pid, name),
    ended: async () => (await stage.top.ended(pid)).code,
    stop: async () => {
      await service.signal('TERM');
      await service.ended();
    },
  };
  return service;
};

/** Writes settings as the file has them, before a service starts. */
export const writeSettings = (stage: Scene, settings: Readonly<Record<string, unknown>>): void => {
  stage.write('/tmp/curfew-home/settings.json', JSON.stringify({ schemaVersion: 1, ...settings }));
};

/** Settings for fast scenes; without them nothing is ended automatically. */
export const quick = { mode: 'observe', scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 2 } as const;
