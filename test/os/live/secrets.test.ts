import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manyUsers } from '../machine-facts.ts';
import { curfewEnvironment, startCurfew } from '../scene/curfew.ts';
import type { Scene } from '../scene/scene.ts';
import { expect, live, openFresh, readTold, startWeb } from './live-page.ts';

const home = '/tmp/curfew-home';

/** Content and permissions of a file; null for a folder, and for a file that has just gone. */
const read = (path: string): { readonly text: string; readonly mode: number } | null => {
  try {
    return { text: readFileSync(path, 'latin1'), mode: statSync(path).mode & 0o777 };
  } catch (error) {
    if (['EISDIR', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
};

/** Every file below a folder of the scene, by its name there. */
const filesOf = (stage: Scene, folder: string): ReadonlyMap<string, { readonly text: string; readonly mode: number }> =>
  new Map(
    readdirSync(stage.outside(folder), { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const found = read(join(stage.outside(folder), name));
      return found === null ? [] : [[name, found] as const];
    }),
  );

const passOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

live('what signs a browser in', {
  'is in no log, no file readable by others, and no arguments': async ({ stage, browser }) => {
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await expect(page.getByRole('heading', { name: 'Welcome to Curfew' })).toBeVisible();
    const [cookie] = await page.context().cookies();
    const { origins } = await page.context().storageState();
    const key = origins[0]?.localStorage.find(({ name }) => name === 'curfew-key')?.value;
    if (cookie === undefined || key === undefined) throw new Error('not signed in');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const secrets = [passOf(server.told.url), cookie.value, key];
    await server.running.signal('TERM');
    const run = await server.running.ended();
    for (const secret of secrets) {
      expect(run.stderr).not.toContain(secret);
      for (const { text } of filesOf(stage, home).values()) expect(text).not.toContain(secret);
    }
    expect(filesOf(stage, home).has('web.json')).toBe(false);
  },

  'is passed to the browser in a private file that is removed after use; other users see nothing': async ({
    stage,
    browser,
  }) => {
    stage.write('/tmp/scene/path/xdg-open', '#!/bin/sh\necho "$@" > /tmp/opened\nexec sleep 3600\n', 0o755);
    const running = await startCurfew(stage, ['web', '--json'], {
      env: { ...curfewEnvironment(stage), DISPLAY: ':0' },
    });
    await stage.until('it listens', () => running.stdout().includes('\n'));
    const told = readTold(running.stdout());
    expect(told.opened).toBe(true);
    await stage.until('a browser was started', () => stage.has('/tmp/opened') && stage.read('/tmp/opened') !== '');
    const given = stage.read('/tmp/opened').trim();
    expect(given).toBe(`${home}/web-open.html`);
    expect(stage.read(given)).toContain(told.url);
    for (const { argv } of stage.table()) expect(argv.join(' ')).not.toContain(passOf(told.url));
    for (const [name, { mode }] of filesOf(stage, home)) {
      if (name.startsWith('web')) expect({ name, mode }).toEqual({ name, mode: 0o600 });
    }
    expect(statSync(stage.outside(home)).mode & 0o077).toBe(0);
    if (manyUsers) {
      const other = await stage.actor({ argv: ['other'], uid: 1000, cwd: '/tmp', setsid: true });
      for (const file of ['web.json', 'web-open.html']) {
        const pid = await other.start({
          file: '/bin/cat',
          argv: ['cat', `${home}/${file}`],
          env: stage.userEnvironment(),
        });
        expect((await other.ended(pid)).code).toBe(1);
      }
    }
    const page = await openFresh(browser, told.url);
    await expect(page.getByRole('heading', { name: 'Welcome to Curfew' })).toBeVisible();
    await stage.until('the file is gone', () => !stage.has(`${home}/web-open.html`));
  },
});
