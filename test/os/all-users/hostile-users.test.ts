import { describe, expect, test } from 'vitest';
import { scene, type Scene } from '../scene/scene.ts';
import { addUsers, give, ownEtc, type SceneUser } from '../scene/users.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { agentWithJob, childOf, children, quick, settle, startService, statusOf } from './service.ts';

/** How long users are hostile, and with how many processes; `npm run test:hostile` plays 10 min. */
const seconds = Number(process.env['CURFEW_TEST_HOSTILE_SECONDS'] ?? 1);
const crowd = Number(process.env['CURFEW_TEST_FOREIGN'] ?? 150);

const pad = 'x'.repeat(120_000);

/** What each hostile user runs, in perl. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  stopper: ['while (1) { kill "STOP", -1; select undef, undef, undef, 0.002 }'],
  forker: ['for (1 .. shift) { next if fork; sleep 9999 while 1 } sleep 9999 while 1', String(crowd), pad, pad],
  filler: [
    'chdir $ENV{HOME}; while (1) { system "rm -rf .config .local; mkdir -p .config/curfew .local/state; ' +
      'mkfifo .config/curfew/settings.json; ln -s /dev/zero .local/state/curfew; ' +
      'head -c 50000000 /dev/zero > filled; rm filled"; select undef, undef, undef, 0.2 }',
  ],
};

const attack = async (stage: Scene, user: SceneUser): Promise<void> => {
  await stage.first.start({
    file: '/usr/bin/perl',
    argv: ['perl', '-e', ...(attacks[user.name] ?? [])],
    env: { PATH: '/usr/bin:/bin', HOME: user.home },
    uid: user.uid,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
};

describe.skipIf(!manyUsers)(`three hostile users at once${unlessManyUsers}`, () => {
  test(
    'keep no leftover of an honest user from being ended, and no service from ending',
    scene(async (stage) => {
      await ownEtc(stage);
      const [alice, ...hostile] = addUsers(stage, 'alice', ...Object.keys(attacks));
      if (alice === undefined) throw new Error('a user');
      settle(stage, alice, { ...quick, mode: 'enforce' });
      for (const user of hostile) {
        give(stage, user.home, user.uid);
        await attack(stage, user);
      }
      const service = await startService(stage);
      const until = Date.now() + seconds * 1000;
      for (let round = 0; round === 0 || Date.now() < until; round += 1) {
        const { claude, job } = await agentWithJob(stage, alice, `sleep ${4000 + round} | cat`);
        await stage.until(`round ${round}: it is seen\n${service.stdout()}`, () =>
          statusOf(stage, alice).startsWith('1 job'),
        );
        await claude.crash();
        await stage.until(`round ${round}: the leftover is gone`, () => !stage.lives(job));
      }
      await childOf(stage, alice);
      await service.signal('TERM');
      expect((await service.ended()).code).toBe(0);
      await stage.until('no child is left', () => children(stage).length === 0);
    }),
  );
});
