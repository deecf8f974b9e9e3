import type { Scene } from '../scene/scene.ts';
import { StageError } from '../scene/stage-error.ts';
import { background, startClaude, tool } from './claude-with-mcp.ts';
import type { Step } from './model/step.ts';

/** How a model waits for a job of its own. */
export const ways = ['wait_for_my_job', 'sleep and look'] as const;
export type Way = (typeof ways)[number];

/** What waiting cost. */
export interface Waited {
  /** Requests to the model that only waited. */
  readonly requests: number;
  /** All requests of the session. */
  readonly all: number;
  /** Bytes of these. */
  readonly bytes: number;
  /** What the model was answered, as text. */
  readonly said: string;
}

const file = String.raw`{{written to: (\S+\.output)}}`;

/** The step in which it waits, given again until the job has ended. */
const waiting: Readonly<Record<Way, (pollSeconds: number) => Step>> = {
  wait_for_my_job: () => ({
    tool: tool('wait_for_my_job'),
    input: { job: String.raw`{{"job":"([0-9a-f]{8})"}}` },
    until: '"ended":true|"is_error":true|moved to the background',
  }),
  'sleep and look': (seconds) => ({
    tool: 'Bash',
    input: { command: `sleep ${seconds}; cat ${file}`, description: 'looks' },
    until: 'finished',
  }),
};

interface Waiting {
  /** The command of its job. */
  readonly job: string;
  readonly pollSeconds?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The test gives up after so many seconds. */
  readonly patience: number;
}

const askedBy = (stage: Scene, name: string): readonly (readonly number[])[] => {
  const path = `/tmp/model/${name}.asked`;
  const lines = stage.has(path) ? stage.read(path).trim().split('\n') : [];
  return lines.map((line) => line.split(' ').map(Number));
};

/** The steps of a model before it waits. */
const before = (way: Way, job: string): readonly Step[] => [
  background(`${job}; echo fini''shed`),
  ...(way === 'wait_for_my_job' ? [{ tool: tool('list_my_background_work') }] : []),
];

/** How often a session has asked its model how to wait. */
export const waitsOf = (stage: Scene, name: string, way: Way): number =>
  askedBy(stage, name).filter(([step]) => step === before(way, '').length).length;

/** Starts a session of the real Claude Code that waits for its job, to its end. */
export const playWaiting = async (
  stage: Scene,
  name: string,
  way: Way,
  { job, pollSeconds = 1, env = {}, patience }: Waiting,
): Promise<Waited> => {
  const steps = [...before(way, job), waiting[way](pollSeconds), { text: 'the job has ended' }];
  const claude = await startClaude(stage, name, steps, env);
  await stage
    .until(`${name} has waited`, () => !stage.lives(claude), patience)
    .catch((error: unknown) => {
      throw new StageError(`${String(error)}\n${stage.read(`/tmp/model/${name}.said`).slice(-2000)}`);
    });
  const asked = askedBy(stage, name);
  if (asked.length < steps.length) throw new Error(`${name} ended too early: ${stage.read(`/tmp/said-${name}`)}`);
  return {
    requests: waitsOf(stage, name, way),
    all: asked.length,
    bytes: asked.reduce((sum, [, bytes = 0]) => sum + bytes, 0),
    said: stage.read(`/tmp/model/${name}.said`),
  };
};
