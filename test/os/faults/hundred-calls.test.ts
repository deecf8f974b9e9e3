import { describe, expect, test } from 'vitest';
import { curfewEnvironment, curfewFile, history, runCurfew, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { expectGone, expectUntouched } from '../scene/innocents.ts';
import { livingSession } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';

/** Commands that a script or an agent's hooks may call at any moment. */
const calls = [
  ['scan', '--json'],
  ['history', '--json'],
  ['settings', 'set', 'historyDays', '30'],
  ['settings', 'get'],
  ['reap', '--json', '--max-age', '0s', '--grace', '1s'],
] as const;

describe('beside the page and its supervisor', () => {
  test(
    'a hundred calls at once: each answers, each job is ended once, nothing is lost, and the page keeps working',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const web = await startCurfew(stage, ['web', '--json', '--no-open']);
      await stage.until('curfew web listens', () => web.stdout().includes('\n'));
      const claude = await FakeClaude.start(stage);
      const shells = [];
      for (let n = 0; n < 5; n++) shells.push((await claude.bash(`sleep 37${10 + n} | cat`)).shell);
      await claude.crash();
      const call = (args: readonly string[], number: number): string =>
        `('${process.execPath}' '${curfewFile}' ${args.join(' ')} >/tmp/calls/${number}.out 2>/tmp/calls/${number}.err; echo $? >/tmp/calls/${number}.code) &`;
      const lines = Array.from({ length: 100 }, (_, number) => call(calls[number % calls.length] ?? ['scan'], number));
      stage.folder('/tmp/calls');
      const argv = ['bash', '-c', [...lines, 'wait'].join('\n')];
      await stage.top.ended(
        await stage.top.start({ file: '/bin/bash', argv, env: curfewEnvironment(stage), setsid: true }),
      );
      const runs = lines.map((_, number) => ({
        code: Number(stage.read(`/tmp/calls/${number}.code`)),
        stderr: stage.read(`/tmp/calls/${number}.err`),
      }));
      // 1: another pass is ending that job, and the output says so.
      expect(runs.filter(({ code }) => code !== 0 && code !== 1).map(({ stderr }) => stderr)).toEqual([]);
      expect(runs.filter(({ code, stderr }) => code === 1 && stderr === '')).toEqual([]);
      expectGone(stage, shells);
      expectUntouched(stage, innocents);
      const record = await history(stage);
      const ended = record.filter(({ outcome }) => outcome === 'reaped' || outcome === 'killed');
      expect(new Set(ended.map(({ job }) => job)).size).toBe(5);
      expect(ended).toHaveLength(5);
      expect(record.filter(({ outcome }) => outcome === null || outcome === 'interrupted')).toEqual([]);
      expect((await runCurfew(stage, ['settings', 'get', 'historyDays'])).stdout).toContain('30');
      expect(stage.lives(web.identity)).toBe(true);
      await web.signal('INT');
      expect(await web.ended()).toMatchObject({ code: 0 });
    }),
  );
});
