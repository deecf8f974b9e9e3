import { history, runCurfew, startCurfew } from '../scene/curfew.ts';
import { Scene } from '../scene/scene.ts';
import type { RealAgentKind } from './kinds.ts';
import { startModel, startSession, withAgents, writeServers } from './session.ts';
import { steps } from './shapes.ts';

/** As low as they go, and what works is ended as well. */
const limits = {
  mode: 'enforce',
  atMaxElapsed: 'reap',
  backgroundMaxElapsedSeconds: '1',
  backgroundMaxElapsedSecondsHardCap: '60',
  backgroundKillGraceSeconds: '1',
  orphanGraceSeconds: '0',
  noticeSeconds: '0',
  scanIntervalSeconds: '0.5',
} as const;

/**
 * Keeps a session of a real agent open beside `curfew watch` for at least this many seconds and ten
 * looks. Returns what of the agent and its servers did not live through it, as command lines, and
 * how many ends Curfew has on record.
 */
export const live = async (
  kind: RealAgentKind,
  seconds: number,
): Promise<{ readonly touched: readonly string[]; readonly ended: number }> => {
  const stage = await Scene.open(withAgents);
  try {
    writeServers(stage);
    await startModel(stage);
    for (const [key, value] of Object.entries(limits)) {
      const { code, stderr } = await runCurfew(stage, ['settings', 'set', key, value]);
      if (code !== 0) throw new Error(`${key}: ${stderr}`);
    }
    const watch = await startCurfew(stage, ['watch', '--json']);
    const session = await startSession(stage, kind, 'living', steps);
    const begunMs = performance.now();
    const looks = (): number => watch.stdout().split('"event":"looked"').length;
    const before = looks();
    await stage.until(
      'ten looks past the limits',
      () => looks() >= before + 10 && performance.now() - begunMs > seconds * 1000,
      seconds + 120,
    );
    await watch.signal('INT');
    await watch.ended();
    const innocents = [...session.agents, ...session.servers];
    const touched = innocents
      .filter((one) => !stage.lives(one))
      .map(
        ({ pid }) =>
          session.rows
            .find((row) => row.pid === pid)
            ?.argv.join(' ')
            .slice(0, 200) ?? String(pid),
      );
    return { touched, ended: (await history(stage)).length };
  } finally {
    await stage.close();
  }
};
