import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeConnectionFolder } from '../../../main/remote/hosts.ts';

test.skipIf(process.getuid?.() !== 0)(
  'sockets of ssh lie in no folder of another user, whatever `sudo -E` keeps (SKIPPED: only root makes such a folder)',
  () => {
    const theirs = mkdtempSync(join(tmpdir(), 'theirs-'));
    onTestFinished(() => rmSync(theirs, { recursive: true, force: true }));
    chownSync(theirs, 65_534, 65_534);
    vi.stubEnv('TMPDIR', theirs);
    onTestFinished(() => void vi.unstubAllEnvs());
    const made = makeConnectionFolder({ XDG_RUNTIME_DIR: theirs });
    if (made !== null) onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    expect(made).toMatch(/^\/tmp\/curfew-/u);
    expect(readdirSync(theirs)).toEqual([]);
  },
);
