import { describe, expect, test } from 'vitest';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { type Innocent, expectGone, expectUntouched, innocent } from '../scene/innocents.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** The host side proxy of a sandbox, which forwards to a port of its agent. */
const proxyOf = async (stage: Scene, claude: FakeClaude, port: number): Promise<Innocent> =>
  innocent(stage, {
    argv: [
      'socat',
      `UNIX-LISTEN:/tmp/claude-http-27657c577e8e${port}.sock,fork,reuseaddr`,
      `TCP:localhost:${port},keepalive,keepidle=10,keepintvl=5,keepcnt=3`,
    ],
    cwd: claude.project,
    parent: claude.actor,
    env: claude.environment('harness'),
  });

describe.concurrent('the proxy of a sandbox', () => {
  test(
    'is a leftover once its agent was killed and its target port is closed; that of a running agent is not a job',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const living = await FakeClaude.start(stage, { project: `${stage.home}/living` });
      const stale = await proxyOf(stage, claude, 4303);
      const inUse = await proxyOf(stage, living, 4304);
      expect((await scan(stage, ['--all'])).jobs).toEqual([]);
      await claude.crash();
      const look = await scan(stage, ['--all']);
      expect(look.jobs).toHaveLength(1);
      const job = jobWith(look, stale.identity.pid);
      expect(job).toMatchObject({
        rule: 'claude-sandbox-proxy',
        owner: 'gone',
        diagnoses: ['stale-sandbox-proxy'],
        proof: 'claimed',
        verdict: { state: 'probable' },
        vetoes: [],
      });
      expect(job.members).toHaveLength(1);
      await stage.first.signal(stale.identity.pid, 'CONT');
      expect((await reapOrphans(stage)).incidents).toEqual([]);
      const reaping = await reapOrphans(stage, { probable: true });
      expect(reaping.incidents.map(({ outcome }) => outcome)).toEqual(['killed']);
      expectGone(stage, [stale.identity]);
      expectUntouched(stage, [inUse]);
    }),
  );

  test(
    'is spared while its target port is open, and is not a job if it names no agent',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const proxy = await proxyOf(stage, claude, 4305);
      const behind = await innocent(stage, { argv: ['node', 'behind.js'] }, { port: 4305 });
      const { CLAUDE_CODE_MESSAGING_SOCKET: _, ...unnamed } = claude.environment('harness');
      const nameless = await innocent(stage, {
        argv: [
          'socat',
          'UNIX-LISTEN:/tmp/claude-http-27657c577e8e4306.sock,fork,reuseaddr',
          'TCP:localhost:4306,keepalive,keepidle=10,keepintvl=5,keepcnt=3',
        ],
        cwd: claude.project,
        parent: claude.actor,
        env: unnamed,
      });
      await claude.crash();
      const look = await scan(stage, ['--all']);
      expect(look.jobs.map(({ root, vetoes }) => [root.pid, vetoes.map(({ code }) => code)])).toEqual([
        [proxy.identity.pid, ['proxy-in-use']],
      ]);
      expect((await reapOrphans(stage)).incidents.flatMap(({ signals }) => signals)).toEqual([]);
      expectUntouched(stage, [proxy, behind, nameless]);
    }),
  );
});
