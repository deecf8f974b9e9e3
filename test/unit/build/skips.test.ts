import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { excuseOf, linesOfSkipped, oneUser } from '../../../build/scripts/skips.ts';

test('nothing excuses a test that needs a browser, an sshd or a shell', () => {
  expect(excuseOf({ file: 'test/ui/popover.test.ts', name: 'a' }, 'linux')).toBeNull();
  expect(excuseOf({ file: 'test/desktop/stand-in.test.ts', name: 'a' }, 'linux')).toBeNull();
  expect(excuseOf({ file: 'test/os/remote/many.test.ts', name: 'a' }, 'linux')).toBeNull();
  expect(excuseOf({ file: 'test/os/command-line/completion.test.ts', name: 'a in fish' }, 'linux')).toBeNull();
  expect(
    excuseOf({ file: 'test/os/command-line/completion.test.ts', name: 'a in PowerShell' }, 'linux'),
  ).not.toBeNull();
  expect(excuseOf({ file: 'test/os/spared/other-people.test.ts', name: 'N20: a tmux server' }, 'linux')).toBeNull();
});

test('the real Electron is excused and what the kernel lacks, and real agents are not', () => {
  expect(excuseOf({ file: 'test/desktop/electron.test.ts', name: 'a' }, 'linux')).toMatch(/Electron/u);
  expect(excuseOf({ file: 'test/os/real-agents/guard.test.ts', name: 'a' }, 'linux')).toBeNull();
  const file = 'test/os/faults/hostile-machine.test.ts';
  expect(excuseOf({ file, name: 'frozen, where not even KILL arrives' }, 'linux')).toMatch(/freezer/u);
  expect(excuseOf({ file, name: 'a debugger holds it' }, 'linux')).toBeNull();
});

test('without namespaces every test on processes is excused', () => {
  expect(excuseOf({ file: 'test/os/remote/many.test.ts', name: 'a' }, 'darwin')).toMatch(/Linux only/u);
});

test('on Windows what it lacks is excused, and a link only under Wine', () => {
  const rights = { file: 'test/unit/hooks/installation.test.ts', name: 'the file keeps its rights, and so on' };
  const link = { file: 'test/unit/hooks/installation.test.ts', name: 'the file that is a link stays a link' };
  for (const place of ['win32', 'wine'] as const) expect(excuseOf(rights, place)).toMatch(/mode/u);
  expect(excuseOf(link, 'wine')).toMatch(/Wine/u);
  for (const place of ['win32', 'linux'] as const) expect(excuseOf(link, place)).toBeNull();
  expect(excuseOf(rights, 'linux')).toBeNull();
  expect(excuseOf({ file: 'test/unit/web/attacks.test.ts', name: 'a' }, 'win32')).toBeNull();
});

test('a reason in the name of a test is printed, and excuses nothing but a machine of one user', () => {
  const shell = { file: 'test/os/command-line/completion.test.ts', name: 'completion offers it (SKIPPED: no fish)' };
  const browser = { file: 'test/ui/a.test.ts', name: 'a view (SKIPPED: no Chromium (Debian: chromium)) opens' };
  const user = { file: 'test/os/sweep/remove-file.test.ts', name: `another user (SKIPPED: ${oneUser})` };
  expect(linesOfSkipped([shell, browser, user], 'linux')).toEqual([
    'skipped    1: no fish',
    'skipped    1: no Chromium (Debian: chromium)',
    `skipped    1: ${oneUser}`,
  ]);
  expect([shell, browser].map((each) => excuseOf(each, 'linux'))).toEqual([null, null]);
  expect(excuseOf(user, 'linux')).toBe(oneUser);
});

const root = join(import.meta.dirname, '../../..');

/** `test.skipIf(what)('title'`, also with `.concurrent` and over two lines. */
const conditional =
  /\.(?:skipIf|runIf)\((?<what>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)(?:\s*\.\w+)*\(\s*(?<title>(['"`]).*?\3(?=,)|title)/gsu;
/** How a title says it when it is put together: see the constants of these names. */
const saysItself = /SKIPPED|\$\{(?:skipped|why|unless\w*)\b|^title$/u;

test('every test that can be skipped on Linux gives a reason that is printed', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter(
    (file) => !/^test\/(?:deb|ansible|windows)\//u.test(file),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(conditional)].map(({ groups }) => ({
      file,
      name: groups?.['title'] ?? '',
      what: groups?.['what'] ?? '',
    })),
  );
  expect(found.length).toBeGreaterThan(100);
  const places = ['linux', 'win32', 'wine'] as const;
  const silent = found.filter(
    (each) =>
      !/platform !== 'linux'|platform === 'darwin'/u.test(each.what) &&
      !saysItself.test(each.name) &&
      places.every((place) => linesOfSkipped([each], place)[0]?.includes(' > ')),
  );
  expect(silent).toEqual([]);
});

test('the summary names each reason once, and each unexcused test', () => {
  expect(
    linesOfSkipped(
      [
        { file: 'test/os/real-agents/guard.test.ts', name: 'a' },
        { file: 'test/os/real-agents/claude.test.ts', name: 'b' },
        { file: 'test/ui/popover.test.ts', name: 'c' },
      ],
      'linux',
    ),
  ).toEqual([
    'skipped    2: the real agents are not here: `npm run agents` fetches them (about 2 GB)',
    'skipped    1: test/ui/popover.test.ts > c',
  ]);
});
