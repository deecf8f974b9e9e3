import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asPid } from '../../app/process/identity.ts';
import { mayBeMounted } from '../../app/process/uses.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { processUses } from '../../main/os/process-uses.ts';
import { eventually } from './eventually.ts';
import { manyUsers, unlessManyUsers } from './machine-facts.ts';

test.skipIf(!manyUsers)(`any folder may be mounted for a user with too many mounts${unlessManyUsers}`, async () => {
  // In a mount namespace of its own: root would see that it shares one.
  const child = spawn('unshare', ['-m', 'setpriv', '--reuid', '65533', 'sleep', '1000'], { stdio: 'ignore' });
  try {
    await eventually(() => expect(readFileSync(`/proc/${child.pid}/comm`, 'utf8')).toBe('sleep\n'));
    const { rows } = new LinuxSource({ environmentNames: [], uid: 0 }).scan(new Set());
    const row = rows.get(asPid(child.pid ?? 0));
    const mounted = (mostBytes?: number): unknown => {
      const all = processUses(row === undefined ? [] : [row], mostBytes);
      const uses = all?.uses.map((use) => ({ ...use, denied: true })) ?? [];
      return all === null ? null : [uses.length, mayBeMounted({ ...all, uses }, all.placeOf('/home/me/tree') ?? '')];
    };
    expect([mounted(), mounted(0)]).toEqual([
      [1, false],
      [1, true],
    ]);
  } finally {
    child.kill();
  }
});
