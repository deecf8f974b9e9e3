import { describe, expect, test } from 'vitest';
import { launchService } from '../interface/running-service.ts';
import { startAsking } from '../mcp/asking.ts';
import { FakeClaude } from '../scene/claude.ts';
import { curfewEnvironment, jobWith, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { leaves } from '../spared/sockets-unseen.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

/** Who and what holds a job beyond the hard cap, and who can't. The least cap is a minute. */

const limits = { scanIntervalSeconds: 1, backgroundMaxElapsedSeconds: 50, backgroundMaxElapsedSecondsHardCap: 60 };
const serves =
  '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5433"); while (1) { push @c, $s->accept; open F, ">/tmp/taken"; close F }';
const connects = '$c = IO::Socket::INET->new("127.0.0.1:5433"); sleep 3600';

const stateOf = async (stage: Scene, one: Identity): Promise<string> =>
  jobWith(await scan(stage, ['--all']), one.pid).verdict.state;

describe.concurrent('the hard cap', () => {
  test(
    'asks about what a program of the user’s is connected to, and is moved by the user who was told of it, once',
    scene(async (stage) => {
      const settings = { ...limits, mode: 'enforce', noticeSeconds: 30, atMaxElapsed: 'notify' };
      writeSettings(stage, { ...settings, exemptions: [{ command: '*7003*' }] });
      const claude = await FakeClaude.start(stage);
      const used = await claude.bash(leaves(serves));
      const user = await stage.top.begin({
        file: '/usr/bin/perl',
        argv: ['perl', '-MIO::Socket', '-e', `until ($c) { ${connects.split(' sleep')[0]} } sleep 3600`],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('it is connected', () => stage.has('/tmp/taken'));
      const usersKeep = await claude.bash('sleep 7001');
      const agentsKeep = await claude.bash('sleep 7002');
      const exempt = await claude.bash('sleep 7003');
      const watch = await startCurfew(stage, ['watch', '--json']);
      // Its end is announced 30 s ahead.
      const isNear = async ({ pid }: Identity): Promise<boolean> =>
        jobWith(await scan(stage, ['--all']), pid).ageSeconds > 32;
      while (!(await isNear(agentsKeep.shell))) await afterLooks(stage, watch, 1);
      await afterLooks(stage, watch, 2);
      const idOf = async ({ pid }: Identity): Promise<string> => jobWith(await scan(stage, ['--all']), pid).id;
      const ofAgent = { ...curfewEnvironment(stage), ...claude.environment() };
      const keep = (id: string): readonly string[] => ['keep', id, '--for', '10m'];
      expect((await runCurfew(stage, keep(await idOf(usersKeep.shell)))).stdout).toContain('the hard cap limits it');
      // A tool call of the agent: to the cap, and no further.
      await runCurfew(stage, keep(await idOf(agentsKeep.shell)), { parent: claude.actor, env: ofAgent });
      await stage.until(
        'the cap ends the others',
        () => !stage.lives(agentsKeep.shell) && !stage.lives(exempt.shell),
        300,
      );
      await afterLooks(stage, watch, 5);
      const innocents = [
        bystander(stage, 'what is in use', used.shell.pid),
        bystander(stage, 'its user', user.pid),
        bystander(stage, 'what the user keeps', usersKeep.shell.pid),
      ];
      expectGone(stage, [agentsKeep.shell, exempt.shell]);
      expect(await stateOf(stage, usersKeep.shell)).toBe('kept');
      const asked = jobWith(await scan(stage, ['--all']), used.shell.pid).verdict;
      expect([asked.state, asked.action]).toEqual(['past-cap', 'notify']);
      expect(asked.reasons.map(({ code }) => code)).toContain('asked-at-cap');
      expectUntouched(stage, innocents);
      // The user’s answer.
      writeSettings(stage, { ...settings, inUseAtHardCap: 'end' });
      await stage.until('it is ended', () => !stage.lives(used.shell), 300);
      expect(stage.lives(user)).toBe(true);
      await watch.signal('TERM');
      await watch.ended();
    }),
  );

  test(
    'is moved from a window by the user, and not by the session’s own server or tool call',
    scene(async (stage) => {
      writeSettings(stage, { ...limits, mode: 'observe' });
      const claude = await FakeClaude.start(stage);
      const calls = [await claude.bash('sleep 7001'), await claude.bash('sleep 7002')] as const;
      const service = await launchService(stage);
      const window = await service.open();
      const [byUser, byAgent] = await Promise.all(
        calls.map(({ shell }) => window.job(shell.pid, ({ verdict }) => verdict.state === 'past-cap')),
      );
      if (byUser === undefined || byAgent === undefined) throw new Error('no jobs');
      const asking = await startAsking(stage, claude.actor, claude.environment('harness'));
      const wish = { job: byAgent.id, minutes: 5, reason: 'not finished' };
      const refused = await asking.call('keep_my_job', wish);
      expect([refused.refused, refused.text]).toEqual([true, expect.stringContaining('past its hard cap')]);
      const ofAgent = { ...curfewEnvironment(stage), ...claude.environment() };
      const call = await runCurfew(stage, ['keep', byAgent.id, '--for', '5m'], {
        parent: claude.actor,
        env: ofAgent,
      });
      expect([call.code, call.stderr]).toEqual([1, expect.stringContaining('only you')]);
      await window.get('job.keep', { job: byUser.id, seconds: 3_600 });
      expect(await stateOf(stage, calls[0].shell)).toBe('kept');
      expect(await stateOf(stage, calls[1].shell)).toBe('past-cap');
      asking.close();
      await service.stop();
    }),
  );
});
