/** A skipped test. */
export interface Skipped {
  /** Path of the file, from the root of the project. */
  readonly file: string;
  readonly name: string;
}

interface Excuse {
  /** How the path begins. */
  readonly file: string;
  /** Part of the test's name; absent for all tests of the file. */
  readonly name?: string;
  readonly why: string;
}

const headersTest = 'test/unit/os/darwin/kernel/headers.test.ts';
const noAgent = 'the real Claude Code is not installed';
const oneUser = 'this machine gives tests one user only';

/** What no package can install. Every other need of a test has its package in parts.ts. */
const excuses: readonly Excuse[] = [
  { file: 'test/desktop/electron.test.ts', why: 'Electron is not downloaded by npm ci (npx install-electron does)' },
  // Nothing but a Mac has Apple's headers. The comparison itself is seen where there is a compiler.
  { file: headersTest, name: 'of this Mac', why: 'this is no Mac' },
  { file: 'test/unit/os/darwin/on-a-mac.test.ts', why: 'this is no Mac' },
  { file: headersTest, name: 'a compiler finds', why: 'there is no C compiler here' },
  {
    file: 'test/os/command-line/completion.test.ts',
    name: 'in PowerShell',
    why: 'there is no PowerShell here: Debian has no package of it',
  },
  { file: 'test/os/real-agents/', why: noAgent },
  { file: 'test/os/hooks/claude.test.ts', why: noAgent },
  { file: 'test/os/hooks/claude-watched.test.ts', why: noAgent },
  { file: 'test/os/signaller.test.ts', name: 'group', why: 'this kernel signals no group through a pidfd (Linux 6.9)' },
  {
    file: 'test/os/faults/hostile-machine.test.ts',
    name: 'Landlock',
    why: 'this kernel forbids no signals (Linux 6.12)',
  },
  {
    file: 'test/os/faults/hostile-machine.test.ts',
    name: 'frozen',
    why: 'there is no freezer of cgroup v1 here that we may write',
  },
  { file: 'test/os/run/user-manager.test.ts', why: 'there is no cgroup v2 here that we may write' },
  { file: 'test/os/faults/hostile-machine.test.ts', name: 'is hidden (hidepid)', why: oneUser },
  { file: 'test/os/faults/hostile-machine.test.ts', name: '(setuid)', why: oneUser },
  { file: 'test/os/spared/other-people.test.ts', name: 'T07', why: oneUser },
  { file: 'test/os/process-source-machine.test.ts', why: oneUser },
  { file: 'test/os/signaller-limits.test.ts', name: 'another user', why: oneUser },
];

/** Returns why a test may be skipped even where every part must be present (CI=true), or null. */
export const excuseOf = ({ file, name }: Skipped, platform: NodeJS.Platform = process.platform): string | null => {
  if (platform !== 'linux') return 'this test runs on Linux only';
  const fits = (each: Excuse): boolean => file.startsWith(each.file) && name.includes(each.name ?? '');
  return excuses.find(fits)?.why ?? null;
};

/** Returns how often each reason excused a test, and the unexcused tests, for the end of a run. */
export const linesOfSkipped = (
  all: readonly Skipped[],
  platform: NodeJS.Platform = process.platform,
): readonly string[] => {
  const counts = new Map<string, number>();
  for (const each of all) {
    const line = excuseOf(each, platform) ?? `${each.file} > ${each.name}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => `skipped ${String(count).padStart(4)}: ${line}`);
};
