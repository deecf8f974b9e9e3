import { describe, expect, test } from 'vitest';
import { jobWith, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { diagnosed, jobOf, watchClosely } from '../stuck/watched.ts';

describe.concurrent('why a job is stuck, told from outside', () => {
  test(
    'T05: a reader of a pipe that no process writes to waits on standard input, under a living session',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('mkfifo never; cat <> never | tail -3');
      await pinned(stage, 'cat', 'tail -3');
      const watch = await startCurfew(stage, ['watch', '--json', '--observe']);
      const told = await stage.until('it is told', () => {
        const job = jobOf(watch, call.shell.pid);
        return job?.diagnoses.includes('waiting-on-stdin') === true && job;
      });
      expect(told.owner).toBe('live');
      await watch.signal('TERM');
      await watch.ended();
      expect(stage.lives(call.shell)).toBe(true);
    }),
  );

  test(
    'T30: a job whose shell collects none of its dead children, a stopped one, and one in a deleted folder',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const parent = await claude.bash('sleep 0.1 & exec sleep 3600');
      const stopped = await claude.bash('sleep 3601 | cat');
      const homeless = await claude.bash('mkdir gone && cd gone && rmdir "$PWD" && sleep 3602; true');
      await pinned(stage, 'sleep 3600', 'sleep 3601', 'sleep 3602');
      await stage.first.signal(stopped.shell.pid, 'STOP');
      await stage.until('it stands still', () => stage.row(stopped.shell.pid)?.state === 'T');
      await stage.until('a zombie', () =>
        stage.table().some((row) => row.ppid === parent.shell.pid && row.state === 'Z'),
      );
      const look = await scan(stage);
      // A child that was not collected a moment ago may be now: that takes a second look into it.
      expect(jobWith(look, parent.shell.pid).diagnoses).not.toContain('zombie-children');
      expect(jobWith(look, stopped.shell.pid).diagnoses).toContain('stopped');
      expect(jobWith(look, homeless.shell.pid).diagnoses).toContain('deleted-folder');
      const watch = await watchClosely(stage);
      expect((await diagnosed(stage, watch, parent.shell.pid, 'zombie-children')).figures).toMatchObject({ count: 1 });
    }),
  );
});
