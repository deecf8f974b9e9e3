import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from '../scene/scene.ts';
import { answer, type RealSession, typeInto } from './session.ts';

/** Seconds that an agent gets to notice that its terminal is closed. */
const patience = 20;

const untilEnded = (stage: Scene, { label, agents }: RealSession): Promise<true> =>
  stage.until(`the agent of ${label} has ended`, () => agents.every((one) => !stage.lives(one)));

const signalled = (signal: string) => async (stage: Scene, session: RealSession) => {
  for (const { pid } of session.agents) await stage.first.signal(pid, signal);
  await untilEnded(stage, session);
};

/** Endings of a session that has a terminal. */
export const needsTerminal = (ending: Ending): boolean => ending === 'terminal closed' || ending === '/exit typed';

/** How sessions end, and that they have. */
export const endings = {
  killed: signalled('KILL'),
  'killed, Chromium': signalled('KILL'),
  terminated: signalled('TERM'),
  'hung up': signalled('HUP'),
  crashed: async (stage, session) => {
    // The first one only takes back the handler of a program in Rust, and one that is sent while
    // another is pending is lost: it is sent until it has ended.
    const one = session.agents.at(-1) ?? session.agent;
    while (stage.lives(one)) {
      const before = stage.read(`/proc/${one.pid}/status`);
      await stage.first.signal(one.pid, 'SEGV');
      await stage.until('it takes the signal', () => {
        if (!stage.lives(one)) return true;
        const status = stage.read(`/proc/${one.pid}/status`);
        return status.includes('ShdPnd:\t0000000000000000') && status !== before;
      });
    }
    await untilEnded(stage, session);
  },
  'terminal closed': async (stage, session) => {
    await stage.first.signal(session.agent.pid, 'KILL');
    // One that stays is an agent out of reach, which has rules and tests of its own.
    await Promise.race([untilEnded(stage, session), sleep(patience * 1000)]);
  },
  finished: async (stage, session) => {
    answer(stage, session);
    await untilEnded(stage, session);
  },
  '/exit typed': async (stage, session) => {
    answer(stage, session);
    const ended = untilEnded(stage, session).then(() => true);
    await sleep(3000);
    typeInto(stage, session, session.exit);
    // A moment apart, for what comes at once is taken for pasted; a further one confirms.
    for (let again = 0; !(await Promise.race([ended, sleep(2000).then(() => false)])); again++)
      typeInto(stage, session, '\r');
  },
} as const satisfies Readonly<Record<string, (stage: Scene, session: RealSession) => Promise<unknown>>>;

/** How a session ends. */
export type Ending = keyof typeof endings;
