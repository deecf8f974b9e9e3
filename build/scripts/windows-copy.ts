import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Kept between runs: 430 MB, of which this project's own files are copied anew each time. */
const folder = join(root, 'build/out/wine/project');
const stamp = join(folder, 'node_modules/.installed-from');

const packageFiles = ['package.json', 'package-lock.json', '.npmrc'];

/** Installs the packages of Windows. None of their scripts runs: it would run on this system. */
const install = (): void => {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  mkdirSync(folder, { recursive: true });
  for (const file of packageFiles) cpSync(join(root, file), join(folder, file));
  const words = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  writeFileSync(stamp, lock);
};

/**
 * Copies this project as git has it, changes included, beside the packages that npm installs for
 * Windows, and returns the folder.
 * @throws what git, npm or the file system says
 */
export const copyForWindows = (): string => {
  install();
  for (const name of readdirSync(folder))
    if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of new Set(listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))))
    cpSync(join(root, file), join(folder, file));
  return folder;
};
