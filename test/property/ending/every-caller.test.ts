import { describe, expect, test } from 'vitest';
import { type Caller, callers } from './callers.ts';
import { mayEndAt, mustEnd, type Story, stories, World } from './world.ts';

/** What came of a story. */
interface Played {
  readonly story: Story;
  readonly world: World;
}

/** Plays all stories at once: most of the time each waits for its second look. */
const play = async ({ session, end }: Caller): Promise<readonly Played[]> =>
  Promise.all(
    stories().map(async (story) => {
      const world = new World(story, session);
      try {
        // A refusal is an answer, too: what counts is what was signalled.
        await end(world).catch(() => undefined);
        return { story, world };
      } finally {
        world.close();
      }
    }),
  );

const shown = (played: readonly Played[]): readonly string[] =>
  played.map(({ story, world }) => `${JSON.stringify(story)}: ${world.stage.signals.join(', ')}`);

describe.concurrent.each(Object.entries(callers))('%s', (_name, caller) => {
  test('an end has two looks, a record before the first signal, and no strangers in it', async () => {
    const played = await play(caller);
    expect(played.flatMap(({ world }) => world.wrong)).toEqual([]);
    const signalled = played.filter(({ world }) => world.signalledAtLook !== null);
    const early = signalled.filter(
      ({ story, world }) => (world.signalledAtLook ?? 0) < mayEndAt(story, caller.looksOn === true),
    );
    expect(shown(early)).toEqual([]);
    const spared = played.filter(({ world, story }) => mustEnd(story) && !world.signalled.has(69));
    expect(shown(spared)).toEqual([]);
    expect(signalled.every(({ world }) => world.intents.length === 1)).toBe(true);
  });
});
