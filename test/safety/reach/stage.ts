import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { watchedFor } from '../../os/agents-unreachable/agents.ts';
import type { Innocent } from '../../os/scene/innocents.ts';
import type { Scene } from '../../os/scene/scene.ts';
import type { ReachPlan } from './kinds.ts';

const folder = '/tmp/scene/reach';
let numbers = 0;

/** An agent on the stage, which keeps a diary of the signals that it gets. */
export interface PutAgent {
  readonly plan: ReachPlan;
  readonly innocent: Innocent;
}

/** Puts agents on the stage that no user reaches, or only seems to. */
export const putAgents = async (stage: Scene, plans: readonly ReachPlan[]): Promise<readonly PutAgent[]> => {
  if (plans.length === 0) return [];
  stage.folder(folder);
  const program = readFileSync(join(import.meta.dirname, '../programs/reach.py'), 'utf8');
  const script = stage.write('/tmp/work/reach.py', program);
  const named = plans.map((plan) => ({ plan, number: numbers++ }));
  const words = named.map(({ plan: { kind, agent }, number }) => `${number}:${kind}:${agent}`);
  const { pid } = await stage.top.begin({
    file: '/usr/bin/python3',
    argv: ['python3', script, ...words],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
  await stage.until('the agents out of reach are set', () => stage.has(`${folder}/ready.${pid}`));
  return Promise.all(
    named.map(async ({ plan, number }) => {
      const word = `${number}:${plan.kind}:${plan.agent}`;
      const row = await stage.find(word, ({ argv }) => argv[0] === plan.agent && argv.at(-1) === word);
      const what = `${plan.agent}, which is ${plan.kind}`;
      return { plan, innocent: { what, identity: stage.identity(row.pid), diary: `${folder}/${number}` } };
    }),
  );
};

/** So long an earlier Curfew has watched such agents, in seconds: more than the 15 minutes. */
const longSeconds = 1000;

/** Whether the machine runs for long enough that an earlier Curfew can have watched for so long. */
export const canHaveWatched = (): boolean => uptime() > longSeconds + 120;

/** Lets Curfew's memory of the agents be older, as if they had been watched all that time. */
export const watchLong = (stage: Scene): Promise<void> => watchedFor(stage, longSeconds);
