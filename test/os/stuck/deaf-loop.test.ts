import { expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reap, runCurfew, scan } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';

test(
  'what a deaf loop freed is what lived at once; what came and went meanwhile is told apart',
  scene(async (stage) => {
    const claude = await FakeClaude.start(stage);
    const { shell } = await claude.bash("trap '' TERM HUP INT; while :; do sleep 0.3; done");
    const { id } = jobWith(await scan(stage, ['--all']), shell.pid);
    const { incidents } = await reap(stage, ['--job', id, '--grace', '1s']);
    // The loop and the sleep that it waits for, however many it started in its grace.
    expect(incidents).toMatchObject([{ outcome: 'killed' }]);
    const { processes = 0, rssBytes = 0 } = incidents[0]?.freed ?? {};
    // One where each look came between two of them.
    expect([1, 2]).toContain(processes);
    expect(rssBytes).toBeLessThan(12_000_000);
    const { stdout } = await runCurfew(stage, ['history']);
    expect(stdout).toMatch(/freed (?:2 processes|1 process) and \S+ [kM]B(?: \(\d+ more came and went\))? ·/u);
  }),
);
