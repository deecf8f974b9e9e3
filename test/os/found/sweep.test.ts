import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isRootOfMachine, manyUsers } from '../machine-facts.ts';
import { FakeClaude } from '../scene/claude.ts';
import { oneDocument, runCurfew } from '../scene/curfew.ts';
import { type Scene, scene } from '../scene/scene.ts';

const day = 86_400_000;
const swept = z.object({
  dryRun: z.boolean(),
  files: z.array(
    z.object({ path: z.string(), action: z.string(), reason: z.string(), deleted: z.boolean(), kind: z.string() }),
  ),
  passedOver: z.array(z.string()),
});

/** How the clock of files was set, as looks remember it. */
const settings = z.array(
  z.object({ boot: z.string(), settings: z.array(z.object({ fromTicks: z.number(), aheadMs: z.number() })) }),
);

const sweep = async (stage: Scene, ...args: readonly string[]): Promise<z.infer<typeof swept>> =>
  swept.parse(oneDocument(await runCurfew(stage, ['sweep', '--json', '--yes', ...args])));

const age = (stage: Scene, path: string, days: number): void => {
  const at = (Date.now() - days * day) / 1000;
  utimesSync(stage.outside(path), at, at);
};

const snapshots = (stage: Scene): string => `${stage.home}/.claude/shell-snapshots`;
const snapshotPath = (stage: Scene, name: string, days: number): string =>
  `${snapshots(stage)}/snapshot-bash-${Date.now() - days * day}-${name}.sh`;

const snapshot = (stage: Scene, name: string, days: number): string => {
  const path = stage.write(snapshotPath(stage, name, days), '# Snapshot file\n');
  age(stage, path, days);
  return path;
};

/** A socket with a listener; `end` leaves the file behind. */
const listener = async (
  stage: Scene,
  path: string,
  ...through: readonly string[]
): Promise<{ readonly end: () => Promise<void> }> => {
  stage.folder(path.slice(0, path.lastIndexOf('/')));
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)})`;
  const pid = await stage.top.start({
    file: through.length === 0 ? process.execPath : '/usr/bin/unshare',
    argv: [...through, process.execPath, '-e', program],
    env: stage.userEnvironment(),
    setsid: true,
  });
  await stage.until(`${path} listens`, () => existsSync(stage.outside(path)));
  age(stage, path, 3);
  return {
    end: async () => {
      await stage.first.signal(pid, 'KILL');
      await stage.top.ended(pid);
    },
  };
};

describe.concurrent('curfew sweep', () => {
  test(
    'deletes old snapshots that are unused; a dry run deletes nothing; used, young and unfamiliar files stay',
    scene(async (stage) => {
      const stale = snapshot(stage, 'stale0', 3);
      const living = await FakeClaude.start(stage);
      const used = snapshot(stage, 'used00', 3);
      await living.actor.start({
        file: '/bin/bash',
        argv: ['/bin/bash', '-c', `source ${used} 2>/dev/null || true && eval 'sleep 3600; true'`],
        env: living.environment(),
        setsid: true,
      });
      const held = snapshot(stage, 'held00', 3);
      await stage.top.start({
        file: '/bin/bash',
        argv: ['/bin/bash', '-c', 'exec 9<"$1"; sleep 3600; true', 'bash', held],
        env: stage.userEnvironment(),
        setsid: true,
      });
      const theirs = manyUsers ? [snapshot(stage, 'theirs', 3)] : [];
      for (const path of theirs) chownSync(stage.outside(path), 1234, 1234);
      const staying = [used, held, snapshot(stage, 'young0', 1), ...theirs];
      const precious = stage.write(`${stage.home}/precious`, 'precious\n');
      age(stage, precious, 3);
      const [link, hard, folder] = ['link00', 'hard00', 'folder'].map((name) => snapshotPath(stage, name, 3));
      symlinkSync(precious, stage.outside(link ?? ''));
      linkSync(stage.outside(precious), stage.outside(hard ?? ''));
      mkdirSync(stage.outside(folder ?? ''));
      stage.write(`${snapshots(stage)}/notes.txt`, 'mine');
      await stage.until(
        'both shells stand',
        () => stage.table().filter(({ argv }) => argv[0] === 'sleep').length === 2,
      );

      const dry = await sweep(stage, '--dry-run');
      expect(dry.files.filter(({ action }) => action === 'delete').map(({ path }) => path)).toEqual([stale]);
      expect(stage.has(stale)).toBe(true);

      // What a full disk or a damaged record keeps from being read is no reason to keep the files.
      rmSync(stage.outside('/tmp/curfew-home/history.db'), { force: true });
      stage.folder('/tmp/curfew-home/history.db');
      const done = await sweep(stage);
      expect(done.passedOver.join('\n')).toContain('history.db');
      expect(done.files.filter(({ deleted }) => deleted).map(({ path }) => path)).toEqual([stale]);
      expect(stage.has(stale)).toBe(false);
      for (const path of [...staying, hard ?? '', folder ?? '', `${snapshots(stage)}/notes.txt`])
        expect({ path, there: stage.has(path) }).toEqual({ path, there: true });
      expect(readFileSync(stage.outside(precious), 'utf8')).toBe('precious\n');
      expect(done.files.map(({ reason }) => reason).toSorted()).toEqual(
        [
          ...theirs.map(() => 'another-user'),
          'in-use',
          'in-use',
          'not-that-type',
          'not-that-type',
          'several-names',
          'stale',
          'young',
          'young',
        ].toSorted(),
      );
      expect(stage.contents('/tmp/curfew-home/logs').join('')).toContain(`"path":"${stale}"`);

      // A virtual machine went on after a pause: the session began four days ago by that clock, and
      // has one more snapshot from then.
      const since = snapshot(stage, 'since0', 3);
      // A day old at the pause.
      const young = snapshot(stage, 'paused', 5);
      const clock = stage.outside('/tmp/curfew-home/clock.json');
      const boots = settings.parse(JSON.parse(readFileSync(clock, 'utf8')));
      for (const one of boots.flatMap((boot) => boot.settings)) one.aheadMs -= 4 * day;
      writeFileSync(clock, JSON.stringify(boots));
      const after = (await sweep(stage)).files;
      expect([since, young].map((one) => after.find(({ path }) => path === one))).toMatchObject([
        { reason: 'session-may-live', deleted: false },
        { reason: 'young', deleted: false },
      ]);
    }),
  );

  test(
    'no snapshot is deleted if another machine or container uses the folder: a session needs its snapshot to run anything',
    scene(async (stage) => {
      const path = snapshot(stage, 'oldest', 3);
      expect((await sweep(stage, '--dry-run')).files).toMatchObject([{ path, action: 'delete' }]);
      stage.write(
        `${stage.home}/.claude/sessions/777.json`,
        JSON.stringify({
          pid: 777,
          sessionId: '43c8e917-0000-4000-8000-00000000000a',
          pidDomain: 'linux:another-machine:pid:[4026531836]',
        }),
      );
      const elsewhere = (await sweep(stage)).files.find((one) => one.path === path);
      expect(elsewhere).toMatchObject({ action: 'keep', reason: 'elsewhere' });
      expect(stage.has(path)).toBe(true);
      if (!isRootOfMachine) return;
      // For one of a server: what else may write to this one is not known either.
      const folder = stage.folder(`${stage.home}/.codex`);
      const mounted = { file: '/bin/mount', argv: ['mount', '-t', 'hugetlbfs', 'none', folder], env: {} };
      expect(await stage.top.ended(await stage.top.start(mounted))).toMatchObject({ code: 0 });
      const shared = stage.write(`${folder}/shell_snapshots/43c8e917-0000-4000-8000-00000000000b.sh`, '');
      age(stage, shared, 3);
      expect((await sweep(stage)).files.find((one) => one.path === shared)).toMatchObject({ reason: 'elsewhere' });
    }),
  );

  test(
    'deletes sockets without a listener whose owner is dead; a listener in another network namespace is seen',
    scene(async (stage) => {
      const dead = await listener(stage, '/tmp/cc-socks/99901.sock');
      const proxy = await listener(stage, '/tmp/claude-http-0123456789abcdef.sock');
      await listener(stage, '/tmp/cc-socks/99902.sock');
      await listener(stage, '/tmp/cc-socks/99903.sock', 'unshare', '--net');
      const mux = await listener(stage, '/tmp/srt-mux-1-0.sock');
      const foreign = await listener(stage, '/tmp/mysql.sock');
      for (const one of [dead, proxy, mux, foreign]) await one.end();
      const { files } = await sweep(stage);
      expect(files.filter(({ deleted }) => deleted).map(({ path }) => path)).toEqual([
        '/tmp/claude-http-0123456789abcdef.sock',
        '/tmp/cc-socks/99901.sock',
      ]);
      const reasons = Object.fromEntries(files.map(({ path, reason }) => [path, reason]));
      expect(reasons).toMatchObject({
        '/tmp/cc-socks/99902.sock': 'in-use',
        '/tmp/cc-socks/99903.sock': 'in-use',
        '/tmp/srt-mux-1-0.sock': 'owner-lives',
      });
      expect(reasons['/tmp/mysql.sock']).toBeUndefined();
      expect(stage.has('/tmp/mysql.sock')).toBe(true);
    }),
  );

  test(
    'reports files of dead sessions, deletes the lock of a dead run, and follows no link',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.crash();
      age(stage, claude.registration, 1);
      const lock = `${stage.home}/shop.lock`;
      const started = await runCurfew(stage, ['run', '--background', '--lock', lock, '--', 'sleep', '3600']);
      expect(started.code).toBe(0);
      const { id } = z.object({ id: z.string() }).parse(JSON.parse(started.stdout));
      const text = await stage.until('the lock is taken', () => stage.has(lock) && stage.read(lock));
      expect((await runCurfew(stage, ['terminate', id])).code).toBe(0);
      await stage.until('the lock is gone', () => !stage.has(lock));
      // The state after a crash of the machine during the release.
      writeFileSync(stage.outside(lock), text);
      age(stage, lock, 1);
      const living = stage.write(`${stage.home}/living.lock`, '1\n');
      const { files } = await sweep(stage);
      expect(files.find(({ path }) => path === claude.registration)).toMatchObject({
        kind: 'session-file',
        action: 'report',
        deleted: false,
      });
      expect(stage.has(claude.registration)).toBe(true);
      expect(files.find(({ path }) => path === lock)).toMatchObject({ kind: 'lock-file', deleted: true });
      expect(stage.has(lock)).toBe(false);
      expect(stage.has(living)).toBe(true);

      const elsewhere = stage.folder('/tmp/elsewhere');
      const old = `${elsewhere}/snapshot-bash-${Date.now() - 9 * day}-abc123.sh`;
      stage.write(old, '#\n');
      age(stage, old, 9);
      stage.move(snapshots(stage), `${snapshots(stage)}.before`);
      symlinkSync(elsewhere, stage.outside(snapshots(stage)));
      const linked = await sweep(stage);
      expect(linked.files.filter(({ kind }) => kind === 'shell-snapshot')).toEqual([]);
      expect(linked.passedOver.join('\n')).toContain('is a link or no folder');
      expect(stage.has(old)).toBe(true);
      expect((await runCurfew(stage, ['sweep', '--dry-run'])).stdout).toContain('Left to the agent');
    }),
  );
});
