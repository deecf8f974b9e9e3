import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { history, reap, scan } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';
import { jobListed, listed, startAsking } from './asking.ts';

describe.concurrent('the server ends with its client, and is never what Curfew hunts', () => {
  test(
    'it ends when its input is closed',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const asking = await startAsking(stage, claude.actor);
      asking.close();
      await stage.until('the server has ended', () => !stage.lives(asking.server));
      expect(JSON.parse(await asking.written('ended'))).toEqual({ code: 0, signal: null });
    }),
  );

  test(
    'it ends when its client is killed',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const asking = await startAsking(stage, claude.actor);
      await stage.first.signal(asking.client.pid, 'KILL');
      await stage.until('the server has ended', () => !stage.lives(asking.server));
      expect(stage.lives(claude.identity)).toBe(true);
    }),
  );

  test(
    'it ends when the process that started it ends, although another holds its input open',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const pipe = '/tmp/scene/held-open';
      const parent = await stage.actor({ argv: ['launcher'], parent: claude.actor, setsid: true });
      const asking = await startAsking(stage, parent, { CURFEW_TEST_HELD: pipe });
      const held = await stage.find('what holds its input open', ({ argv }) => argv.join(' ') === 'sleep 3600');
      await stage.first.signal(asking.client.pid, 'KILL');
      await stage.until('the server has ended', () => !stage.lives(asking.server));
      expect(stage.row(held.pid)).not.toBeNull();
    }),
  );

  test(
    'an end that was begun is carried through when the client is killed, and nothing stays behind',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap 'touch /tmp/scene/heard' TERM; while :; do sleep 3701; done");
      await stage.untilDeaf(call.shell.pid, 'SIGTERM');
      const asking = await startAsking(stage, claude.actor);
      asking.begin('end_my_job', { job: await jobListed(asking, '3701') });
      const worker = await stage.find('the process of the call', ({ argv }) => argv.includes('--call'));
      await stage.until('the job heard the first signal', () => stage.has('/tmp/scene/heard'));
      await stage.first.signal(asking.client.pid, 'KILL');
      await stage.until('the job has ended', () => !stage.lives(call.shell));
      await stage.until('the server has ended', () => !stage.lives(asking.server));
      await stage.until('the process of the call has ended', () => !stage.lives(worker));
      expect(await history(stage)).toEqual([expect.objectContaining({ outcome: 'killed', decidedBy: 'agent' })]);
    }),
  );

  test(
    'to Curfew it is never due; and it does not list itself',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const asking = await startAsking(stage, claude.actor, claude.environment('harness'));
      expect((await listed(asking)).work).toEqual([]);
      const { jobs } = await scan(stage, ['--all']);
      const own = jobs.filter(({ members }) => members.some(({ pid }) => pid === asking.server.pid));
      expect(own.filter(({ owner, verdict }) => owner !== 'live' || verdict.action !== 'none')).toEqual([]);
      await reap(stage, ['--max-age', '0s', '--grace', '1s']);
      await reap(stage, ['--max-age', '0s', '--grace', '1s', '--kind', 'server']);
      expect(stage.lives(asking.server)).toBe(true);
    }),
  );
});
