/** A skipped test. */
export interface Skipped {
  /** Path of the file, from the root of the project. */
  readonly file: string;
  readonly name: string;
}

/** Where tests run: a system, or the Windows that Wine makes (npm run test:windows-units). */
export type TestPlace = NodeJS.Platform | 'wine';

interface Excuse {
  /** How the path begins. What a test's own name says as `(SKIPPED: why)` needs no row here. */
  readonly file: string;
  /** Part of the test's name; absent for all tests of the file. */
  readonly name?: string;
  /** Where it counts; absent for Linux. */
  readonly on?: readonly TestPlace[];
  readonly why: string;
  /** CI must have what it needs all the same: then this is only the reason that is printed. */
  readonly due?: true;
}

const windows: readonly TestPlace[] = ['win32', 'wine'];

const headersTest = 'test/unit/os/darwin/kernel/headers.test.ts';
const noAgent = 'the real agents are not here: `npm run agents` fetches them (about 2 GB)';
const rootAndUsers = 'processes of other users are made by root of the machine only';

/** Why tests of other users are skipped where processes can belong to one only. */
export const oneUser = 'this machine gives tests one user only';

/** Why tests on the real Electron are skipped where no registry of packages holds one. */
export const noOtherElectron = 'a real Electron is to be had for Linux on x64 alone';

const posixTools = 'its stand-ins for tools of the system are scripts for a POSIX shell';
const noModes = 'Windows keeps no rights in the mode of a file';
const noShell = 'there is no POSIX shell at its place on Windows';
const onLinux = 'this is made on Linux only';
const noLinks = 'a link takes a right on Windows, and Wine 8 makes none';

/** What a Windows skips. What Wine alone lacks, a real Windows must not skip. */
const onWindows: readonly Excuse[] = [
  { file: 'test/unit/autostart/', on: windows, why: posixTools },
  { file: 'test/unit/hooks/autostart.test.ts', on: windows, why: posixTools },
  { file: 'test/unit/os/darwin/on-a-mac.test.ts', on: windows, why: 'this is no Mac' },
  { file: headersTest, on: windows, why: 'the fields are those of a Mac, and of a compiler like its own' },
  { file: 'test/unit/os/darwin/kernel/aside.test.ts', on: windows, why: 'it calls functions of POSIX' },
  { file: 'test/unit/os/linux/process-memory.test.ts', on: windows, why: 'it reads /proc' },
  { file: 'test/unit/os/linux/taken-along.test.ts', name: 'the reading of', on: windows, why: 'it reads /proc' },
  { file: 'test/unit/cli/endless-input.test.ts', on: windows, why: 'there is no /dev/zero' },
  {
    file: 'test/unit/publishing/files.test.ts',
    name: 'replaces no pipe',
    on: windows,
    why: 'its devices have other names',
  },
  { file: 'test/unit/publishing/files.test.ts', name: 'the umask', on: windows, why: noModes },
  { file: 'test/unit/run/lock-mutex.test.ts', on: windows, why: noModes },
  { file: 'test/unit/publishing/files.test.ts', name: 'that others can read', on: windows, why: noModes },
  { file: 'test/unit/publishing/files.test.ts', name: 'replaces a link', on: windows, why: noLinks },
  { file: 'test/unit/incident-lines/standard-output.test.ts', name: 'a full pipe', on: windows, why: noShell },
  { file: 'test/unit/cli/compile-cache.test.ts', name: 'others may write', on: windows, why: noModes },
  { file: 'test/unit/hooks/installation.test.ts', name: 'keeps its rights', on: windows, why: noModes },
  { file: 'test/unit/hooks/status-line.test.ts', name: 'the script of', on: windows, why: noShell },
  { file: 'test/unit/hooks/status-line.test.ts', name: 'for the user alone', on: windows, why: noModes },
  { file: 'test/unit/agents/sessions.test.ts', name: 'a pipe', on: windows, why: 'its pipes stand in no folder' },
  { file: 'test/unit/build/release/release-files.test.ts', name: 'is bash', on: windows, why: noShell },
  { file: 'test/property/guard/decide.test.ts', name: 'bash would not read', on: windows, why: noShell },
  { file: 'test/unit/os/known-ends.test.ts', on: windows, why: 'its pipes and sockets are of POSIX' },
  { file: 'test/unit/build/places.test.ts', on: windows, why: noModes },
  { file: 'test/unit/build/shell-files.test.ts', on: windows, why: 'there is no shellcheck here' },
  { file: 'test/package/deb.test.ts', on: windows, why: onLinux },
  { file: 'test/package/packed.test.ts', on: windows, why: onLinux },
  { file: 'test/package/npm-package.test.ts', name: 'pidfd', on: windows, why: 'pidfds are of Linux' },
  {
    file: 'test/unit/build/release/texts.test.ts',
    name: 'last commit',
    on: ['wine'],
    why: 'there is no git of Windows',
  },
  { file: 'test/unit/agents/sessions.test.ts', name: 'a link', on: ['wine'], why: noLinks },
  { file: 'test/unit/hooks/', name: 'link', on: ['wine'], why: noLinks },
  { file: 'test/unit/hooks/other-forms.test.ts', name: 'one can’t be read', on: ['wine'], why: noLinks },
  { file: 'test/unit/os/own-command.test.ts', name: 'a link', on: ['wine'], why: noLinks },
  { file: 'test/unit/shell/', name: 'link', on: ['wine'], why: noLinks },
  { file: 'test/architecture/imports.test.ts', name: 'planted', on: ['wine'], why: noLinks },
  { file: 'test/architecture/lint.test.ts', on: ['wine'], why: noLinks },
];

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
  { file: 'test/os/real-agents/idle-places.test.ts', why: '`npm run test:idle` asks for them: up to two minutes each' },
  { file: 'test/os/real-agents/', why: noAgent, due: true },
  { file: 'test/os/hooks/claude.test.ts', why: noAgent, due: true },
  { file: 'test/os/hooks/claude-watched.test.ts', why: noAgent, due: true },
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
  { file: 'test/os/run/agent.test.ts', why: 'there is no control group here that we may write' },
  { file: 'test/os/run/bounds.test.ts', why: 'there is no control group here that we may write' },
  { file: 'test/os/run/surroundings.test.ts', why: 'there is no control group here that we may write' },
  {
    file: 'test/unit/os/koffi.test.ts',
    on: ['linux', ...windows, 'darwin'],
    why: 'its binary is loaded directly on Linux, x64 and arm64',
  },
  { file: 'test/os/user-groups.test.ts', why: 'there is no cgroup v2 here that we may write' },
  { file: 'test/os/faults/hostile-machine.test.ts', name: '(hidepid)', why: oneUser },
  { file: 'test/os/faults/hostile-machine.test.ts', name: '(setuid)', why: oneUser },
  { file: 'test/os/spared/other-people.test.ts', name: 'T07', why: oneUser },
  { file: 'test/os/process-source-machine.test.ts', why: oneUser },
  { file: 'test/os/signaller-limits.test.ts', name: 'another user', why: oneUser },
  { file: 'test/', name: `(SKIPPED: ${oneUser})`, why: oneUser },
  { file: 'test/os/left-open/', name: 'by root of the machine)', why: 'containers are made by root of the machine' },
  { file: 'test/os/foreign-command-lines.test.ts', why: rootAndUsers },
  { file: 'test/os/user-child.test.ts', why: rootAndUsers },
  { file: 'test/os/stalled-memory.test.ts', why: 'this takes root of the machine and /dev/fuse' },
  { file: 'test/electron/', name: noOtherElectron, why: noOtherElectron },
  // Parts of parts.ts.
  { file: 'test/desktop/session-bus.test.ts', why: 'there is no dbus-daemon here', due: true },
  { file: 'test/unit/build/shell-files.test.ts', why: 'there is no shellcheck here', due: true },
  { file: 'test/unit/hooks/autostart.test.ts', name: 'verify', why: 'there is no systemd-analyze here', due: true },
  {
    file: 'test/unit/autostart/without-a-trace.test.ts',
    name: 'accepts',
    why: 'there is no desktop-file-validate here',
    due: true,
  },
  { file: 'test/unit/build/release/texts.test.ts', name: 'last commit', why: 'there is no git here', due: true },
  ...onWindows,
];

/** Why a test is skipped, as far as that is known. */
const reasonOf = ({ file, name }: Skipped, place: TestPlace): Pick<Excuse, 'why' | 'due'> | null => {
  // What a Mac skips was never seen.
  if (place !== 'linux' && !windows.includes(place)) return { why: 'this test runs on Linux only' };
  const fits = (each: Excuse): boolean =>
    file.startsWith(each.file) && name.includes(each.name ?? '') && (each.on ?? ['linux']).includes(place);
  const said = /\(SKIPPED: (.*?)\)(?: |$)/u.exec(name)?.[1];
  const row = excuses.find(fits) ?? null;
  return said === undefined ? row : { ...(row ?? { due: true }), why: said };
};

/** Returns why a test may be skipped even where every part must be present (CI=true), or null. */
export const excuseOf = (skipped: Skipped, place: TestPlace = process.platform): string | null => {
  const reason = reasonOf(skipped, place);
  return reason === null || reason.due === true ? null : reason.why;
};

/** Returns how often each reason skipped a test, and the tests without one, for a run's end. */
export const linesOfSkipped = (all: readonly Skipped[], place: TestPlace = process.platform): readonly string[] => {
  const counts = new Map<string, number>();
  for (const each of all) {
    const line = reasonOf(each, place)?.why ?? `${each.file} > ${each.name}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => `skipped ${String(count).padStart(4)}: ${line}`);
};
