import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { expectUntouched, type Innocent } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';
import { addUsers, ownEtc } from '../scene/users.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { quick, settle, startService, statusOf, staying } from './service.ts';

/** A user of a random world. */
interface UserPlan {
  /** What the user chose; null: nothing. */
  readonly mode: 'enforce' | 'observe' | null;
  /** Each is an agent with one tool call in the background; true: it crashes. */
  readonly sessions: readonly boolean[];
  /** A process with all marks of the user before runs besides. */
  readonly disguises: boolean;
}

interface SmallWorld {
  readonly operator: 'enforce' | 'observe' | null;
  readonly plans: readonly UserPlan[];
}

const modes = fc.constantFrom('enforce', 'observe', null);
const worlds: fc.Arbitrary<SmallWorld> = fc.record({
  operator: modes,
  plans: fc.array(
    fc.record({
      mode: modes,
      sessions: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
      disguises: fc.boolean(),
    }),
    { minLength: 2, maxLength: 3 },
  ),
});

const count = Number(process.env['CURFEW_TEST_USER_WORLDS'] ?? 4);
const seed = Number(process.env['CURFEW_TEST_USER_SEED'] ?? 20_261_123);

describe.skipIf(!manyUsers).concurrent(`random machines of many users${unlessManyUsers}`, () => {
  for (const [index, world] of fc.sample(worlds, { numRuns: count, seed }).entries())
    test(
      `${index} (seed ${seed}): exactly the leftovers of users who enforce end; ${JSON.stringify(world)}`,
      scene(async (stage) => {
        await ownEtc(stage);
        if (world.operator !== null)
          stage.write('/etc/curfew/settings.json', JSON.stringify({ ...quick, mode: world.operator }));
        const users = addUsers(stage, ...world.plans.map((_, at) => `user${at}`));
        const due: { readonly pid: number; readonly start: string }[] = [];
        const innocents: Innocent[] = [];
        const crashing: FakeClaude[] = [];
        let before: FakeClaude | null = null;
        for (const [at, user] of users.entries()) {
          const plan = world.plans[at];
          if (plan === undefined) continue;
          settle(stage, user, plan.mode === null ? quick : { ...quick, mode: plan.mode });
          // Where its own user enforces, it is that user's leftover once the other's session is
          // gone, as of an agent that started it through sudo.
          if (plan.disguises && before !== null && (plan.mode ?? world.operator) !== 'enforce')
            innocents.push(
              staying(
                `the disguise of ${user.name}`,
                await stage.play(
                  {
                    argv: ['node', `disguise${at}.js`],
                    env: before.environment(),
                    cwd: '/tmp',
                    uid: user.uid,
                    setsid: true,
                  },
                  '',
                  'resident.pl',
                ),
              ),
            );
          let claude: FakeClaude | null = null;
          for (const [number, crashes] of plan.sessions.entries()) {
            claude = await FakeClaude.start(stage, { user, project: `${user.home}/project${number}` });
            const { shell } = await claude.bash(`sleep 37${at}${number} | cat`);
            const what = `${user.name}, session ${number}, crashes ${crashes}`;
            if (crashes) crashing.push(claude);
            if (crashes && (plan.mode ?? world.operator) === 'enforce') due.push(shell);
            else innocents.push(staying(what, shell));
            if (!crashes) innocents.push(staying(`the agent of ${what}`, claude.identity));
          }
          before = claude;
        }
        const service = await startService(stage);
        for (const [at, user] of users.entries()) {
          const jobs = world.plans[at]?.sessions.length ?? 0;
          await stage.until(`${user.name} is seen`, () =>
            new RegExp(`^${jobs} job|^[1-9]`, 'u').test(statusOf(stage, user)),
          );
        }
        for (const claude of crashing) await claude.crash();
        await stage.until('all that is due is gone', () => due.every((one) => !stage.lives(one)));
        for (const [at, user] of users.entries()) {
          const plan = world.plans[at];
          const enforces = (plan?.mode ?? world.operator) === 'enforce';
          const leaves = !enforces && plan?.sessions.includes(true) === true;
          const isLeft = (): boolean => statusOf(stage, user).includes('left over');
          await stage.until(`${user.name} has something left over: ${leaves}`, () => !leaves || isLeft());
          if (enforces) await stage.until(`${user.name} has nothing left over`, () => !isLeft());
        }
        expectUntouched(stage, innocents);
        await service.signal('TERM');
        expect((await service.ended()).code).toBe(0);
        expectUntouched(stage, innocents);
      }),
    );
});
