import { describe, expect, test } from 'vitest';
import { runCurfew, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { scene } from '../scene/scene.ts';
import { addUsers, ownEtc } from '../scene/users.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import {
  agentWithJob,
  asUser,
  childOf,
  children,
  quick,
  settle,
  startService,
  statusOf,
  supervises,
  uidOf,
} from './service.ts';

describe.skipIf(!manyUsers).concurrent(`users of the service${unlessManyUsers}`, () => {
  test(
    'a user without anything of an agent costs nothing after a while, and an agent brings its Curfew back',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice] = addUsers(stage, 'alice');
      if (alice === undefined) throw new Error('a user');
      // Other machines are nothing to watch here, unless the operator allows it.
      settle(stage, alice, { schemaVersion: 1, hosts: ['build.example.com'] });
      const plain = await stage.actor({ argv: ['bash'], uid: alice.uid, cwd: alice.home, setsid: true });
      const service = await startService(stage, ['--rest-after', '2s']);
      const first = await childOf(stage, alice);
      await stage.until('it rests', () => !stage.lives(first));
      await stage.until('it is said', () => service.stdout().includes('nothing of an agent is there'));
      const { claude, job } = await agentWithJob(stage, alice, 'sleep 3611 | cat');
      const second = await childOf(stage, alice);
      expect(second.pid).not.toBe(first.pid);
      await stage.until('its job is seen', () => statusOf(stage, alice).includes('1 job'));
      // A leftover is something to watch, also when no agent runs.
      await claude.crash();
      await stage.until('it is left over', () => statusOf(stage, alice).includes('left over'));
      await new Promise((resolve) => setTimeout(resolve, 6000));
      expect([stage.lives(second), stage.lives(job)]).toEqual([true, true]);
      await plain.exit();
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test(
    'a user who logs in later is found; system accounts, users without a shell and unlisted ones are not',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, bob] = addUsers(stage, 'alice', 'bob');
      if (alice === undefined || bob === undefined) throw new Error('two users');
      const passwd = stage.read('/etc/passwd');
      stage.write('/etc/passwd', passwd.replace(/^(bob:.*):\/bin\/bash$/mu, '$1:/usr/sbin/nologin'));
      for (const uid of [bob.uid, 65_534, 12, 0])
        await stage.actor({ argv: ['claude'], uid, cwd: '/tmp', setsid: true });
      const service = await startService(stage);
      // Without root it says so.
      const refused = await runCurfew(stage, ['watch', '--all-users'], { through: asUser(alice), cwd: '/' });
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('only root can');
      await FakeClaude.start(stage, { user: alice });
      const child = await childOf(stage, alice);
      await stage.until('it supervises', () => supervises(stage, alice));
      expect(children(stage)).toEqual([child]);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test(
    'with --user only these are supervised, root among them if named',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, bob] = addUsers(stage, 'alice', 'bob');
      if (alice === undefined || bob === undefined) throw new Error('two users');
      stage.write(
        '/etc/passwd',
        stage.read('/etc/passwd').replace(/^root:.*$/mu, `root:x:0:0:root:${stage.home}:/bin/bash`),
      );
      for (const user of [alice, bob]) await FakeClaude.start(stage, { user });
      const service = await startService(stage, ['--user', 'root', '--user', 'bob', '--rest-after', '1h']);
      const uids = (): readonly (number | null)[] => children(stage).map(({ pid }) => uidOf(stage, pid));
      await stage.until('each has a child', () => [0, bob.uid].every((uid) => uids().includes(uid)));
      expect(uids()).not.toContain(alice.uid);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test(
    'a user with a Curfew of its own keeps it: the child stands back and touches nothing',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice] = addUsers(stage, 'alice');
      if (alice === undefined) throw new Error('a user');
      settle(stage, alice, { ...quick, mode: 'enforce' });
      const { claude, job } = await agentWithJob(stage, alice, 'sleep 3612 | cat');
      const env = { ...stage.userEnvironment(), HOME: alice.home, USER: 'alice' };
      const own = await startCurfew(stage, ['watch', '--json'], { env, through: asUser(alice), cwd: alice.home });
      await stage.until('it looks', () => own.stdout().includes('"event":"looked"'));
      const service = await startService(stage);
      await stage.until('the child stood back', () => service.stdout().includes('a Curfew of its own supervises'));
      expect(children(stage)).toEqual([]);
      await claude.crash();
      await stage.until('the leftover is gone', () => !stage.lives(job));
      await stage.until('its own Curfew told', () => own.stdout().includes('"event":"ended"'));
      await own.signal('TERM');
      expect((await own.ended()).code).toBe(0);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test(
    'a user who starts a Curfew of its own gets it: the child makes room within moments',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice] = addUsers(stage, 'alice');
      if (alice === undefined) throw new Error('a user');
      settle(stage, alice, { ...quick, mode: 'enforce' });
      const { claude, job } = await agentWithJob(stage, alice, 'sleep 3615 | cat');
      const service = await startService(stage);
      const child = await childOf(stage, alice);
      await stage.until('it supervises', () => statusOf(stage, alice).includes('1 job'));
      const env = { ...stage.userEnvironment(), HOME: alice.home, USER: 'alice' };
      const own = await startCurfew(stage, ['watch', '--json'], { env, through: asUser(alice), cwd: alice.home });
      await stage.until(`it looks ${own.stderr()}`, () => own.stdout().includes('"event":"looked"'));
      // It lets the lock go, and ends.
      await stage.until('the child has ended', () => !stage.lives(child));
      await stage.until('the service knows', () => service.stdout().includes('a Curfew of its own supervises'));
      expect(stage.has(`${alice.home}/.local/state/curfew/supervisor.lock.wanted`)).toBe(false);
      await claude.crash();
      await stage.until('the leftover is gone', () => !stage.lives(job));
      await own.signal('TERM');
      expect((await own.ended()).code).toBe(0);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test(
    'a child that crashes again and again is started ever later, and disturbs no other user',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, bob] = addUsers(stage, 'alice', 'bob');
      if (alice === undefined || bob === undefined) throw new Error('two users');
      for (const user of [alice, bob]) await agentWithJob(stage, user, 'sleep 3613');
      const service = await startService(stage);
      const other = await childOf(stage, bob);
      for (const wait of ['10 s', '20 s']) {
        const { pid } = await childOf(stage, alice);
        await stage.first.signal(pid, 'KILL');
        await stage.until(`it waits ${wait}\n${service.stdout()}`, () =>
          service.stdout().includes(`its Curfew ended by SIGKILL; looked again in ${wait}`),
        );
      }
      expect(stage.lives(other)).toBe(true);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test(
    'TERM sees through what a child is ending; KILL of the first process ends every child by itself',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, bob] = addUsers(stage, 'alice', 'bob');
      if (alice === undefined || bob === undefined) throw new Error('two users');
      settle(stage, alice, { ...quick, backgroundKillGraceSeconds: 4, mode: 'enforce' });
      const { claude, job } = await agentWithJob(stage, alice, "trap '' TERM; while :; do sleep 1; done");
      await agentWithJob(stage, bob, 'sleep 3614');
      const service = await startService(stage);
      await stage.until('alice’s job is seen', () => statusOf(stage, alice).includes('1 job'));
      await childOf(stage, bob);
      await claude.crash();
      const log = `${alice.home}/.local/state/curfew/logs`;
      await stage.until('it is being ended', () => stage.contents(log).some((text) => text.includes('reaping')));
      expect(stage.lives(job)).toBe(true);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
      expect(stage.lives(job)).toBe(false);
      expect(children(stage)).toEqual([]);
      const env = { ...stage.userEnvironment(), HOME: alice.home };
      expect((await runCurfew(stage, ['history', '--json'], { env, through: asUser(alice) })).stdout).toContain(
        '"outcome":"killed"',
      );

      const next = await startService(stage);
      await childOf(stage, bob);
      await stage.until('bob’s supervises', () => supervises(stage, bob));
      await next.signal('KILL');
      await next.ended();
      await stage.until('no child is left', () => children(stage).length === 0);
      expect(supervises(stage, bob)).toBe(false);
    }),
  );
});
