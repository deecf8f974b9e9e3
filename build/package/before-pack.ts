import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Builds what is packed, and the list of licences, so that `npx electron-builder` needs no other
 * command.
 * @throws when a step fails
 */
const beforePack = (): void => {
  const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  for (const args of [
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--app',
      '--config',
      'build/vite.config.ts',
      '--logLevel',
      'warn',
    ],
    ['build/scripts/licences.ts'],
  ]) {
    const { status } = spawnSync(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: path },
    });
    if (status !== 0)
      throw new Error(`The app was not packed, because ${args[0] ?? ''} failed. What it said is above.`);
  }
};

export default beforePack;
