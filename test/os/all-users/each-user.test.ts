import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { history, runCurfew, startCurfew } from '../scene/curfew.ts';
import { expectUntouched } from '../scene/innocents.ts';
import { missingJournald, readJournal, startJournald } from '../scene/journald.ts';
import { readEnvironment } from '../scene/processes.ts';
import { scene } from '../scene/scene.ts';
import { addUsers, ownEtc } from '../scene/users.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { agentWithJob, asUser, childOf, quick, settle, startService, statusOf, staying, uidOf } from './service.ts';

describe.skipIf(!manyUsers).concurrent(`one Curfew for all users${unlessManyUsers}`, () => {
  test(
    'ends each user’s leftovers by that user’s settings: enforce, observe, and no choice',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, bob, carol] = addUsers(stage, 'alice', 'bob', 'carol');
      if (alice === undefined || bob === undefined || carol === undefined) throw new Error('three users');
      settle(stage, alice, { ...quick, mode: 'enforce' });
      settle(stage, bob, { ...quick, mode: 'observe' });
      settle(stage, carol, quick);
      const theirs = {
        alice: await agentWithJob(stage, alice, 'sleep 3601 | cat'),
        bob: await agentWithJob(stage, bob, 'sleep 3602 | cat'),
        carol: await agentWithJob(stage, carol, 'sleep 3603 | cat'),
      };
      const service = await startService(stage);
      for (const user of [alice, bob, carol])
        await stage.until(`${user.name}: ${service.stdout()}`, () => /\d job/u.test(statusOf(stage, user)));
      for (const { claude } of Object.values(theirs)) await claude.crash();
      await stage.until('alice’s leftover is gone', () => !stage.lives(theirs.alice.job));
      for (const user of [bob, carol])
        await stage.until(`${user.name}’s is left over`, () => statusOf(stage, user).includes('left over'));
      // Further looks of theirs.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expectUntouched(stage, [staying('bob’s', theirs.bob.job), staying('carol’s', theirs.carol.job)]);
      await service.signal('TERM');
      expect(await service.ended()).toMatchObject({ code: 0, stderr: '' });
      const environment = { ...stage.userEnvironment(), HOME: alice.home };
      const said = await runCurfew(stage, ['history', '--json'], { env: environment, through: asUser(alice) });
      expect(said.stdout).toContain('"outcome":"reaped"');
      expect(said.stdout).toContain('sleep 3601');
      for (const user of [bob, carol]) {
        const none = await runCurfew(stage, ['history', '--json'], {
          env: { ...stage.userEnvironment(), HOME: user.home },
          through: asUser(user),
        });
        expect(none.stdout).not.toContain('sleep 36');
      }
      expect(await history(stage)).toEqual([]);
      // The journal of the machine names users, and nothing of what they run.
      expect(service.stdout()).not.toMatch(/sleep|claude/u);
    }),
  );

  test(
    'the operator’s defaults hold for a user who chose nothing, and not against one who did',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, bob] = addUsers(stage, 'alice', 'bob');
      if (alice === undefined || bob === undefined) throw new Error('two users');
      stage.write('/etc/curfew/settings.json', JSON.stringify({ ...quick, mode: 'enforce' }));
      settle(stage, bob, { mode: 'observe' });
      const theirs = {
        alice: await agentWithJob(stage, alice, 'sleep 3604'),
        bob: await agentWithJob(stage, bob, 'sleep 3605'),
      };
      const service = await startService(stage);
      for (const user of [alice, bob])
        await stage.until(`${user.name} is seen`, () => /\d job/u.test(statusOf(stage, user)));
      for (const { claude } of Object.values(theirs)) await claude.crash();
      await stage.until('alice’s leftover is gone', () => !stage.lives(theirs.alice.job));
      await stage.until('bob’s is left over', () => statusOf(stage, bob).includes('left over'));
      expectUntouched(stage, [staying('bob’s', theirs.bob.job)]);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test.skipIf(missingJournald !== '')(
    `by the operator’s defaults each end is a line in the journal of the machine, from its user${missingJournald === '' ? '' : ` (SKIPPED: no ${missingJournald})`}`,
    scene(async (stage) => {
      await ownEtc(stage);
      await startJournald(stage);
      const [alice, bob] = addUsers(stage, 'alice', 'bob');
      if (alice === undefined || bob === undefined) throw new Error('two users');
      stage.write(
        '/etc/curfew/settings.json',
        JSON.stringify({ ...quick, mode: 'enforce', incidentLines: 'journald' }),
      );
      settle(stage, bob, { mode: 'observe' });
      const { claude, job } = await agentWithJob(stage, alice, 'sleep 3608');
      const bobs = await agentWithJob(stage, bob, 'sleep 3609');
      const service = await startService(stage);
      for (const user of [alice, bob])
        await stage.until(`${user.name} is seen`, () => /\d job/u.test(statusOf(stage, user)));
      await claude.crash();
      await stage.until('alice’s leftover is gone', () => !stage.lives(job));
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
      expectUntouched(stage, [staying('bob’s', bobs.job)]);
      const ended = await readJournal(stage, 'EVENT_NAME=curfew.job.ended');
      // The uid is what the kernel says of the sender.
      expect(ended).toMatchObject([{ PROCESS_PID: String(job.pid), PROCESS_OWNER: 'alice', _UID: String(alice.uid) }]);
    }),
  );

  test(
    'each child has its user’s rights and a clean environment, and its results are that user’s alone',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, bob] = addUsers(stage, 'alice', 'bob');
      if (alice === undefined || bob === undefined) throw new Error('two users');
      const { job } = await agentWithJob(stage, alice, 'sleep 3606');
      await agentWithJob(stage, bob, 'sleep 3607');
      const service = await startService(stage);
      await stage.until('alice’s job is seen', () => statusOf(stage, alice).includes('1 job'));
      const child = await childOf(stage, alice);
      const status = stage.read(`/proc/${child.pid}/status`);
      for (const name of ['Uid', 'Gid'])
        expect(status).toMatch(new RegExp(`^${name}:\\t${[1, 2, 3, 4].map(() => alice.uid).join('\\t')}$`, 'mu'));
      expect(status).toMatch(/^Groups:\s*$/mu);
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
        expect(status).toMatch(new RegExp(`^${set}:\\t0+$`, 'mu'));
      expect(readEnvironment(stage.proc, child.pid)).toEqual({
        HOME: alice.home,
        USER: 'alice',
        LOGNAME: 'alice',
        SHELL: '/bin/bash',
        PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin',
        LANG: 'C.UTF-8',
      });
      const state = stage.outside(`${alice.home}/.local/state/curfew`);
      const files = readdirSync(state, { recursive: true, encoding: 'utf8' });
      expect(files).toContain('ledger.db');
      for (const file of files) {
        const { mode, uid } = statSync(`${state}/${file}`);
        expect({ file, others: mode & 0o077, uid }).toEqual({ file, others: 0, uid: alice.uid });
      }
      const holder = stage.read(`${alice.home}/.local/state/curfew/supervisor.lock.json`);
      expect(JSON.parse(holder)).toMatchObject({ pid: child.pid, what: 'service', mode: null });
      // Bob, with all of bob's power, sees no job of alice, in nothing that Curfew tells or keeps.
      const bobs = { ...stage.userEnvironment(), HOME: bob.home, USER: 'bob' };
      const asBob = ['/usr/bin/setpriv', '--reuid', String(bob.uid), '--regid', String(bob.uid), '--clear-groups'];
      const look = await runCurfew(stage, ['scan', '--json', '--all'], { env: bobs, through: asBob, cwd: '/' });
      expect(look.code).toBe(0);
      expect(look.stdout).toContain('sleep 3607');
      expect(look.stdout).not.toContain('sleep 3606');
      const read = await stage.first.start({
        file: '/bin/cat',
        argv: ['cat', `${alice.home}/.local/state/curfew/ledger.db`],
        env: bobs,
        uid: bob.uid,
        fds: { 1: '/dev/null', 2: '/dev/null' },
      });
      expect((await stage.first.ended(read)).code).toBe(1);
      expect(uidOf(stage, job.pid)).toBe(alice.uid);
      await service.signal('INT');
      expect((await service.ended()).code).toBe(0);
      // Nothing of Curfew's was written for root.
      expect(['/tmp/root-curfew', '/tmp/root-state'].map((path) => stage.has(path))).toEqual([false, false]);
    }),
  );

  test(
    'a file that root’s shell left open is in no child',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice] = addUsers(stage, 'alice');
      if (alice === undefined) throw new Error('a user');
      const secret = stage.write('/tmp/scene/secret', 'root only', 0o600);
      await agentWithJob(stage, alice, 'sleep 3609');
      const service = await startCurfew(stage, ['watch', '--all-users'], {
        through: ['/bin/bash', '-c', `exec 9<${secret} 200<${secret}; exec "$@"`, 'bash'],
        cwd: '/',
      });
      const child = await childOf(stage, alice);
      await stage.until('it supervises', () => statusOf(stage, alice).includes('1 job'));
      const files = readdirSync(`${stage.proc}/${child.pid}/fd`).map((fd) =>
        readlinkSync(`${stage.proc}/${child.pid}/fd/${fd}`),
      );
      expect(files.length).toBeGreaterThan(3);
      expect(files).not.toContain(secret);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
    }),
  );

  test(
    'a process that claims to belong to another user’s session is ended for neither',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, mallory] = addUsers(stage, 'alice', 'mallory');
      if (alice === undefined || mallory === undefined) throw new Error('two users');
      settle(stage, alice, { ...quick, mode: 'enforce' });
      settle(stage, mallory, { ...quick, mode: 'observe' });
      const { claude, job } = await agentWithJob(stage, alice, 'sleep 3608 | cat');
      // Mallory's process carries every mark of alice's session.
      const disguised = await stage.play(
        {
          argv: ['node', 'disguise.js'],
          env: { ...claude.environment(), HOME: alice.home, USER: 'alice' },
          cwd: '/tmp/mallory',
          uid: mallory.uid,
          setsid: true,
        },
        '',
        'resident.pl',
      );
      const service = await startService(stage);
      await stage.until('alice’s job is seen', () => statusOf(stage, alice).includes('1 job'));
      await childOf(stage, mallory);
      await claude.crash();
      await stage.until('alice’s leftover is gone', () => !stage.lives(job));
      expectUntouched(stage, [staying('mallory’s', disguised)]);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
      expectUntouched(stage, [staying('mallory’s', disguised)]);
    }),
  );
});
