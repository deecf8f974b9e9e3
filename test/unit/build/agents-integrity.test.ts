import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchPinned } from '../../../build/agents/fetch.ts';
import type { PinnedAgent } from '../../../build/agents/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'curfew-integrity-'));
const agent: PinnedAgent = {
  folder: 'stub-1.0.0',
  agent: 'stub',
  name: 'Stub 1.0.0',
  package: 'stub',
  version: '1.0.0',
  program: 'node_modules/stub/stub.js',
};
const agents = join(folder, 'agents');
let registry: Server;
let address = '';
let archive: Buffer;

beforeAll(async () => {
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name: 'stub', version: '1.0.0' }));
  writeFileSync(join(folder, 'package/stub.js'), '');
  spawnSync('tar', ['-czf', 'stub.tgz', 'package'], { cwd: folder });
  archive = readFileSync(join(folder, 'stub.tgz'));
  registry = createServer(({ url }, answer) => {
    answer.statusCode = url === '/stub-1.0.0.tgz' ? 200 : 404;
    answer.end(url === '/stub-1.0.0.tgz' ? archive : '');
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const at = registry.address();
  address = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/`;
  vi.stubEnv('CURFEW_AGENTS', agents);
  vi.stubEnv('npm_config_registry', address);
  vi.stubEnv('npm_config_cache', join(folder, 'cache'));
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('npm_config_update_notifier', 'false');
});

afterAll(() => {
  vi.unstubAllEnvs();
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

const lockWith = (content: Buffer): string => {
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  return JSON.stringify({
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { dependencies: { stub: '1.0.0' } },
      'node_modules/stub': { version: '1.0.0', resolved: `${address}stub-1.0.0.tgz`, integrity },
    },
  });
};

test('a package of another integrity than the lock file’s is a failure with its name, and nothing of it is unpacked', async () => {
  expect(await fetchPinned(agent, lockWith(Buffer.from('other')))).toEqual({
    problem: expect.stringMatching(/^Stub 1\.0\.0 \(stub@1\.0\.0\) can't be had:\n[^]*EINTEGRITY/u) as unknown,
  });
  expect(existsSync(agents) ? readdirSync(agents) : []).toEqual([]);
  // With its own it is there, so the integrity alone was the reason.
  expect(await fetchPinned(agent, lockWith(archive))).toBe('fetched');
  expect(existsSync(join(agents, agent.folder, agent.program))).toBe(true);
});
