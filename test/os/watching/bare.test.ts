import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { history, runCurfew, scan } from '../scene/curfew.ts';
import { expectUntouched } from '../scene/innocents.ts';
import { livingSession } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { noTerminal, Terminal, unlessTerminal } from '../scene/terminal.ts';

describe.concurrent('bare curfew', () => {
  test.skipIf(noTerminal)(
    `e ends what is proved, after a preview and a yes; Enter shows the list; a living session stays${unlessTerminal}`,
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const dead = await FakeClaude.start(stage);
      await dead.bash('sleep 3601 | cat');
      await scan(stage);
      await dead.crash();
      const terminal = await Terminal.open(stage, 100, 30);
      await terminal.enter('curfew');
      expect(await terminal.shows('q leaves')).toMatch(
        /1 leftover of 1 closed session holds [^;]*; it is [^;]* old\./u,
      );
      await terminal.press('Enter');
      expect(await terminal.shows('Next: ')).toMatch(/left over.*sleep 3601[^]*running.*living-server/u);
      await terminal.enterAnew('curfew');
      await terminal.shows('q leaves');
      await terminal.press('e');
      expect(await terminal.shows('[y/N]')).not.toContain('living-server');
      await terminal.enter('no');
      await terminal.enterAnew('curfew');
      expect((await history(stage)).length).toBe(0);
      await terminal.shows('q leaves');
      await terminal.press('e');
      await terminal.shows('[y/N]');
      await terminal.enter('y');
      await terminal.shows('Total: 1 job ended');
      expectUntouched(stage, innocents);
      expect((await runCurfew(stage, [])).stdout).toMatch(/^No leftovers; \d running\.\n$/u);
    }),
  );

  test(
    'without a terminal it is one sentence and nothing is ended; a typing error is answered by what is near',
    scene(async (stage) => {
      expect(await runCurfew(stage, [])).toMatchObject({
        code: 0,
        stdout: 'No agent has left a command running.\n',
        stderr: '',
      });
      expect(await runCurfew(stage, ['scna'])).toMatchObject({
        code: 2,
        stderr: "curfew: unknown command 'scna'. Did you mean scan?\n",
      });
      expect((await runCurfew(stage, ['scan', '--exlpain'])).stderr).toContain('Did you mean --explain?');
      const { stdout } = await runCurfew(stage, ['--help']);
      for (const group of ['Look:', 'End:', 'Automate:', 'Integrate:', 'Examples:']) expect(stdout).toContain(group);
      // What few users need is named, and explained by its own help alone.
      expect(stdout).toMatch(/More, each with --help:\n {2}report, /u);
      expect(stdout).not.toContain('process 1 of a container');
      expect((await runCurfew(stage, ['init', '--help'])).stdout).toContain('process 1 of a container');
    }),
  );
});
