import { expect, describe, test } from 'vitest';
import { runCurfew, startCurfew } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';
import { readTold, startWeb } from './live-page.ts';

describe.concurrent('curfew web, as a command', () => {
  test(
    'a port in use is reported; without --port another one is chosen; an invalid one is a wrong call',
    scene(async (stage) => {
      const squatter = await stage.actor({ argv: ['squatter'], setsid: true });
      await squatter.listen(28_733);
      const taken = await runCurfew(stage, ['web', '--no-open', '--port', '28733']);
      expect(taken.code).toBe(1);
      expect(taken.stderr).toContain('port 28733 is taken by another program');
      expect(taken.stdout).toBe('');
      for (const port of ['70000', '-1', 'http', '1.5'])
        expect(await runCurfew(stage, ['web', '--no-open', `--port=${port}`])).toMatchObject({ code: 2, stdout: '' });
      const found = await startWeb(stage);
      expect(found.told.port).not.toBe(28_733);
    }),
  );

  test(
    'beside another supervisor it names that one; INT ends it cleanly, and KILL leaves nothing in the way',
    scene(async (stage) => {
      const watch = await startCurfew(stage, ['watch', '--json']);
      await stage.until('it watches', () => watch.stdout().includes('looked'));
      const refused = await runCurfew(stage, ['web', '--no-open']);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('`curfew watch`');
      await watch.signal('TERM');
      await watch.ended();
      const killed = await startWeb(stage);
      await killed.running.signal('KILL');
      await killed.running.ended();
      expect(stage.has('/tmp/curfew-home/web.json')).toBe(true);
      const web = await startWeb(stage);
      expect(web.told).toMatchObject({ already: false, opened: false });
      const other = await runCurfew(stage, ['web', '--no-open', '--port', '1234']);
      expect(other).toMatchObject({ code: 1, stdout: '' });
      expect(other.stderr).toContain(`on port ${web.told.port}`);
      await web.running.signal('INT');
      expect(await web.running.ended()).toMatchObject({ code: 0 });
      expect(stage.has('/tmp/curfew-home/web.json')).toBe(false);
    }),
  );

  test(
    'users get the address on standard output and the rest on standard error',
    scene(async (stage) => {
      const web = await startCurfew(stage, ['web']);
      await stage.until('it says more', () => web.stderr().includes('once'));
      expect(web.stdout()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/enter\/[\w-]+\n$/u);
      expect(web.stderr()).toContain('no browser was opened: there is no display');
      const again = await runCurfew(stage, ['web', '--json', '--no-open']);
      expect(readTold(again.stdout).already).toBe(true);
      expect((await runCurfew(stage, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
    }),
  );
});
