import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, loadavg } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scene, type Scene } from '../scene/scene.ts';
import { addUsers, give, ownEtc, type SceneUser } from '../scene/users.ts';
import { isRootOfMachine, manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { agentWithJob, childOf, children, quick, settle, startService, statusOf, uidOf } from './service.ts';

/** Whether a process of this user is in a mount namespace with file systems of its own. */
const hasMounted = (stage: Scene, { uid }: SceneUser): boolean =>
  stage.table().some(({ pid }) => {
    if (uidOf(stage, pid) !== uid) return false;
    const mounts = stage.has(`/proc/${pid}/mountinfo`) ? stage.read(`/proc/${pid}/mountinfo`) : '';
    return mounts.split(' mine ').length > 1000;
  });

/** How long users are hostile, and with how many processes; `npm run test:hostile` plays 10 min. */
const seconds = Number(process.env['CURFEW_TEST_HOSTILE_SECONDS'] ?? 60);
const crowd = Number(process.env['CURFEW_TEST_FOREIGN'] ?? 150);

const pad = 'x'.repeat(120_000);

/**
 * Root of a user namespace and a mount namespace of its own, as any user may be: other file systems
 * over its home, /run and /proc, a device and a pipe where Curfew's files lie, thousands of mounts.
 * Outside of it nothing may be mounted.
 */
const mounting = `
touch "$1/own" && mount --bind /dev/zero "$1/own" && exit
mount -t tmpfs mine /run && exit
exec unshare --user --map-root-user --mount --pid --fork --mount-proc sh -c '
  for over in /run /var "$1"; do mount -t tmpfs mine "$over"; done
  mkdir -p "$1/.config/curfew" "$1/.local/state/curfew" /run/all
  ln -s /dev/zero "$1/.config/curfew/settings.json" && mkfifo "$1/.local/state/curfew/ledger.db"
  for n in 1 2 3 4 5 6 7 8 9 10 11 12; do mount --rbind /run /run/all; done
  cp /bin/sleep "$1/claude" && cd "$1" && CLAUDECODE=1 ./claude 9999 &
  mount -t tmpfs over /proc
  while :; do mount -t tmpfs more /run; umount -l /run; sleep 0.02; done
' sh "$1"
`;

/** What each hostile user runs, in perl. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  stopper: ['while (1) { kill "STOP", -1; select undef, undef, undef, 0.002 }'],
  forker: ['for (1 .. shift) { next if fork; sleep 9999 while 1 } sleep 9999 while 1', String(crowd), pad, pad],
  filler: [
    'chdir $ENV{HOME}; while (1) { system "rm -rf .config .local; mkdir -p .config/curfew .local/state; ' +
      'mkfifo .config/curfew/settings.json; ln -s /dev/zero .local/state/curfew; ' +
      'head -c 50000000 /dev/zero > filled; rm filled"; select undef, undef, undef, 0.2 }',
  ],
  mounter: ['exec "sh", "-c", shift, "sh", $ENV{HOME}', mounting],
};

/** Root opens /dev/fuse for this one, which most machines let every user open. */
const staller = 'staller';
const canStall = isRootOfMachine && existsSync('/dev/fuse');

const attack = async (stage: Scene, user: SceneUser): Promise<void> => {
  if (user.name === staller) {
    const stalled = join(import.meta.dirname, '../fixtures/stalled.py');
    await stage.first.start({
      file: '/bin/sh',
      argv: ['sh', '-c', 'sleep 9999 | exec python3 "$@"', 'sh', stalled, String(user.uid)],
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: '/tmp' },
      fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
    });
    await stage.until('the memory of a process is held', () =>
      stage.table().some(({ comm, state }) => comm === 'stalled' && state === 'D'),
    );
    return;
  }
  await stage.first.start({
    file: '/usr/bin/perl',
    argv: ['perl', '-e', ...(attacks[user.name] ?? [])],
    env: { PATH: '/usr/bin:/bin', HOME: user.home },
    uid: user.uid,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
};

/** What a run measured, for the record that `npm run test:hostile` writes. */
interface Measured {
  readonly at: string;
  readonly hostileSeconds: number;
  /** Hostile users, and the most processes that each had at a look. */
  readonly processes: Record<string, number>;
  /** Seconds from the end of the honest user's agent to the death of what it left, by round. */
  readonly endedAfter: number[];
  /** Children of each user that the service started. */
  readonly children: Record<string, number>;
  readonly silentChildrenKilled: number;
  readonly serviceMegabytes: number;
  readonly serviceEndedAfter: number;
  readonly load: number;
  /** Of all of it, the service too. */
  readonly niceness: number;
  /** Controllers of version 2 that the machine has for limits. */
  readonly controllers: string;
}

/** As the kernel names them at the root of its groups of version 2. */
const controllersHere = (): string => {
  const root = /^\S+ (\S+) cgroup2 /mu.exec(readFileSync('/proc/mounts', 'utf8'))?.[1];
  const named = root === undefined ? '' : readFileSync(join(root, 'cgroup.controllers'), 'utf8').trim();
  return named === '' ? 'none' : named;
};

const secondsSince = (ms: number): number => Math.round((performance.now() - ms) / 100) / 10;

const processesOf = (stage: Scene, { uid }: SceneUser): number =>
  stage.table().filter(({ pid }) => uidOf(stage, pid) === uid).length;

describe.skipIf(!manyUsers)(`hostile users at once${unlessManyUsers}`, () => {
  test(
    'keep no leftover of an honest user from being ended, and no service from ending',
    scene(async (stage) => {
      await ownEtc(stage);
      const names = [...(canStall ? [staller] : []), ...Object.keys(attacks)];
      const [alice, ...hostile] = addUsers(stage, 'alice', ...names);
      if (alice === undefined) throw new Error('a user');
      settle(stage, alice, { ...quick, mode: 'enforce' });
      for (const user of hostile) {
        give(stage, user.home, user.uid);
        await attack(stage, user);
      }
      const mounter = hostile.at(-1);
      await stage.until('a user has mounted', () => mounter !== undefined && hasMounted(stage, mounter));
      const service = await startService(stage);
      const [began, until] = [performance.now(), Date.now() + seconds * 1000];
      const processes: Record<string, number> = {};
      const endedAfter: number[] = [];
      for (let round = 0; round === 0 || Date.now() < until; round += 1) {
        const { claude, job } = await agentWithJob(stage, alice, `sleep ${4000 + round} | cat`);
        await stage.until(`round ${round}: it is seen\n${service.stdout()}`, () =>
          statusOf(stage, alice).startsWith('1 job'),
        );
        for (const user of hostile)
          processes[user.name] = Math.max(processes[user.name] ?? 0, processesOf(stage, user));
        await claude.crash();
        const crashed = performance.now();
        await stage.until(`round ${round}: the leftover is gone`, () => !stage.lives(job));
        endedAfter.push(secondsSince(crashed));
      }
      await childOf(stage, alice);
      const hostileSeconds = secondsSince(began);
      const peak = /^VmHWM:\s+(\d+)/mu.exec(stage.read(`/proc/${service.identity.pid}/status`))?.[1];
      const load = loadavg()[0] ?? 0;
      const ending = performance.now();
      await service.signal('TERM');
      const { code, stdout } = await service.ended();
      // Before all command lines are read again, which takes longer than the end.
      const serviceEndedAfter = secondsSince(ending);
      expect(code).toBe(0);
      await stage.until('no child is left', () => children(stage).length === 0);
      const said = (words: RegExp): number => [...stdout.matchAll(words)].length;
      const measured: Measured = {
        at: new Date().toISOString(),
        hostileSeconds,
        processes,
        endedAfter,
        children: Object.fromEntries(
          [alice, ...hostile].map(({ name }) => [name, said(new RegExp(`^${name} [^\\n]*: supervised by`, 'gmu'))]),
        ),
        silentChildrenKilled: said(/no sign of life/gu),
        serviceMegabytes: Math.round(Number(peak) / 1024),
        serviceEndedAfter,
        load: Math.round(load * 10) / 10,
        niceness: getPriority(),
        controllers: controllersHere(),
      };
      const record = process.env['CURFEW_TEST_RECORD'];
      if (record !== undefined) console.log(`the service ended after ${serviceEndedAfter} s at a load of ${load}`);
      if (record !== undefined) writeFileSync(record, `${JSON.stringify(measured, null, 2)}\n`);
    }),
  );
});
