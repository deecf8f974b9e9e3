import { describe, expect, test } from 'vitest';
import { jobWith, reap, runCurfew, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';

describe.concurrent('a program that has the name of a protected one', () => {
  test.each([
    ['goose', 'agent'],
    ['view', 'editor'],
  ])('%s stays, and --explain says that only its name protects it and what the user can do', (name, code) =>
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.bash(`mkdir -p /tmp/work; cp /bin/sleep /tmp/work/${name}; /tmp/work/${name} 3600; true`);
      const [program] = await pinned(stage, `/tmp/work/${name} 3600`);
      if (program === undefined) throw new Error('the command did not start');
      const kept = bystander(stage, name, program.pid);
      await claude.crash();
      const job = jobWith(await scan(stage, ['--all']), program.pid);
      expect(job.vetoes).toMatchObject([{ code, pid: program.pid }]);
      const told = (await runCurfew(stage, ['scan', '--all', '--explain'])).stdout.replaceAll(/\s+/gu, ' ');
      expect(told).toContain(`Process ${program.pid} is protected by its name alone`);
      expect(told).toContain(`no program called ${name}`);
      expect(told).toContain(`kill ${program.pid}`);
      await reap(stage, ['--job', job.id, '--grace', '1s']);
      expectUntouched(stage, [kept]);
    })(),
  );
});
