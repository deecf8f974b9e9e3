import { utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { history, oneDocument, reap, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { slug } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { seen, setAgents, watchedFor } from './agents.ts';

const day = 86_400_000;
const planned = '{"type":"tool_use","id":"toolu_1","name":"CronCreate"}';
/** Each transcript names the tools that it offers. */
const offered = '{"tools":[{"name":"CronCreate"}]}';

interface Said {
  readonly status?: string;
  readonly transcript?: string;
  readonly remote?: boolean;
}

const idOf = ({ pid }: Identity): string => `00000000-0000-4000-8000-${String(pid).padStart(12, '0')}`;

/** Lets an agent say of itself what it is since two days, as Claude Code 2.1.330 does. */
const says = (
  stage: Scene,
  agent: Identity,
  { status = 'idle', transcript = offered, remote = false }: Said = {},
): void => {
  const folder = `${stage.home}/.claude`;
  const entry = {
    pid: agent.pid,
    sessionId: idOf(agent),
    cwd: stage.home,
    procStart: agent.start,
    status,
    statusUpdatedAt: Date.now() - 2 * day,
    ...(remote ? { bridgeSessionId: 'b' } : {}),
  };
  stage.write(`${folder}/sessions/${agent.pid}.json`, JSON.stringify(entry));
  const path = stage.write(`${folder}/projects/${slug(stage.home)}/${idOf(agent)}.jsonl`, `${transcript}\n`);
  const at = Date.now() / 1000 - 3 * 86_400;
  utimesSync(stage.outside(path), at, at);
};

const view = z.looseObject({ state: z.string(), since: z.string().nullable(), text: z.string() });
const session = z.looseObject({
  pid: z.number().nullable(),
  idle: view.nullable(),
  end: z.string().nullable(),
  resume: z.string().nullable(),
});

const sessionsOf = async (stage: Scene): Promise<readonly z.infer<typeof session>[]> =>
  z.object({ sessions: z.array(session) }).parse(oneDocument(await runCurfew(stage, ['sessions', '--json']))).sessions;

const longSeconds = 90_000;
const upForSeconds = longSeconds + 60;
const quick = { noticeSeconds: 0, scanIntervalSeconds: 0.5, mode: 'enforce' };

describe.concurrent('an agent that a user could reach', () => {
  test(
    'is told by its own status, its transcript and its terminal since when it is idle, and how it goes on',
    scene(async (stage) => {
      const agents = await setAgents(stage, [
        'quiet',
        'client',
        'suspended',
        'asks',
        'used',
        'remote',
        'wakes',
        'untold',
      ]);
      says(stage, agents.quiet);
      says(stage, agents.client);
      says(stage, agents.suspended, { status: 'busy' });
      says(stage, agents.asks, { status: 'waiting' });
      says(stage, agents.used);
      says(stage, agents.remote, { remote: true });
      says(stage, agents.wakes, { transcript: planned });
      const found = await sessionsOf(stage);
      const of = ({ pid }: Identity) => found.find((one) => one.pid === pid);
      for (const kind of ['quiet', 'client'] as const)
        expect({ kind, is: of(agents[kind]) }).toMatchObject({
          kind,
          is: { idle: { state: 'idle' }, resume: `claude --resume ${idOf(agents[kind])}` },
        });
      expect(of(agents.suspended)).toMatchObject({ idle: { state: 'suspended' } });
      for (const [kind, text] of [
        ['asks', 'waits for an answer'],
        ['used', 'last sign'],
        ['remote', 'from elsewhere'],
        ['wakes', 'wake-up'],
      ] as const) {
        expect({ kind, is: of(agents[kind]) }).toMatchObject({ kind, is: { idle: { state: 'in-use' }, end: null } });
        expect(of(agents[kind])?.idle?.text).toContain(text);
      }
      expect(seen(await scan(stage), agents.untold)).toMatchObject({ canEnd: false, idle: { state: 'unknown' } });
      const { stdout } = await runCurfew(stage, ['sessions']);
      expect(stdout).toContain(`curfew reap --agent-pid ${agents.quiet.pid}`);
      expect(stdout).not.toContain(`curfew reap --agent-pid ${agents.asks.pid}`);
    }),
  );

  test(
    'is ended by its user where it is idle, and the record says how its session goes on',
    scene(async (stage) => {
      const ended = ['quiet', 'client', 'suspended', 'held-by-a-third'] as const;
      const rest = ['asks', 'held-asks', 'used', 'remote', 'wakes', 'untold', 'named-anew'] as const;
      const kinds = [...ended, ...rest] as const;
      const agents = await setAgents(stage, kinds);
      says(stage, agents['held-by-a-third']);
      says(stage, agents['held-asks'], { status: 'waiting' });
      says(stage, agents.quiet);
      says(stage, agents.client);
      says(stage, agents.suspended, { status: 'busy' });
      says(stage, agents.asks, { status: 'waiting' });
      says(stage, agents.used);
      says(stage, agents.remote, { remote: true });
      says(stage, agents.wakes, { transcript: planned });
      // An ended Claude Code had the number of this Codex, and left its entry.
      says(stage, { ...agents['named-anew'], start: '1' });
      const innocents = rest.map((kind) => bystander(stage, kind, agents[kind].pid));
      for (const kind of rest) {
        const run = await runCurfew(stage, ['reap', '--agent-pid', String(agents[kind].pid)]);
        expect({ kind, code: run.code }).toEqual({ kind, code: 1 });
      }
      for (const kind of ended) {
        const done = await reap(stage, ['--agent-pid', String(agents[kind].pid)]);
        expect({ kind, done: done.incidents }).toMatchObject({
          kind,
          done: [{ decidedBy: 'command', outcome: 'reaped' }],
        });
        expectGone(stage, [agents[kind]]);
      }
      expectUntouched(stage, innocents);
      const record = JSON.stringify(await history(stage));
      for (const kind of ended) expect(record).toContain(`goes on with: claude --resume ${idOf(agents[kind])}`);
    }),
  );

  test(
    'is killed after its grace where it ignores TERM',
    scene(async (stage) => {
      const agents = await setAgents(stage, ['quiet-deaf']);
      says(stage, agents['quiet-deaf']);
      const done = await reap(stage, ['--agent-pid', String(agents['quiet-deaf'].pid), '--grace', '1s']);
      expect(done.incidents).toMatchObject([{ outcome: 'killed' }]);
    }),
  );

  test(
    'is ended by itself only where the user chose days, and it was watched to be idle for them',
    scene(
      async (stage) => {
        const kinds = ['quiet', 'asks', 'suspended', 'untold', 'wakes'] as const;
        const agents = await setAgents(stage, kinds);
        const tells = (agent: Identity, said: Said = {}): void => {
          // As it reads itself, in the scene's own time namespace.
          const start = String(Number(agent.start) + upForSeconds * 100);
          says(stage, { ...agent, start }, said);
        };
        tells(agents.quiet);
        tells(agents.asks, { status: 'waiting' });
        tells(agents.suspended);
        tells(agents.wakes, { transcript: planned });
        const watches = async (days: number, until?: () => boolean): Promise<void> => {
          writeSettings(stage, { ...quick, idleAgentDays: days });
          const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
          if (until !== undefined) await stage.until('the idle agent is ended', until);
          await afterLooks(stage, watch, 5);
          await watch.signal('TERM');
          await watch.ended();
        };
        await watches(1);
        expect(stage.lives(agents.quiet)).toBe(true);
        await watchedFor(stage, longSeconds);
        await watches(0);
        await watches(2);
        expect(stage.lives(agents.quiet)).toBe(true);
        const innocents = kinds
          .filter((kind) => kind !== 'quiet')
          .map((kind) => bystander(stage, kind, agents[kind].pid));
        await watches(1, () => !stage.lives(agents.quiet));
        expectUntouched(stage, innocents);
        expect(await history(stage)).toMatchObject([{ decidedBy: 'rule', outcome: 'reaped' }]);
      },
      { upForSeconds },
    ),
  );
});
