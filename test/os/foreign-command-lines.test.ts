import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRootOfMachine, manyUsers, readableNode } from './machine-facts.ts';
import { Children } from './process-source-children.ts';
import { curfewFile } from './scene/curfew.ts';
import { eventually } from './eventually.ts';

const uid = 65_533;

/** Processes of another user; `npm run test:hostile` starts the 2,500 that the bound is for. */
const crowd = Math.min(2500, Number(process.env['CURFEW_TEST_FOREIGN'] ?? 700));

const pad = 'x'.repeat(120_000);

/**
 * Forks that share their starter's command line, or have one each. They end with standard input.
 */
const forking = `$| = 1; my ($n, $own) = @ARGV;
for my $i (1 .. $n) {
  next if fork;
  exec 'perl', '-e', 'sysread STDIN, my $x, 1', $i, 'y' x 120000, 'z' x 120000 if $own;
  sysread STDIN, my $x, 1; exit;
}
print "started\\n"; sysread STDIN, my $x, 1;`;

/** Returns how many processes this user has. */
const count = (): number =>
  readdirSync('/proc').filter(
    (name) => /^\d+$/u.test(name) && statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid === uid,
  ).length;

let children: Children;
let home: string;

beforeEach(() => {
  children = new Children();
  home = mkdtempSync(join(tmpdir(), 'curfew-foreign-'));
});

afterEach(async () => {
  await children.endAll();
  rmSync(home, { recursive: true, force: true });
});

/** Returns the peak of a scan's resident memory, MB. */
const peakOfScan = (): number => {
  const telling = `data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))`;
  const { stdout, stderr, status } = spawnSync(readableNode, ['--import', telling, curfewFile, 'scan', '--json'], {
    env: { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: join(home, 'curfew') },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  expect({ status, document: stdout.slice(0, 1) }).toEqual({ status: 0, document: '{' });
  return Number(/peak (\d+)/u.exec(stderr)?.[1]) / 1024;
};

describe.runIf(isRootOfMachine && manyUsers)('thousands of processes of another user with 240 kB of arguments', () => {
  const kinds: readonly (readonly [string, string])[] = [
    ['that share them', '0'],
    ['of their own', '1'],
  ];
  // Each of the others is a program of its own, which takes a minute to start.
  test.each(kinds.slice(0, process.env['CURFEW_TEST_FOREIGN'] === undefined ? 1 : 2))(
    `${crowd} %s cost a scan no more than 100 MB`,
    async (_which, own) => {
      const ordinary = Math.min(peakOfScan(), peakOfScan());
      const { child } = await children.startTelling('perl', ['-e', forking, String(crowd), own, pad, pad], {
        uid,
        gid: uid,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await eventually(() => expect(count()).toBeGreaterThanOrEqual(crowd));
      const more = peakOfScan() - ordinary;
      if (process.env['CURFEW_TEST_FOREIGN'] !== undefined)
        console.log(`${crowd}, own ${own}: ordinary ${ordinary.toFixed(0)} MB, ${more.toFixed(0)} MB more`);
      child.stdin?.end();
      await eventually(() => expect(count()).toBe(0));
      expect(more).toBeLessThan(100);
    },
  );
});
