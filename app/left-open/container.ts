import { parseJson } from '../format/json.ts';
import { z } from 'zod';
import { once } from '../format/once.ts';
import { baseName } from '../paths/path.ts';

/** A running container, as its engine describes it. */
export interface ContainerFacts {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly createdMs: number;
  /** Its first process, on the machine; 0 for none. */
  readonly pid: number;
  readonly running: boolean;
}

const schema = once(() =>
  z.tuple([
    z.object({
      Id: z.string().regex(/^[0-9a-f]{64}$/u),
      Name: z.string(),
      Created: z.string(),
      ImageName: z.string().optional(),
      State: z.object({ Pid: z.int().nonnegative(), Running: z.boolean() }),
      Config: z.object({ Image: z.string().optional() }).optional(),
    }),
  ]),
);

/** Parses the output of `docker inspect` (podman too) for one container; null: not understood. */
export const containerIn = (text: string): ContainerFacts | null => {
  const parsed = schema().safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { Id, Name, Created, ImageName, State, Config } = parsed.data[0];
  const createdMs = Date.parse(Created);
  if (Number.isNaN(createdMs)) return null;
  return {
    id: Id,
    name: Name.replace(/^\//u, ''),
    image: ImageName ?? Config?.Image ?? '?',
    createdMs,
    pid: State.Pid,
    running: State.Running,
  };
};

/** The monitor of a container: podman's conmon, Docker's containerd-shim. */
export interface ContainerMonitor {
  readonly engine: 'podman' | 'docker';
  readonly container: string;
  /** Foreign text; null where its command line has none. */
  readonly name: string | null;
  /** The folder of the container in its engine's storage; null where it is not named. */
  readonly bundle: string | null;
  /** The engine's program with the options that find this container's storage. */
  readonly client: readonly [string, ...string[]];
}

const containerId = /^[0-9a-f]{64}$/u;
const optionOf = (argv: readonly string[], name: string): string | null => {
  const at = argv.indexOf(name);
  return at === -1 ? null : (argv[at + 1] ?? null);
};

/**
 * The engine's own command line, which conmon runs when the container exits (conmon 2.1, observed):
 * `--exit-command podman --exit-command-arg …`, ending in `container cleanup <id>`.
 */
const podmanClient = (argv: readonly string[], id: string): readonly [string, ...string[]] | null => {
  const program = optionOf(argv, '--exit-command');
  if (program === null || baseName(program) !== 'podman' || !program.startsWith('/')) return null;
  const args = argv.flatMap((word, at) => (argv[at - 1] === '--exit-command-arg' ? [word] : []));
  const end = args.lastIndexOf('container');
  if (end === -1 || args[end + 1] !== 'cleanup' || args.at(-1) !== id) return null;
  // It logs what the person did not ask for.
  return [program, ...args.slice(0, end).filter((word) => word !== '--syslog')];
};

/** What a process is as the monitor of a container; null for none. */
export const monitorIn = (argv: readonly string[]): ContainerMonitor | null => {
  const program = baseName(argv[0] ?? '');
  if (program === 'conmon') {
    const container = optionOf(argv, '-c') ?? '';
    const client = containerId.test(container) ? podmanClient(argv, container) : null;
    const [name, bundle] = [optionOf(argv, '-n'), optionOf(argv, '-b')];
    return client === null ? null : { engine: 'podman', container, name, bundle, client };
  }
  if (/^containerd-shim(?:-runc-v[12])?$/u.test(program) && optionOf(argv, '-namespace') === 'moby') {
    const container = optionOf(argv, '-id') ?? '';
    return containerId.test(container)
      ? { engine: 'docker', container, name: null, bundle: null, client: ['docker'] }
      : null;
  }
  return null;
};

const storedSchema = once(() => z.array(z.looseObject({ id: z.string(), metadata: z.string().optional() })));
const metadataSchema = once(() => z.looseObject({ 'image-name': z.string().min(1) }));

/**
 * Returns the image of a container by the list that its storage keeps (containers/storage, podman
 * 4.3, observed); null where that does not name it.
 */
export const imageIn = (text: string, container: string): string | null => {
  const stored = storedSchema().safeParse(parseJson(text));
  const metadata = stored.data?.find(({ id }) => id === container)?.metadata ?? '';
  return metadataSchema().safeParse(parseJson(metadata)).data?.['image-name'] ?? null;
};

/** A tool call of the past, from its agent's own transcript. */
export interface PastCall {
  readonly session: string;
  readonly project: string | null;
  readonly command: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** What the agent got to see of it, line by line. */
  readonly output: string;
}

const starts = /\b(?:podman|docker)(?:-compose)?\b[^;&|\n]*\s(?:run|create|start|up)\b/u;
/** Clocks of transcript and engine are the same; both round. */
const slackMs = 1_500;

/**
 * What a past call says of a container. `proved`: its command starts containers, the engine made
 * this one while the call ran, and the call's output names it as an engine does that made it: by
 * its id alone in a line (a list has more in it), or as compose does. `possible`: it only names it.
 * null: nothing.
 */
export const callSays = (
  { id, name, createdMs }: Pick<ContainerFacts, 'id' | 'name' | 'createdMs'>,
  { command, output, fromMs, toMs }: PastCall,
): 'proved' | 'possible' | null => {
  const words = output.split(/\s+/u);
  const byCompose = words.some((word, at) => word === name && words[at - 1] === 'Container');
  if (!output.includes(id) && !byCompose) return null;
  const isMade = byCompose || output.split('\n').some((line) => line.trim() === id);
  const inTime = createdMs >= fromMs - slackMs && createdMs <= toMs + slackMs;
  return isMade && inTime && starts.test(command) ? 'proved' : 'possible';
};
