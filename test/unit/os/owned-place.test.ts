import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../main/os/files/owned-place.ts';
import { startKnownChild } from '../../../main/os/self-check/known-child.ts';
import { sparedPlaces } from '../../../main/store/spared/spared-file.ts';

test.skipIf(process.getuid?.() !== 0).each(['', '/deeper'])(
  'nothing temporary is made in a folder of another user%s, whatever `sudo -E` keeps (SKIPPED: only root makes one)',
  (below) => {
    const usual = tmpdir();
    const theirs = mkdtempSync(join(usual, 'theirs-'));
    onTestFinished(() => rmSync(theirs, { recursive: true, force: true }));
    chownSync(theirs, 65_534, 65_534);
    vi.stubEnv('TMPDIR', theirs + below);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(temporaryFolder()).toBe('/tmp');
    const child = startKnownChild();
    if ('pid' in child) onTestFinished(child.remove);
    expect(child).toMatchObject({ folder: expect.stringMatching(/^\/tmp\/curfew-check-/u) as string });
    expect(sparedPlaces({ state: '/nowhere' }).filter((path) => path.startsWith(theirs))).toEqual([]);
    expect(readdirSync(theirs)).toEqual([]);
  },
);
