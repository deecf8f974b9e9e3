import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { pinnedAgents, programOf } from '../../../build/agents/table.ts';
import { missingOf } from './session.ts';
import { realAgents } from './kinds.ts';
import { requirePidNamespace } from '../namespace.ts';

requirePidNamespace();

const root = join(import.meta.dirname, '../../..');
const plugin = join(root, 'build/plugin');

/** Runs the real program of an agent in a home of its own, not below /tmp, which Codex refuses. */
const asUser = (folder: string, play: (run: (...args: readonly string[]) => string) => void): void => {
  const agent = pinnedAgents.find((one) => one.folder.startsWith(folder));
  if (agent === undefined) throw new Error(`there is no ${folder} in build/agents/agents.json`);
  const home = mkdtempSync(join(homedir(), 'plugin-'));
  try {
    play((...args) => {
      const { stdout, stderr, status, error } = spawnSync(programOf(agent), args, {
        cwd: home,
        input: 'y\n',
        encoding: 'utf8',
        env: {
          HOME: home,
          PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
          TERM: 'dumb',
        },
      });
      // A program that asks nothing may end before its answer is written.
      if (error !== undefined && !('code' in error && error.code === 'EPIPE')) throw error;
      expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toMatchObject({ status: 0 });
      return stdout + stderr;
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const isThere = (folder: string): boolean =>
  realAgents.filter((one) => one.folder.startsWith(folder)).every((one) => missingOf(one) === null);

test.skipIf(!isThere('claude-2.1.3'))('Claude Code takes the plugin from the marketplace of this repository', () =>
  asUser('claude-2.1.3', (run) => {
    expect(run('plugin', 'validate', root)).toContain('Validation passed');
    expect(JSON.parse(run('plugin', 'validate', plugin, '--json'))).toMatchObject({
      success: true,
      manifest: { errors: [], warnings: [] },
    });
    run('plugin', 'marketplace', 'add', root);
    run('plugin', 'install', 'curfew@curfew');
    const details = run('plugin', 'details', 'curfew');
    expect(details).toMatch(/Skills \(1\)\s+curfew/u);
    expect(details).toMatch(/Hooks \(2\)\s+SessionStart, SessionEnd/u);
    expect(details).toMatch(/MCP servers \(1\)\s+curfew/u);
  }),
);

test.skipIf(!isThere('codex'))('Codex takes the plugin and its MCP server from the same marketplace', () =>
  asUser('codex', (run) => {
    run('plugin', 'marketplace', 'add', root);
    run('plugin', 'add', 'curfew@curfew');
    expect(run('plugin', 'list')).toMatch(/curfew@curfew\s+installed, enabled/u);
    expect(run('mcp', 'list')).toMatch(/curfew\s+curfew\s+mcp/u);
  }),
);

test.skipIf(!isThere('gemini'))('Gemini takes the same folder as an extension, with its skill', () =>
  asUser('gemini', (run) => {
    expect(run('extensions', 'validate', plugin)).toContain('successfully validated');
    run('extensions', 'install', plugin, '--consent');
    expect(run('skills', 'list')).toContain('curfew [Enabled]');
  }),
);
