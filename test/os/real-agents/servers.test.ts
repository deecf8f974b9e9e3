import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { history, reap, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { type Scene, scene } from '../scene/scene.ts';
import {
  agentsFolder,
  answer,
  missingOf,
  type RealAgentKind,
  realAgents,
  type RealSession,
  startModel,
  startSession,
} from './real-agent.ts';

const untilEnded = (stage: Scene, { label, agents }: RealSession): Promise<true> =>
  stage.until(`the agent of ${label} has ended`, () => agents.every((one) => !stage.lives(one)));

/** How sessions end, and that they have. */
const ends = {
  killed: async (stage: Scene, session: RealSession) => {
    for (const { pid } of session.agents) await stage.first.signal(pid, 'KILL');
    await untilEnded(stage, session);
  },
  terminated: async (stage: Scene, session: RealSession) => {
    for (const { pid } of session.agents) await stage.first.signal(pid, 'TERM');
    await untilEnded(stage, session);
  },
  crashed: async (stage: Scene, session: RealSession) => {
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
  finished: async (stage: Scene, session: RealSession) => {
    answer(stage, session);
    await untilEnded(stage, session);
  },
} as const satisfies Readonly<Record<string, (stage: Scene, session: RealSession) => Promise<void>>>;

/** What they have written, in steps of 256 bytes: an idle Node writes 8 bytes a second or less. */
const writtenBy = (stage: Scene, processes: readonly Identity[]): string =>
  processes
    .filter((one) => stage.lives(one))
    .map(({ pid }) => Number(/wchar: (\d+)/u.exec(readFileSync(`${stage.proc}/${pid}/io`, 'latin1'))?.[1] ?? 0))
    .map((bytes) => Math.floor(bytes / 256))
    .join(' ');

/** Bytes that move are work: waits until the servers have taken in that their agents have ended. */
const untilQuiet = async (stage: Scene, processes: readonly Identity[]): Promise<void> => {
  let [latest, same] = ['', 0];
  await stage.until('the servers move no more bytes', () => {
    const bytes = writtenBy(stage, processes);
    same = bytes === latest ? same + 1 : 0;
    latest = bytes;
    return same > 100;
  });
};

/** Sessions of one project: one lives on, and one ends in each way. Returns what is left. */
const play = async (
  stage: Scene,
  kind: RealAgentKind,
  remembered: boolean,
): Promise<{ readonly living: RealSession; readonly left: readonly Identity[] }> => {
  await startModel(stage);
  const living = await startSession(stage, kind, 'living');
  const names = Object.keys(ends) as (keyof typeof ends)[];
  const sessions: (readonly [keyof typeof ends, RealSession])[] = [];
  for (const name of names) sessions.push([name, await startSession(stage, kind, name)]);
  if (remembered) await scan(stage);
  for (const [name, session] of sessions) await ends[name](stage, session);
  await untilQuiet(
    stage,
    sessions.flatMap(([, { servers }]) => servers),
  );
  const seen = sessions.map(([name, { servers }]) => [name, servers.filter((one) => stage.lives(one))] as const);
  const counts = seen.map(([name, alive]) => `${name} ${alive.length}`).join(', ');
  console.info(`${kind.name}: of the 13 processes of its servers it left: ${counts}`);
  return { living, left: seen.flatMap(([, alive]) => alive) };
};

const innocentsOf = (stage: Scene, { agents, servers }: RealSession) =>
  [...agents, ...servers].map(({ pid }) => bystander(stage, 'of a living session', pid));

describe.for(realAgents.map((kind) => [kind.name, kind] as const))('the real %s', ([, kind]) => {
  const missing = missingOf(kind);
  if (missing !== null) console.warn(`SKIPPED, the servers of the real ${kind.name}: ${missing}`);
  const options = { carried: [agentsFolder] };
  const namesNoProcess = kind.id === 'gemini' || kind.name.endsWith(' 2.1.197');
  const isUnmarked = kind.id === 'codex' || kind.name.endsWith(' 2.0.28');

  test.skipIf(missing !== null)(
    'leaves servers when it is killed, terminated, crashed or finished: all end, and none of a living session',
    scene(async (stage) => {
      const { living, left } = await play(stage, kind, isUnmarked);
      const innocents = innocentsOf(stage, living);
      const { jobs } = await scan(stage, ['--all']);
      const all = new Set(left.map(({ pid }) => pid));
      const found = jobs.filter(({ members }) => members.some(({ pid }) => all.has(pid)));
      expect(new Set(found.flatMap(({ members }) => members.map(({ pid }) => pid)))).toEqual(all);
      const due = found.filter(({ verdict }) => verdict.state === 'orphaned');
      expect(new Set(due.map(({ kind: of, agent, owner }) => `${of} ${agent} ${owner}`))).toEqual(
        new Set([`server ${kind.id} gone`]),
      );
      // A child without an input, whose server has ended: it could be meant to stay. A browser
      // alone, in a group of its own, where the marks name no process of the agent.
      const shown = found.filter((job) => !due.includes(job));
      const mayBeShown = namesNoProcess ? /^\S+ \S+ child$|^\/opt\/google\/chrome\// : /^\S+ \S+ child$/;
      for (const { args } of shown.flatMap(({ members }) => members)) expect(args).toMatch(mayBeShown);
      const { incidents } = await reap(stage, ['--max-age', '0s', '--grace', '1s']);
      expect(incidents.flatMap(({ survivors }) => survivors)).toEqual([]);
      const stays = new Set(shown.flatMap(({ members }) => members.map(({ pid }) => pid)));
      expectGone(
        stage,
        left.filter(({ pid }) => !stays.has(pid)),
      );
      expectUntouched(stage, innocents);
      expect(left.filter(({ pid }) => stays.has(pid)).every((one) => stage.lives(one))).toBe(true);
      expect(new Set((await history(stage)).map(({ agent }) => agent))).toEqual(new Set([kind.id]));
    }, options),
  );

  test.skipIf(missing !== null || !isUnmarked)(
    'leaves servers that no look saw below it: they are only shown',
    scene(async (stage) => {
      const { living, left } = await play(stage, kind, false);
      const innocents = [
        ...innocentsOf(stage, living),
        ...left.map(({ pid }) => bystander(stage, 'what is only shown', pid)),
      ];
      const { jobs } = await scan(stage, ['--all']);
      const all = new Set(left.map(({ pid }) => pid));
      const found = jobs.filter(({ members }) => members.some(({ pid }) => all.has(pid)));
      expect(new Set(found.map(({ verdict }) => verdict.action))).toEqual(new Set(['none']));
      for (const words of [[], ['--kind', 'server']])
        expect((await reap(stage, ['--max-age', '0s', '--grace', '1s', ...words])).incidents).toEqual([]);
      expectUntouched(stage, innocents);
    }, options),
  );
});
