import { describe, expect, test } from 'vitest';
import { history, jobWith, type Run, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { machineProgram } from '../faults/machine-program.ts';
import { FakeClaude } from '../scene/claude.ts';
import type { Identity } from '../scene/processes.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { inScene } from './sockets-unseen.ts';

/** What spares processes survives the loss of any one of Curfew's files. */

const quick = {
  scanIntervalSeconds: 0.5,
  backgroundKillGraceSeconds: 1,
  orphanGraceSeconds: 0,
  noticeSeconds: 0,
  mode: 'enforce',
};

/** A job that a look saw below its agent, and the agent is gone. */
const leftover = async (stage: Scene): Promise<{ readonly shell: Identity; readonly id: string }> => {
  writeSettings(stage, quick);
  const claude = await FakeClaude.start(stage);
  const { shell } = await claude.bash('sleep 3600 | cat');
  const { id } = jobWith(await scan(stage), shell.pid);
  await claude.crash();
  return { shell, id };
};

const inHome = async (stage: Scene, script: string): Promise<void> => {
  await inScene(stage, 'rm -f /tmp/lost');
  const text = `cd /tmp/curfew-home && { ${script}; }; echo > /tmp/lost`;
  await stage.top.start({ file: '/bin/sh', argv: ['sh', '-c', text], env: stage.userEnvironment() });
  await stage.until('the file is lost', () => stage.has('/tmp/lost'));
};

/** Ends all that is due: as by a timer, and by a supervisor over many looks. */
const passes = async (stage: Scene): Promise<Run> => {
  const pass = await runCurfew(stage, ['hook', 'pass', '--max-age', '0']);
  const watch = await startCurfew(stage, ['watch', '--json']);
  await afterLooks(stage, watch, 12);
  await watch.signal('INT');
  await watch.ended();
  return pass;
};

const losses: Readonly<Record<string, string>> = {
  'the ledger is removed': 'rm -f ledger.db*',
  'the ledger is damaged': 'head -c 60000 /dev/zero | tr "\\0" x > ledger.db; rm -f ledger.db-*',
  'the ledger is emptied': ': > ledger.db; rm -f ledger.db-*',
  'the history is removed': 'rm -f history.db*',
  'the list of what is spared is removed': 'rm -f spared.jsonl',
  'the list of what is spared is damaged': 'head -c 9000 /dev/zero | tr "\\0" x > spared.jsonl',
};

describe.concurrent('what the user keeps stays', () => {
  test(
    'and what they don’t keep is ended, where nothing is lost',
    scene(async (stage) => {
      const { shell } = await leftover(stage);
      await passes(stage);
      expect(stage.lives(shell)).toBe(false);
    }),
  );

  for (const [what, script] of Object.entries(losses)) {
    test(
      `where ${what}`,
      scene(async (stage) => {
        const { shell, id } = await leftover(stage);
        expect(await runCurfew(stage, ['keep', id, '--for', '30m'])).toMatchObject({ code: 0 });
        await inHome(stage, script);
        await passes(stage);
        expect(stage.lives(shell)).toBe(true);
        expect(await history(stage)).toEqual([]);
      }),
    );
  }

  test(
    'where files are lost under a running supervisor, which is killed then',
    scene(async (stage) => {
      const { shell, id } = await leftover(stage);
      expect(await runCurfew(stage, ['keep', id, '--for', '30m'])).toMatchObject({ code: 0 });
      for (const file of ['ledger.db*', 'spared.jsonl']) {
        const watch = await startCurfew(stage, ['watch', '--json']);
        await afterLooks(stage, watch, 2);
        await inHome(stage, `rm -f ${file}`);
        await afterLooks(stage, watch, 3);
        expect(stage.lives(shell)).toBe(true);
        await watch.signal('KILL');
        await watch.ended();
      }
      await passes(stage);
      expect(stage.lives(shell)).toBe(true);
      expect(await history(stage)).toEqual([]);
    }),
  );
});

describe.concurrent('what the user said is theirs stays', () => {
  test(
    'where the home is restored from a copy of before, and another machine with the same home has looked',
    scene(async (stage) => {
      const { shell, id } = await leftover(stage);
      await inScene(stage, 'cp -a /tmp/curfew-home /tmp/before');
      expect(await runCurfew(stage, ['keep', id, '--mine'])).toMatchObject({ code: 0 });
      await inScene(stage, 'rm -rf /tmp/curfew-home && cp -a /tmp/before /tmp/curfew-home');
      stage.write('/tmp/boot_id', '7d5a2f0e-0000-4000-8000-000000000001\n');
      await machineProgram(stage, 'mount', '--bind', '/tmp/boot_id', '/proc/sys/kernel/random/boot_id');
      await scan(stage);
      await machineProgram(stage, 'umount', '/proc/sys/kernel/random/boot_id');
      await passes(stage);
      expect(stage.lives(shell)).toBe(true);
    }),
  );
});

describe.concurrent('a Curfew whose clock of the boot is another than before', () => {
  for (const [what, seconds] of [
    ['eight hours ahead', '28800'],
    ['behind', '-60'],
  ] as const)
    for (const how of [['--for', '3h'], ['--mine']] as const)
      test(
        `spares what the user said is to stay (${how[0]}), in a time namespace ${what}`,
        scene(async (stage) => {
          const { shell, id } = await leftover(stage);
          expect(await runCurfew(stage, ['keep', id, ...how])).toMatchObject({ code: 0 });
          const through = ['unshare', '--time', '--boottime', seconds, '--fork', '--'];
          await runCurfew(stage, ['hook', 'pass', '--max-age', '0'], { through });
          await runCurfew(stage, ['reap', '--max-age', '0s'], { through });
          expect(stage.lives(shell)).toBe(true);
          expect(await runCurfew(stage, ['unkeep', id], { through })).toMatchObject({ code: 0 });
          await runCurfew(stage, ['reap', '--max-age', '0s'], { through });
          expect(stage.lives(shell)).toBe(false);
        }),
      );
});

describe.concurrent('a ledger that was lost in this boot', () => {
  test(
    'keeps what began before from an automatic end, and that is said; a button still ends it',
    scene(async (stage) => {
      const { shell, id } = await leftover(stage);
      await inHome(stage, 'rm -f ledger.db*');
      await passes(stage);
      expect(stage.lives(shell)).toBe(true);
      const seen = jobWith(await scan(stage), shell.pid);
      expect(JSON.stringify(seen.verdict.reasons)).toMatch(/memory-lost|claimed/u);
      expect(await runCurfew(stage, ['reap', '--job', seen.id])).toMatchObject({ code: 0 });
      expect([stage.lives(shell), id.length]).toEqual([false, 8]);
    }),
  );
});

describe.concurrent('what the user says is theirs', () => {
  test(
    'is no job any more, for every Curfew and after the loss of a file, until they take it back',
    scene(async (stage) => {
      const { shell, id } = await leftover(stage);
      expect(await runCurfew(stage, ['keep', id, '--mine'])).toMatchObject({ code: 0 });
      const ids = async (): Promise<readonly string[]> => (await scan(stage, ['--all'])).jobs.map((job) => job.id);
      expect(await ids()).toEqual([]);
      await inHome(stage, 'rm -f ledger.db* spared.jsonl');
      await passes(stage);
      expect([stage.lives(shell), await ids()]).toEqual([true, []]);
      expect(await runCurfew(stage, ['unkeep', id])).toMatchObject({ code: 0 });
      expect(await ids()).toHaveLength(1);
    }),
  );

  test(
    'can’t be said by an agent',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const claude = await FakeClaude.start(stage);
      const { shell } = await claude.bash('sleep 3600 | cat');
      const { id } = jobWith(await scan(stage), shell.pid);
      const asked = await runCurfew(stage, ['keep', id, '--mine'], { parent: claude.actor });
      expect(asked.code).not.toBe(0);
      expect(asked.stderr).toContain('only you can say');
      expect(jobWith(await scan(stage), shell.pid).id).toBe(id);
    }),
  );
});
