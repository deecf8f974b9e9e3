import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { hookInstallers } from '../../../main/agents/dossiers.ts';
import { curfewEnvironment, oneDocument, runCurfew, type RunOptions, startCurfew } from '../scene/curfew.ts';
import type { Identity, Row } from '../scene/processes.ts';
import { Scene } from '../scene/scene.ts';
import { type Ending, endings, needsTerminal } from './endings.ts';
import type { RealAgentKind } from './kinds.ts';
import { type Observed, observeSettled } from './observe.ts';
import { isServer, type RealSession, startModel, startSession, withAgents, writeServers } from './session.ts';
import { shapeOf, steps } from './shapes.ts';
import { recordsOf, underCurfew } from './under-curfew.ts';

/** What Curfew says of a process that was left: ended by its rules, by a button, or not found. */
const words = ['proved', 'probable', 'missed'] as const;
export type Word = (typeof words)[number];

const counts = z.strictObject({ proved: z.int(), probable: z.int(), missed: z.int() });
export type Counts = Readonly<z.infer<typeof counts>>;

/** What one session left, and what one pass of Curfew said of it. */
export const cellSchema = z.strictObject({
  commands: counts,
  servers: counts,
  /** What of commands was not proved: its shape, and how often. */
  short: z.array(z.string()),
});
export type Cell = Readonly<z.infer<typeof cellSchema>>;

/** What Curfew learns before the session ends; `its group`: `curfew agent` started the agent. */
export const looks = ['watched', 'a look before', 'hooks only', 'nothing', 'its group'] as const;
export type LookBefore = (typeof looks)[number];

/** Returns whether an agent can have this look: Curfew has hooks for not all of them. */
export const isPlayed = ({ agent: kind }: RealAgentKind, look: LookBefore): boolean =>
  look !== 'hooks only' || hookInstallers.some(({ agent }) => agent === kind);

const scanned = z.looseObject({
  jobs: z.array(
    z.looseObject({
      owner: z.string(),
      proof: z.string(),
      verdict: z.looseObject({
        state: z.string(),
        reasons: z.array(z.looseObject({ code: z.string(), text: z.string() })),
      }),
      members: z.array(z.looseObject({ pid: z.int() })),
    }),
  ),
});

/** Bytes that servers wrote, in steps of 256: an idle Node writes 8 bytes a second or less. */
const writtenBy = (stage: Scene, processes: readonly Identity[]): string =>
  processes
    .filter((one) => stage.lives(one))
    .map(({ pid }) => Number(/wchar: (\d+)/u.exec(readFileSync(`${stage.proc}/${pid}/io`, 'latin1'))?.[1] ?? 0))
    .map((bytes) => Math.floor(bytes / 256))
    .join(' ');

/** Bytes that move are work: waits until the servers have taken in that their agent has ended. */
const untilQuiet = async (stage: Scene, processes: readonly Identity[]): Promise<void> => {
  let [latest, same] = ['', 0];
  await stage.until('the servers move no more bytes', () => {
    const bytes = writtenBy(stage, processes);
    same = bytes === latest ? same + 1 : 0;
    latest = bytes;
    return same > 100;
  });
};

const wordOf = (jobs: z.infer<typeof scanned>['jobs'], pid: number): Word => {
  const states = jobs
    .filter(({ members }) => members.some((one) => one.pid === pid))
    .map(({ verdict }) => verdict.state);
  if (states.includes('orphaned') || states.includes('past-cap')) return 'proved';
  return states.includes('probable') ? 'probable' : 'missed';
};

const tally = (said: readonly Word[]): Counts => {
  const of = (word: Word): number => said.filter((one) => one === word).length;
  return { proved: of('proved'), probable: of('probable'), missed: of('missed') };
};

const serverOf = (row: Row): string | null => {
  if (!isServer(row)) return null;
  const word = row.argv.find((one) => /^[a-z]+$/u.test(one) && one !== 'sh') ?? row.argv[0] ?? '';
  return `server ${word.startsWith('/usr/lib/chromium/') ? 'Chromium' : word}`;
};

/** Each look has a Curfew of its own, so that one session tells of several. */
const homeOf = (stage: Scene, look: LookBefore): RunOptions => ({
  env: {
    ...curfewEnvironment(stage),
    ...(look === 'hooks only' || look === 'its group' ? {} : { CURFEW_HOME: `/tmp/curfew-${looks.indexOf(look)}` }),
  },
});

const judgedOnce = async (stage: Scene, session: RealSession, look: LookBefore): Promise<Cell> => {
  const { jobs } = scanned.parse(oneDocument(await runCurfew(stage, ['scan', '--json', '--all'], homeOf(stage, look))));
  const left = session.rows.filter((row) => stage.lives(row) && !session.agents.some(({ pid }) => pid === row.pid));
  const commands = left.filter((row) => !isServer(row)).map((row) => ({ row, word: wordOf(jobs, row.pid) }));
  const servers = left.filter(isServer).map((row) => ({ row, word: wordOf(jobs, row.pid) }));
  const saidOf = (pid: number): string => {
    const found = jobs.find(({ members }) => members.some((one) => one.pid === pid));
    if (found === undefined) return 'not listed';
    const { owner, verdict } = found;
    if (process.env['CURFEW_TEST_SAY'] !== undefined)
      console.log(pid, look, JSON.stringify(verdict.reasons.map(({ text }) => text)));
    return [verdict.state, `owner ${owner}`, ...verdict.reasons.map(({ code }) => code)].join(', ');
  };
  const wordsOf = (word: Word, pid: number): string => (word === 'missed' ? `missed (${saidOf(pid)})` : word);
  const short = [...commands, ...servers]
    .filter(({ word }) => word !== 'proved')
    .map(
      ({ row, word }) =>
        `${shapeOf(row.argv.join(' ')) ?? serverOf(row) ?? row.argv[0] ?? 'a process'}: ${wordsOf(word, row.pid)}`,
    );
  return {
    commands: tally(commands.map(({ word }) => word)),
    servers: tally(servers.map(({ word }) => word)),
    short: [...new Set(short)].toSorted(),
  };
};

/** A server that still works at a look (launchers on a busy machine) is judged at a later one. */
const judged = async (stage: Scene, session: RealSession, look: LookBefore): Promise<Cell> => {
  let cell = await judgedOnce(stage, session, look);
  for (
    let again = 0;
    again < 2 && cell.servers.missed > 0 && cell.servers.proved + cell.servers.probable > 0;
    again++
  ) {
    await sleep(2000);
    cell = await judgedOnce(stage, session, look);
  }
  return cell;
};

const installHooks = async (stage: Scene, { agent, name }: RealAgentKind): Promise<void> => {
  const { code, stderr } = await runCurfew(stage, ['hooks', 'install', agent]);
  if (code !== 0) throw new Error(`no hooks for ${name}: ${stderr}`);
};

/** What was seen of a session while it lived, and after its end. */
export interface Played {
  readonly cells: Readonly<Partial<Record<LookBefore, Cell>>>;
  readonly observed: Observed;
}

/** Looks that one session can have at once: hooks change the agent, and so can its group. */
export const together: readonly (readonly LookBefore[])[] = [
  ['watched', 'a look before', 'nothing'],
  ['hooks only'],
  ['its group'],
];

interface PlayOptions {
  /** What a session of it showed at an earlier time. */
  readonly before?: Observed | undefined;
  /** Changes what it left behind in files. */
  readonly afterwards?: (stage: Scene) => void;
}

/**
 * Plays one session of a real agent to its end, and lets one pass of Curfew judge what it left, for
 * each of these looks.
 */
export const play = async (
  kind: RealAgentKind,
  ending: Ending,
  wanted: readonly LookBefore[],
  { before, afterwards }: PlayOptions = {},
): Promise<Played> => {
  const stage = await Scene.open(withAgents);
  try {
    writeServers(stage, ending === 'killed, Chromium');
    await startModel(stage);
    const watch = wanted.includes('watched')
      ? await startCurfew(stage, ['watch', '--json'], homeOf(stage, 'watched'))
      : null;
    const asked = steps.filter(({ background }) => !(ending === 'finished' && kind.awaitsBackground && background));
    const isGrouped = wanted.includes('its group');
    const session = await startSession(stage, isGrouped ? underCurfew(kind) : kind, 'played', asked, {
      inTerminal: needsTerminal(ending),
      beforeStart: async () => {
        if (wanted.includes('hooks only')) await installHooks(stage, kind);
      },
    });
    if (isGrouped && recordsOf(stage).length !== 1) throw new Error(`${kind.name} is in no group of its own`);
    const observed = await observeSettled(stage, session, before);
    if (wanted.includes('a look before')) await runCurfew(stage, ['scan', '--json'], homeOf(stage, 'a look before'));
    if (watch !== null) {
      const looked = (): number => watch.stdout().split('"event":"looked"').length;
      const soFar = looked();
      await stage.until('Curfew has looked at the session', () => looked() > soFar + 1);
      await watch.signal('INT');
      await watch.ended();
    }
    await endings[ending](stage, session);
    const stays = session.agents.some((one) => stage.lives(one));
    if (!stays) await untilQuiet(stage, session.servers);
    afterwards?.(stage);
    const cells: Partial<Record<LookBefore, Cell>> = {};
    for (const look of wanted) {
      const cell = await judged(stage, session, look);
      cells[look] = stays ? { ...cell, short: ['the agent itself stays', ...cell.short] } : cell;
    }
    return { cells, observed };
  } finally {
    await stage.close();
  }
};

/** The same for one look. */
export const playOne = async (
  kind: RealAgentKind,
  ending: Ending,
  look: LookBefore,
  options: PlayOptions = {},
): Promise<{ readonly cell: Cell; readonly observed: Observed }> => {
  const { cells, observed } = await play(kind, ending, [look], options);
  const { [look]: cell } = cells;
  if (cell === undefined) throw new Error(`no look ${look} was taken`);
  return { cell, observed };
};
