import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolNames } from '../../../app/mcp/tools.ts';
import manifest from '../../../package.json' with { type: 'json' };

const plugin = join(import.meta.dirname, '../../../build/plugin');
const read = (file: string): string => readFileSync(join(plugin, file), 'utf8');

test('the plugin has the version of the package for every agent', () => {
  for (const file of ['.claude-plugin/plugin.json', '.codex-plugin/plugin.json', 'gemini-extension.json'])
    expect([file, z.looseObject({ version: z.string() }).parse(JSON.parse(read(file))).version]).toEqual([
      file,
      manifest.version,
    ]);
});

// Some agents take a repository's `.env` for their own.
test('the server of the plugin runs nothing that a repository names', () => {
  for (const file of ['.mcp.json', 'gemini-extension.json'])
    expect(JSON.parse(read(file))).toMatchObject({
      mcpServers: { curfew: { env: { NODE_OPTIONS: '', NODE_COMPILE_CACHE: '' } } },
    });
});

test('the skill names every tool, and no other', () => {
  const named = read('skills/curfew/SKILL.md').match(/`[a-z]+(?:_[a-z]+)+`/gu) ?? [];
  expect([...new Set(named)].toSorted()).toEqual(toolNames.map((name) => `\`${name}\``).toSorted());
});

test('the skill has the front matter of the open format', () => {
  const front = /^---\nname: (?<name>\S+)\ndescription:(?<description>[^]+?)\n(?:license:|---)/u.exec(
    read('skills/curfew/SKILL.md'),
  );
  expect(front?.groups?.['name']).toBe('curfew');
  // https://agentskills.io/specification
  expect(front?.groups?.['description']?.length).toBeLessThanOrEqual(1024);
});
