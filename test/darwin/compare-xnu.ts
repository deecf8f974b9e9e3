import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareStrings } from './kernel-strings.ts';
import { compareWithXnu, headerFolders } from './xnu-headers.ts';

// `npm run headers:darwin [-- folder | tag | --all]`: compares where Curfew reads fields with
// Apple's headers, and how the kernel lays out arguments with what is read of them. The tree is
// downloaded into a temporary folder and deleted: its licence keeps it out of the repository.

const source = 'https://github.com/apple-oss-distributions/xnu.git';
/** macOS 15.4. */
const defaultTag = 'xnu-11417.101.15';
/** The first of macOS 13, before which Electron does not run. */
const oldest = 8_792;

const git = (args: readonly string[], cwd?: string): string => {
  const { status, stdout, stderr } = spawnSync('git', [...args], {
    encoding: 'utf8',
    timeout: 15 * 60_000,
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout;
};

const allTags = (): readonly string[] =>
  git(['ls-remote', '--tags', '--refs', source])
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('/') + 1))
    .filter((tag) => Number(/^xnu-(\d+)\./u.exec(tag)?.[1] ?? 0) >= oldest);

let failures = 0;
const compare = (name: string, folder: string): void => {
  const { compared, wrong, absent } = compareWithXnu(folder);
  console.log(`${name}: ${compared} sizes and offsets compared, ${wrong.length} elsewhere`);
  for (const one of [...wrong, ...absent.map((struct) => `${struct} is not declared`)]) console.log(`  ${one}`);
  const strings = compareStrings(folder);
  console.log(`${name}: arguments of ${strings.programs} programs compared, ${strings.wrong.length} differ`);
  for (const one of strings.wrong.slice(0, 5)) console.log(`  ${one}`);
  failures += wrong.length + absent.length + strings.wrong.length;
};

const compareTag = (tag: string): void => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-xnu-'));
  try {
    git(['clone', '-q', '--depth', '1', '--branch', tag, '--filter=blob:none', '--sparse', source, folder]);
    git(['sparse-checkout', 'set', ...headerFolders], folder);
    compare(tag, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const [asked = defaultTag] = process.argv.slice(2);
if (existsSync(asked)) compare(asked, asked);
else for (const tag of asked === '--all' ? allTags() : [asked]) compareTag(tag);
process.exitCode = failures === 0 ? 0 : 1;
