import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from '../scene/scene.ts';
import { answer, isServer, type RealSession, typeInto } from './session.ts';

/** Seconds that an agent gets to end. */
const patience = 45;

const isOver = (stage: Scene, { agents }: RealSession): boolean => agents.every((one) => !stage.lives(one));

const untilEnded = (stage: Scene, session: RealSession): Promise<true> =>
  stage.until(`the agent of ${session.label} has ended`, () => isOver(stage, session));

/**
 * One that stays is an agent out of reach, or a daemon: these have rules and tests of their own.
 */
const untilEndedOrStays = async (stage: Scene, session: RealSession): Promise<void> => {
  for (const until = performance.now() + patience * 1000; performance.now() < until && !isOver(stage, session);)
    await sleep(100);
};

const signalled =
  (signal: string, wait: (stage: Scene, session: RealSession) => Promise<unknown> = untilEndedOrStays) =>
  async (stage: Scene, session: RealSession) => {
    for (const { pid } of session.agents) await stage.first.signal(pid, signal);
    await wait(stage, session);
  };

/** Endings of a session that has a terminal. */
export const needsTerminal = (ending: Ending): boolean => ending === 'terminal closed' || ending === '/exit typed';

/** How sessions end, and that they have. */
export const endings = {
  killed: signalled('KILL', untilEnded),
  'killed, Chromium': signalled('KILL', untilEnded),
  terminated: signalled('TERM'),
  'hung up': signalled('HUP'),
  crashed: async (stage, session) => {
    // The first one only takes back the handler of a program in Rust, and one that is sent while
    // another is pending is lost: it is sent until it has ended.
    // Neither a launcher nor a daemon has servers.
    const parents = new Set(session.rows.filter(isServer).map(({ ppid }) => ppid));
    const one = session.agents.findLast(({ pid }) => parents.has(pid)) ?? session.agent;
    while (stage.lives(one)) {
      const before = stage.read(`/proc/${one.pid}/status`);
      await stage.first.signal(one.pid, 'SEGV');
      await stage.until('it takes the signal', () => {
        if (!stage.lives(one)) return true;
        const status = stage.read(`/proc/${one.pid}/status`);
        return status.includes('ShdPnd:\t0000000000000000') && status !== before;
      });
    }
    await untilEndedOrStays(stage, session);
  },
  'terminal closed': async (stage, session) => {
    await stage.first.signal(session.agent.pid, 'KILL');
    await untilEndedOrStays(stage, session);
  },
  finished: async (stage, session) => {
    answer(stage, session);
    await untilEndedOrStays(stage, session);
  },
  '/exit typed': async (stage, session) => {
    answer(stage, session);
    await sleep(3000);
    typeInto(stage, session, session.exit);
    // A moment apart, for what comes at once is taken for pasted; a further one confirms.
    for (let again = 0; again < patience / 2 && !isOver(stage, session); again++) {
      await sleep(2000);
      if (!isOver(stage, session)) typeInto(stage, session, '\r');
    }
  },
} as const satisfies Readonly<Record<string, (stage: Scene, session: RealSession) => Promise<unknown>>>;

/** How a session ends. */
export type Ending = keyof typeof endings;
