import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { isNewer, seenVersions } from '../../../app/agents/seen-versions.ts';
import { newestOf } from '../../../build/agents/latest.ts';
import { matrixPage } from '../../../build/agents/matrix-page.ts';
import { lockOf, type PinnedAgent, pinnedAgents, pinnedHelpers } from '../../../build/agents/table.ts';
import { versionOf } from '../../../main/doctor/check-up.ts';

test('each pinned agent has a lock file that holds its package to an integrity', () => {
  const pinned: readonly PinnedAgent[] = [...pinnedAgents, ...Object.values(pinnedHelpers)];
  expect(pinned.filter((agent) => !existsSync(lockOf(agent)))).toEqual([]);
  for (const agent of pinned) {
    const lock = JSON.parse(readFileSync(lockOf(agent), 'utf8')) as {
      packages: Record<string, { version?: string; integrity?: string; dependencies?: object }>;
    };
    // A module that stands in for a package that npm lacks is made here, not fetched.
    const emptied = (agent.emptied ?? []).map((one) => one.slice(0, one.lastIndexOf('@')));
    const made = new Set(emptied.flatMap((name) => [`emptied/${name}`, `node_modules/${name}`]));
    expect(lock.packages['']?.dependencies).toEqual({
      [agent.package]: agent.version,
      ...Object.fromEntries((agent.besides ?? []).map((one) => one.split('@'))),
      ...Object.fromEntries(emptied.map((name) => [name, `file:./emptied/${name}`])),
    });
    expect(lock.packages[`node_modules/${agent.package}`]?.version).toBe(agent.version);
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '' && !made.has(path));
    expect(packages.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
  }
});

test('the page of the matrix is what its script writes of what was measured', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/records/real-agents.md'), 'utf8');
  // The formatter breaks lines, fills cells and marks emphasis in its own way.
  const bare = (text: string): string => text.replaceAll(/[\s*_|\\-]/gu, '');
  expect(bare(page)).toBe(bare(matrixPage()));
});

test('doctor knows the newest pinned version of each agent that has a dossier', () => {
  const known: readonly string[] = agentIds;
  for (const { agent, version, package: name } of newestOf(pinnedAgents).filter((one) => known.includes(one.agent))) {
    const seen = seenVersions[agent as keyof typeof seenVersions];
    expect(seen).toMatchObject({ version });
    expect(name).toContain(seen === 'none' ? 'none' : seen.package);
  }
});

test('a version is newer by its numbers, and a text that is none is not', () => {
  expect(isNewer('2.1.331', '2.1.330')).toBe(true);
  expect(isNewer('2.2.0', '2.1.330')).toBe(true);
  expect(isNewer('2.1.330', '2.1.330')).toBe(false);
  expect(isNewer('2.1.99', '2.1.330')).toBe(false);
  expect(isNewer('0.170.0-linux-x64', '0.169.0')).toBe(true);
  expect(isNewer('nightly', '0.169.0')).toBe(false);
});

test('the version of an agent is that of the package around its program, behind links too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-version-'));
  try {
    const native = join(folder, 'node_modules/@anthropic-ai/claude-code-linux-x64');
    mkdirSync(native, { recursive: true });
    writeFileSync(join(native, 'claude'), '');
    symlinkSync(join(native, 'claude'), join(folder, 'claude'));
    expect(versionOf('claude-code', [join(folder, 'claude')])).toBeNull();
    writeFileSync(join(native, 'package.json'), JSON.stringify({ name: 'a-plugin', version: '9.9.9' }));
    expect(versionOf('claude-code', [join(folder, 'claude')])).toBeNull();
    const manifest = { name: '@anthropic-ai/claude-code-linux-x64', version: '2.1.331' };
    writeFileSync(join(native, 'package.json'), JSON.stringify(manifest));
    expect(versionOf('claude-code', [join(folder, 'claude')])).toBe('2.1.331');
    expect(versionOf('codex', [join(folder, 'claude')])).toBeNull();
    mkdirSync(join(folder, 'versions'));
    writeFileSync(join(folder, 'versions/2.1.400'), '');
    expect(versionOf('claude-code', [join(folder, 'gone'), join(folder, 'versions/2.1.400')])).toBe('2.1.400');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
