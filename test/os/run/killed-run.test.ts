import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  allProcesses,
  fixture,
  type Home,
  Innocent,
  living,
  newcomers,
  notedIn,
  type Seen,
  type StartOptions,
  until,
  withHome,
} from './curfew-run.ts';
import { ways } from './ways.ts';

const stays = [{}, { habits: ['setsid'] }, { habits: ['double', 'setsid', 'close'] }];
const plan = { children: [...stays, { habits: ['double', 'setsid', 'exec'] }] };
// A process that clears its environment and leaves group, session and parent at once is lost without a subreaper.
const weakPlan = { children: [...stays, { habits: ['double', 'setsid'] }] };

/** Waits until the five of a plan stand, four of them leading sessions, and their run has noted all of them. */
const untilNoted = async (home: Home, before: readonly Seen[], supervisor: number): Promise<void> => {
  await until('the tree stands, and is noted', () => {
    const tree = newcomers(before).filter(({ pid }) => pid !== supervisor);
    const noted = notedIn(home);
    const leaders = tree.filter(({ pid, sid }) => pid === sid);
    return tree.length === 5 && leaders.length === 4 && tree.every(({ pid }) => noted.has(pid));
  });
};

const killRun = async (home: Home, tree: unknown, options: StartOptions): Promise<number> => {
  const before = allProcesses();
  const going = home.curfew(
    ['run', '--lock', home.file('lock'), '--', 'perl', fixture('tree.pl'), JSON.stringify(tree)],
    {
      ...options,
      stdio: 'ignore',
    },
  );
  await untilNoted(home, before, going.pid);
  going.child.kill('SIGKILL');
  await going.ended;
  return newcomers(before).length;
};

describe.each(ways)('$name', ({ options, subreaper }) => {
  test(
    'the next Curfew ends what a killed `curfew run` left, and nothing else',
    withHome(async (home) => {
      const bystander = await new Innocent(home, 'bystander').ready();
      const before = allProcesses();
      const how = options(home);
      expect(await killRun(home, subreaper ? plan : weakPlan, how)).toBe(5);
      expect(existsSync(home.file('lock'))).toBe(true);
      expect((await home.run(['runs'], how)).code).toBe(0);
      expect(newcomers(before)).toEqual([]);
      expect(existsSync(home.file('lock'))).toBe(false);
      expect(bystander.untouched()).toBe(true);
      await bystander.end();
    }),
  );
});

test.each([
  ['the supervisor', ['watch', '--observe'], 'goes on'],
  ['any other command that starts', ['scan', '--json'], 'ends by itself'],
] as const)('%s ends what a killed `curfew run` has left', (_, command, then) =>
  withHome(async (home) => {
    const bystander = await new Innocent(home, 'bystander').ready();
    const before = allProcesses();
    expect(await killRun(home, plan, {})).toBe(5);
    const going = home.curfew(command);
    await until(
      'only Curfew is left, and the lock is gone',
      () => newcomers(before).every(({ pid }) => pid === going.pid) && !existsSync(home.file('lock')),
    );
    if (then === 'goes on') going.child.kill('SIGTERM');
    expect((await going.ended).code).toBe(0);
    expect(readdirSync(join(home.runs, 'unfinished'))).toEqual([]);
    expect(bystander.untouched()).toBe(true);
    await bystander.end();
  })(),
);

test(
  'a background run whose supervisor was killed gets an exit code, and two who find it do not quarrel',
  withHome(async (home) => {
    const before = allProcesses();
    const started = await home.run(['run', '--background', '--', 'perl', fixture('tree.pl'), JSON.stringify(plan)]);
    const { id, dir } = JSON.parse(started.stdout) as { id: string; dir: string };
    const meta = (): { supervisor: { pid: number }; end: unknown } =>
      JSON.parse(readFileSync(join(dir, 'meta.json'), 'utf8')) as { supervisor: { pid: number }; end: unknown };
    await untilNoted(home, before, meta().supervisor.pid);
    process.kill(meta().supervisor.pid, 'SIGKILL');
    await until('the supervisor is dead', () => living(meta().supervisor.pid) === null);
    const [first, second] = await Promise.all([home.run(['terminate', id]), home.run(['runs', '--json'])]);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(readFileSync(join(dir, 'exit_code'), 'utf8')).toBe('143\n');
    expect(meta().end).toMatchObject({ cause: 'abandoned', observed: false, survivors: [] });
  }),
);

test(
  'a run that lives is not touched by others who look for abandoned ones',
  withHome(async (home) => {
    const going = home.curfew(['run', '--', 'sh', '-c', 'echo ready; sleep 3; exit 6']);
    await until('it runs', () => going.stdout() !== '');
    for (let round = 0; round < 5; round += 1) expect((await home.run(['runs', '--all', '--json'])).code).toBe(0);
    expect((await going.ended).code).toBe(6);
    expect(readdirSync(home.runs)).toEqual(['unfinished']);
    expect(readdirSync(join(home.runs, 'unfinished'))).toEqual([]);
  }),
);
