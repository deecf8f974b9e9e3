import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOptions } from '../os/scene/curfew.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { WorldPlan } from './world.ts';

const file = '/tmp/scene/clock';
/** Less than the history is kept. */
const aMonthMs = 30 * 86_400_000;

/** The wall clock, in milliseconds ahead, before and after it is set once more. */
const walls: Readonly<Partial<Record<WorldPlan['clock'], readonly [number, number]>>> = {
  'wall-ahead': [aMonthMs, aMonthMs],
  'wall-behind': [-aMonthMs, -aMonthMs],
  'wall-set-twice': [aMonthMs, -aMonthMs],
};

/** Seconds by which the boot clock is another than at the looks before. */
const boots: Readonly<Partial<Record<WorldPlan['clock'], number>>> = { 'boot-ahead': 28_800, 'boot-behind': -60 };

/** The environment in which the wall clock of Curfew can be set, beside what `env` says. */
export const clockEnvironment = (
  stage: Scene,
  { clock, by }: WorldPlan,
  env: Readonly<Record<string, string>>,
): Record<string, string> => {
  if (walls[clock] === undefined) return { ...env };
  const preload = `--import=${pathToFileURL(join(import.meta.dirname, 'programs/clock.ts')).href}`;
  return {
    ...env,
    NODE_OPTIONS: [env['NODE_OPTIONS'], preload].filter((one) => one !== undefined).join(' '),
    CURFEW_TEST_CLOCK: by === 'remote' ? stage.outside(file) : file,
  };
};

/** How Curfew is started where it has another boot clock. */
export const throughClock = ({ clock }: WorldPlan): Pick<RunOptions, 'through'> => {
  const seconds = boots[clock];
  return seconds === undefined ? {} : { through: ['unshare', '--time', '--boottime', String(seconds), '--fork', '--'] };
};

/** Sets the wall clock, and once more a while later, until `over`. */
export const playClock = async (stage: Scene, { clock }: WorldPlan, over: () => boolean): Promise<void> => {
  const [first, then] = walls[clock] ?? [];
  if (first === undefined) return;
  stage.write(file, String(first));
  for (let turn = 0; turn < 40 && !over(); turn++) await sleep(50);
  if (!over()) stage.write(file, String(then));
};
