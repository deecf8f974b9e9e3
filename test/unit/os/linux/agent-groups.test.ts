import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeAgentGroups } from '../../../../main/os/containment/agent-groups.ts';
import { groupFolder } from '../../../../main/os/containment/control-group.ts';

test.skipIf(process.platform !== 'linux')('a forged record of an agent removes no folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'curfew-groups-'));
  try {
    const forged = (folder: string, path: string): boolean => {
      mkdirSync(folder, { recursive: true });
      const inode = statSync(folder).ino;
      return removeAgentGroups({ id: '1', groups: [{ folder, inode, hierarchy: '', path, holds: 'agent' }] });
    };
    const folder = join(root, 'one', 'inner');
    expect(forged(folder, '/curfew-agent-1/agent')).toBe(false);
    expect(forged(folder, '/other/agent')).toBe(false);
    expect(existsSync(folder)).toBe(true);
    expect(removeAgentGroups({ id: '1', groups: [] })).toBe(true);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test.skipIf(process.platform !== 'linux')('a path that leads elsewhere names no group of an agent', () => {
  const path = '/some/curfew-agent-1/..';
  const found = groupFolder(readFileSync('/proc/self/mountinfo', 'utf8'), `0::${path}`);
  const group = { folder: found?.folder ?? '', inode: 1, hierarchy: '', path, holds: 'agent' } as const;
  expect(removeAgentGroups({ id: '1', groups: [group] })).toBe(false);
});
