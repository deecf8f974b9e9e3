import { afterEach, expect, test, vi } from 'vitest';
import { StageError, StageNotSetError } from '../os/scene/stage-error.ts';
import { LeftOverError, type Played } from './play.ts';
import { boundedShrinking, playRound, type Rounds } from './rounds.ts';
import type { WorldPlan } from './world.ts';

const plan: WorldPlan = {
  sessions: [],
  innocents: [],
  agents: [],
  settings: { sessionServers: 'end', unreachableAgents: 'show' },
  looked: 'no',
  clock: 'steady',
  disturbances: [],
  steps: [],
  runs: [],
  by: 'reap',
};
const one: Played = { by: 'local', due: 1, spared: 2, signals: 3, recycled: 0, steps: 0 };
const begin = (): Rounds => ({ played: [], setAtSecondTry: [], notSet: [], late: [] });

/** Plays that end so, one after the other. */
const playing = (...endings: readonly (Played | Error)[]): (() => Promise<Played>) => {
  const left = [...endings];
  return async () => {
    const ending = left.shift();
    if (ending === undefined) throw new Error('played once more than expected');
    if (ending instanceof Error) throw ending;
    return ending;
  };
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a stage that could not be set is set once more, and counted; twice in vain is no broken invariant', async () => {
  const rounds = begin();
  await playRound(rounds, plan, playing(one));
  await playRound(rounds, plan, playing(new StageNotSetError('slow'), one));
  await playRound(rounds, plan, playing(new StageNotSetError('slow'), new StageNotSetError('slower')));
  expect(rounds).toEqual({ played: [one, one], setAtSecondTry: ['slow'], notSet: ['slower'], late: [] });
});

test('what lives on though it was due is played once more, and counted; twice is a broken invariant', async () => {
  const rounds = begin();
  await playRound(rounds, plan, playing(new LeftOverError('heir lives'), one));
  expect(rounds).toEqual({ played: [one], setAtSecondTry: [], notSet: [], late: ['heir lives'] });
  await expect(
    playRound(rounds, plan, playing(new LeftOverError('lives'), new LeftOverError('again'))),
  ).rejects.toThrow('again');
  await expect(playRound(rounds, plan, playing(new LeftOverError('lives'), new Error('touched')))).rejects.toThrow(
    'touched',
  );
});

test('a broken invariant fails at once, also at the second try, and so does a vain wait while Curfew works', async () => {
  const rounds = begin();
  await expect(playRound(rounds, plan, playing(new Error('touched')))).rejects.toThrow('touched');
  await expect(playRound(rounds, plan, playing(new StageNotSetError('slow'), new Error('touched')))).rejects.toThrow(
    'touched',
  );
  await expect(playRound(rounds, plan, playing(new StageError('waited in vain: ended')))).rejects.toThrow('in vain');
  expect(rounds).toEqual(begin());
});

test('a broken world is told at once, is made smaller for a while, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const told = vi.spyOn(console, 'error').mockReturnValue();
  let played = 0;
  const lane = boundedShrinking(async () => {
    played++;
    await Promise.reject(new Error('touched'));
  });
  await expect(lane(plan)).rejects.toThrow('touched');
  expect(told.mock.calls.flat().join()).toMatch(/touched.*\nin \{"sessions":\[\]/u);
  await expect(lane(plan)).rejects.toThrow('touched');
  vi.advanceTimersByTime(3_600_000);
  await expect(lane(plan)).resolves.toBeUndefined();
  expect(played).toBe(2);
  expect(told).toHaveBeenCalledTimes(1);
});
