import { expect, test } from 'vitest';
import { installCommand, missingParts } from '../../../build/scripts/parts.ts';

test('a machine that has everything misses nothing', () => {
  expect(missingParts(() => true, true)).toEqual([]);
});

test('what is missing is named with its package, each package once', () => {
  const missing = missingParts((program) => !['ss', 'ip', 'sshd'].includes(program), false);
  expect(missing).toEqual([
    { what: 'a browser (Chromium)', debian: 'chromium' },
    { what: 'ip, ss', debian: 'iproute2' },
    { what: 'sshd', debian: 'openssh-server' },
  ]);
  expect(installCommand(missing.map(({ debian }) => debian))).toBe(
    'apt-get install --no-install-recommends chromium iproute2 openssh-server',
  );
});

test('a machine that has nothing misses everything the tests need', () => {
  const packages = missingParts(() => false, false).map(({ debian }) => debian);
  for (const name of ['chromium', 'openssh-server', 'openssh-client', 'iproute2', 'procps', 'tmux', 'zsh', 'fish'])
    expect(packages).toContain(name);
  expect(new Set(packages).size).toBe(packages.length);
});
