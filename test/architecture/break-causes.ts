// node test/architecture/break-causes.ts [PATTERN]: breaks the rule behind each cause of
// test/architecture/causes.ts (those whose names match the pattern), one after the other, and plays
// the tests of that cause, those without processes first, until one of them fails. Writes
// docs/records/causes.md. Changes files of this checkout meanwhile: never run it where others work.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { breaks } from './breaks.ts';
import { causes } from './causes.ts';

const root = join(import.meta.dirname, '../..');
const pageFile = join(root, 'docs/records/causes.md');
const reportFile = join(root, 'build/out/reports/broken-cause.json');
const report = z.object({ numFailedTests: z.int(), numPassedTests: z.int() });
const projects = ['unit', 'os', 'os-runs', 'os-scenes', 'safety'];

/** What is played of a title: what a template puts in is not known here. */
const patternOf = (title: string): string =>
  title
    .split(/\$\{[^}]*\}|%s/u)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`))
    .join('.*');

/** Plays the tests of that title, once. */
const isNoticedBy = (file: string, title: string): boolean => {
  rmSync(reportFile, { force: true });
  const named = projects.flatMap((name) => ['--project', name]);
  const words = ['vitest', 'run', ...named, `test/${file}`, '-t', patternOf(title), '--retry', '0', '--bail', '1'];
  const reporting = ['--reporter', 'json', '--outputFile', reportFile];
  spawnSync(process.execPath, ['build/scripts/in-namespace.ts', ...words, ...reporting], { cwd: root });
  if (!existsSync(reportFile)) throw new Error(`${file} could not be played`);
  const { numFailedTests, numPassedTests } = report.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  if (numFailedTests + numPassedTests === 0) throw new Error(`${file} has no test “${title}”`);
  return numFailedTests > 0;
};

/** Breaks one rule, and returns the file whose test notices it; null for none. */
const noticed = (cause: string): string | null => {
  const [file, rule, broken] = breaks[cause] ?? ['', '', ''];
  const path = join(root, file);
  const whole = readFileSync(path, 'utf8');
  if (whole.split(rule).length !== 2) throw new Error(`${file} does not have its rule once: ${rule}`);
  const build = (): void => void execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'ignore' });
  let isBuilt = false;
  try {
    writeFileSync(
      path,
      whole.replace(rule, () => broken),
    );
    const named = (causes[cause] ?? []).toSorted(
      ([left], [right]) => Number(right.startsWith('unit')) - Number(left.startsWith('unit')),
    );
    for (const [test, title] of named) {
      if (!isBuilt && !test.startsWith('unit')) build();
      isBuilt ||= !test.startsWith('unit');
      if (isNoticedBy(test, title)) return test;
    }
    return null;
  } finally {
    writeFileSync(path, whole);
    if (isBuilt) build();
  }
};

const row = /^\| (?<cause>[^|]+?) +\| `[^`]+` +\| (?<by>[^|]+?) +\|$/gmu;
const before = existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : '';
const known = new Map(
  [...before.matchAll(row)].map(({ groups }) => [groups?.['cause']?.trim() ?? '', groups?.['by']?.trim() ?? '']),
);
/** Written after each cause: what was seen of one stays when the next is broken off. */
const write = (): void => {
  writeFileSync(
    pageFile,
    `# Causes, and the tests that notice them

Written by \`npm run test:causes\`, which breaks the rule behind each cause (\`test/architecture/breaks.ts\`) and plays the
tests of that cause (\`test/architecture/causes.ts\`) until one of them fails.

| what Curfew once did | rule in | noticed by |
| --- | --- | --- |
${Object.entries(breaks)
  .map(([cause, [file]]) => `| ${cause} | \`${file}\` | ${known.get(cause) ?? 'not played'} |`)
  .join('\n')}
`,
  );
  execFileSync('oxfmt', [pageFile], { cwd: root });
};

const wanted = new RegExp(process.argv[2] ?? '.', 'u');
for (const cause of Object.keys(breaks).filter((one) => wanted.test(one))) {
  const by = noticed(cause);
  console.log(`${cause}: ${by ?? 'NOT NOTICED'}`);
  known.set(cause, by === null ? '**not noticed**' : `\`${by}\``);
  if (by === null) process.exitCode = 1;
  write();
}
