import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inEnglish } from '../../../app/text/say.ts';
import { history, oneDocument, reap, runCurfew } from '../scene/curfew.ts';
import { launchService } from '../interface/running-service.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { ServingAgent } from '../scene/servers.ts';

const sets = z.object({
  olderSets: z.array(z.looseObject({ host: z.number(), sets: z.number(), waiting: z.number() })),
});

const setsOf = async (stage: Scene): Promise<z.infer<typeof sets>['olderSets']> =>
  sets.parse(oneDocument(await runCurfew(stage, ['sessions', '--json']))).olderSets;

/** Sets the memory of servers back by seconds. In plain JavaScript: it runs in the scene. */
const setBack = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync('/tmp/curfew-home/ledger.db');
for (const { id, body } of database.prepare("SELECT id, body FROM witness WHERE id LIKE 'server:%'").all()) {
  const known = JSON.parse(body);
  if (known.still === undefined) continue;
  known.still.sinceTicks = Math.max(0, known.still.sinceTicks - Number(process.argv[2]) * 100);
  database.prepare('UPDATE witness SET body = ? WHERE id = ?').run(JSON.stringify(known), id);
}
database.close();
`;

const longSeconds = 22_000;
const forLong = { upForSeconds: longSeconds + 60 };

/** As if Curfew had measured the servers so long ago first. */
const measuredLongAgo = async (stage: Scene): Promise<void> => {
  await setsOf(stage);
  const script = stage.write('/tmp/work/set-back.cjs', setBack);
  const node = { file: process.execPath, argv: ['node', script, String(longSeconds)] as const };
  const { pid } = await stage.top.begin({ ...node, env: stage.userEnvironment(), cwd: stage.home });
  expect((await stage.top.ended(pid)).code).toBe(0);
};

const serve = async (agent: ServingAgent, count: number): Promise<readonly Identity[]> => {
  const served: Identity[] = [];
  for (let made = 0; made < count; made += 1) served.push(await agent.serve('wrapped'));
  return served;
};

/** What a host starts within 15 s of another one is of the same start. */
const togetherTicks = 1500;

/** Waits until the server that an agent starts next is of another start than those it has. */
const afterTheirStart = async (stage: Scene, agent: ServingAgent): Promise<void> => {
  const below = new Set([agent.actor.pid]);
  for (const { pid, ppid } of stage.table()) if (below.has(ppid)) below.add(pid);
  // As this side of the scene's time namespace counts.
  const last = Math.max(...[...below].map((pid) => Number(stage.identity(pid).start)));
  await stage.until(
    'the next one is started apart',
    () => {
      const [seconds] = stage.read('/proc/uptime').split(' ');
      return Number(seconds) * 100 > last + togetherTicks + 1;
    },
    40,
  );
};

describe.concurrent('servers that pile up under a living host', () => {
  test(
    'the older sets are offered once no byte was seen for six hours, and as many younger ones stay',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      // Two entries of one command.
      const first = await serve(agent, 2);
      const older = first.flatMap(({ pid }) => agent.tree(pid));
      const host = agent.actor.pid;
      expect(await setsOf(stage)).toEqual([]);
      await afterTheirStart(stage, agent);
      const younger = await serve(agent, 2);
      expect(await setsOf(stage)).toMatchObject([{ host, sets: 0, waiting: 2 }]);
      const innocents = [
        bystander(stage, 'the host', host),
        ...younger.flatMap(({ pid }) => agent.tree(pid)).map(({ pid }) => bystander(stage, 'a younger one', pid)),
      ];
      expect((await reap(stage, ['--older-sets', String(host)])).incidents).toEqual([]);
      await measuredLongAgo(stage);
      expect(await setsOf(stage)).toMatchObject([{ host, sets: 2, waiting: 0 }]);
      const line = 'End 2 older sets, ';
      expect((await runCurfew(stage, ['scan'])).stdout).toContain(line);
      const service = await launchService(stage);
      const window = await service.open();
      const [offered] = (await window.get('sessions.list', {})).olderSets;
      const [job = 'none'] = offered?.jobs ?? [];
      expect(offered?.jobs).toHaveLength(2);
      expect(window.snapshot.jobs.map(({ id }) => id)).not.toContain(job);
      await window.get('job.reapAll', { jobs: [{ job }] });
      await stage.until('one set has ended', () => older.filter((one) => !stage.lives(one)).length === 3);
      await stage.until('its end is on record', () =>
        window.snapshot.reapings.every(({ endedAt }) => endedAt !== null),
      );
      await service.stop();
      const done = await reap(stage, ['--older-sets', String(host)]);
      expect(done.incidents).toMatchObject([{ decidedBy: 'command' }]);
      expectGone(stage, older);
      expectUntouched(stage, innocents);
    }, forLong),
  );

  test(
    'nothing is offered where the youngest set is broken',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      const first = await agent.serve('wrapped');
      await afterTheirStart(stage, agent);
      const youngest = await agent.serve('wrapped');
      await measuredLongAgo(stage);
      const last = agent.tree(youngest.pid).at(-1) ?? youngest;
      await stage.first.signal(last.pid, 'STOP');
      await stage.until('it is stopped', () => stage.row(last.pid)?.state === 'T');
      const innocents = agent.tree(first.pid).map(({ pid }) => bystander(stage, 'the older set', pid));
      expect(await setsOf(stage)).toMatchObject([{ sets: 0, waiting: 1 }]);
      expect((await reap(stage, ['--older-sets', String(agent.actor.pid)])).incidents).toEqual([]);
      await stage.first.signal(last.pid, 'KILL');
      await stage.until('it has ended', () => !stage.lives(last));
      expect((await reap(stage, ['--older-sets', String(agent.actor.pid)])).incidents).toEqual([]);
      expectUntouched(stage, innocents);
      expect(await history(stage)).toEqual([]);
    }, forLong),
  );

  test(
    'one that was used since it was measured is not ended',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      await agent.serve('wrapped');
      const called = await agent.serve('called');
      await afterTheirStart(stage, agent);
      await agent.serve('wrapped');
      await agent.serve('called');
      await measuredLongAgo(stage);
      const service = await launchService(stage);
      const window = await service.open();
      const jobs = (await window.get('sessions.list', {})).olderSets.flatMap((one) => one.jobs);
      expect(jobs).toHaveLength(2);
      stage.write('/tmp/call', '');
      await stage.until('it was used', () => stage.has('/tmp/called') && stage.read('/tmp/called').length === 500_000);
      const innocent = bystander(stage, 'the set that was used', called.pid);
      const answers = await Promise.all(jobs.map((job) => window.ask('job.reap', { job })));
      const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
      expect(refused).toMatchObject([{ code: 'vetoed' }]);
      expect(refused.map(({ message }) => inEnglish(message)).join('')).toContain('it was used since');
      await service.stop();
      expectUntouched(stage, [innocent]);
      expect(new Set((await history(stage)).map(({ outcome }) => outcome))).toEqual(new Set(['reaped', 'spared']));
    }, forLong),
  );

  test(
    'one that ignores TERM and was not used is killed',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      const older = await agent.serve('stubborn');
      await afterTheirStart(stage, agent);
      const youngest = await agent.serve('stubborn');
      await measuredLongAgo(stage);
      const argv = ['--older-sets', String(agent.actor.pid), '--grace', '2s'];
      expect((await reap(stage, argv)).incidents).toMatchObject([{ outcome: 'killed' }]);
      expectGone(stage, [older]);
      expectUntouched(stage, [bystander(stage, 'the youngest', youngest.pid)]);
    }, forLong),
  );

  test(
    'one that moves bytes unseen, computes, listens or serves another folder or account may be in use',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'codex');
      const habits = ['busy', 'receives', 'shares', 'computes', 'answers', 'orders'] as const;
      for (const habit of habits) await agent.serve(habit);
      await agent.serve('deaf');
      await agent.serve('stubborn', { env: { TOKEN: 'work' } });
      await afterTheirStart(stage, agent);
      for (const habit of habits) await agent.serve(habit);
      await agent.serve('deaf', { cwd: stage.home });
      await agent.serve('stubborn', { env: { TOKEN: 'private' } });
      await measuredLongAgo(stage);
      expect(await setsOf(stage)).toMatchObject([...habits, 'deaf', 'stubborn'].map(() => ({ sets: 0, waiting: 1 })));
    }, forLong),
  );
});
