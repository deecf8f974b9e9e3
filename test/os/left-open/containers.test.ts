import { describe, expect, test } from 'vitest';
import { history, reap, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { noEngine, podman, runs, setEngine, typed, unlessEngine } from './engine.ts';
import { endLeftOpen, leftOpenIn } from './left-open.ts';

/** A tool call that starts a container, as the transcript has it. */
const call = async (stage: Scene, claude: FakeClaude, name: string, command: string): Promise<void> => {
  const id = `toolu_${name}`;
  const use = { type: 'tool_use', id, name: 'Bash', input: { command } };
  claude.note({ type: 'assistant', message: { role: 'assistant', content: [use] } });
  await claude.foreground(command);
  const stdout = stage.read(`/tmp/work/${name}.id`);
  const result = { type: 'tool_result', tool_use_id: id, content: stdout };
  claude.note({ type: 'user', toolUseResult: { stdout }, message: { role: 'user', content: [result] } });
};

const running = async (stage: Scene, command: string): Promise<Identity> =>
  stage.identity((await stage.find(command, ({ argv }) => argv.join(' ') === `/busybox ${command}`)).pid);

describe.skipIf(noEngine).concurrent(`a container that a tool call started${unlessEngine}`, () => {
  test(
    'is reported once its session has ended, stays by itself, and is stopped by the user through its engine',
    scene(async (stage) => {
      writeSettings(stage, { orphanGraceSeconds: 0, noticeSeconds: 0, scanIntervalSeconds: 0.5, mode: 'enforce' });
      await setEngine(stage);
      const [claude, other] = [await FakeClaude.start(stage), await FakeClaude.start(stage)];
      await call(stage, claude, 'shopdb', runs('shopdb', 'sleep 4000'));
      await call(stage, other, 'living', runs('living', 'sleep 4001'));
      await typed(stage, runs('mine', 'sleep 4002'));
      const [theirs, living, mine] = [
        await running(stage, 'sleep 4000'),
        await running(stage, 'sleep 4001'),
        await running(stage, 'sleep 4002'),
      ];
      expect(await leftOpenIn(stage)).toEqual([]);
      await claude.crash();
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await afterLooks(stage, watch, 4);
      await watch.signal('TERM');
      await watch.ended();
      await reap(stage, ['--max-age', '0s']);
      const innocents = [
        bystander(stage, 'the container of a living session', living.pid),
        bystander(stage, 'the container of the user', mine.pid),
      ];
      expectUntouched(stage, [...innocents, bystander(stage, 'the container', theirs.pid)]);
      const found = await leftOpenIn(stage);
      expect(found).toMatchObject([
        { keeper: 'podman', name: 'shopdb', image: 'localhost/boxy:latest', owner: 'gone', canEnd: true },
      ]);
      expect(found[0]?.rssBytes).toBeGreaterThan(0);
      expect(await endLeftOpen(stage, found[0]?.id ?? '')).toMatchObject({ code: 0 });
      expectGone(stage, [theirs]);
      expectUntouched(stage, innocents);
      expect(await history(stage)).toMatchObject([{ outcome: 'reaped', rule: 'left-open-podman', signals: [] }]);
    }),
  );

  test(
    'is not ended where a transcript only names it, and not told of where none does',
    scene(async (stage) => {
      await setEngine(stage);
      const claude = await FakeClaude.start(stage);
      await typed(stage, runs('mine', 'sleep 4002'));
      await typed(stage, runs('unseen', 'sleep 4003'));
      const mine = await running(stage, 'sleep 4002');
      await running(stage, 'sleep 4003');
      await call(stage, claude, 'mine', `${podman} ps --no-trunc --filter name=mine >/dev/null`);
      await claude.crash();
      const found = await leftOpenIn(stage);
      expect(found).toMatchObject([{ name: 'mine', canEnd: false }]);
      expect(found[0]?.refusal).toContain('likely and not proved');
      expect((await endLeftOpen(stage, found[0]?.id ?? '')).code).toBe(1);
      expectUntouched(stage, [bystander(stage, 'the container of the user', mine.pid)]);
    }),
  );

  test(
    'in the background is proved by the output of that task, and by no file of another',
    scene(async (stage) => {
      await setEngine(stage);
      const claude = await FakeClaude.start(stage);
      const other = await FakeClaude.start(stage);
      const begin = async (by: FakeClaude, id: string, command: string): Promise<void> => {
        const use = { type: 'tool_use', id, name: 'Bash', input: { command, run_in_background: true } };
        by.note({ type: 'assistant', message: { role: 'assistant', content: [use] } });
        await by.bash(command, { toolUse: id });
      };
      await begin(claude, 'toolu_runs', `${runs('theirs', 'sleep 4000').replace(/ > .*$/u, '')}; sleep 4100`);
      const theirs = await running(stage, 'sleep 4000');
      // Its output names the container of the user, which it did not start.
      await typed(stage, runs('mine', 'sleep 4002'));
      const mine = await running(stage, 'sleep 4002');
      await begin(other, 'toolu_names', `${podman} ps --no-trunc; ${podman} run --help >/dev/null; touch /tmp/named`);
      await stage.until('it is named', () => stage.has('/tmp/named'));
      await claude.crash();
      await other.crash();
      const found = await leftOpenIn(stage);
      const one = found.find(({ name }) => name === 'theirs');
      expect(one).toMatchObject({ owner: 'gone', canEnd: true, refusal: null });
      expect(found.map(({ name }) => name)).toEqual(['theirs']);
      expect((await endLeftOpen(stage, one?.id ?? '')).code).toBe(0);
      expectGone(stage, [theirs]);
      expectUntouched(stage, [bystander(stage, 'the container of the user', mine.pid)]);
    }),
  );
});
