import * as fc from 'fast-check';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgentHookInstaller } from '../../../main/agents/hooks/form/agent-hooks.ts';
import { changeHooks, type HookInstallation } from '../../../main/agents/hooks/installation/hook-installation.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { claudeCodeInstaller } from '../../../main/agents/claude-code/agent.ts';
import { hookInstallers } from '../../../main/agents/dossiers.ts';
import { insertInto, withoutPieces } from '../../../main/agents/hooks/form/json-insertion.ts';
import { removeOwnHooks } from '../../../main/agents/hooks/form/json-removal.ts';
import { parseJsonText } from '../../../main/agents/hooks/form/json-text.ts';
import { jsonWithComments } from './json-with-comments.ts';

const root = mkdtempSync(join(tmpdir(), 'curfew-editor-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const installation: HookInstallation = {
  places: { home: join(root, 'home'), environment: {} },
  folders: hookFolders({ hooks: join(root, 'state/hooks'), lock: join(root, 'state/supervisor.lock') }),
  program: { command: ['/usr/bin/node', '/opt/curfew.js'], environment: {} },
  platform: 'linux',
  now: () => 0,
};

const additions =
  claudeCodeInstaller.content.kind === 'shared'
    ? claudeCodeInstaller.content.additions((event) => ({ by: 'sh', command: `'/x/curfew-hook' a ${event}` }))
    : [];
const shared = hookInstallers.filter(({ content }) => content.kind === 'shared');
const fileOf = (installer: AgentHookInstaller): string => {
  const file = installer.file(installation.places);
  mkdirSync(dirname(file), { recursive: true });
  return file;
};

/**
 * What a settings file says, by the parser that agents' own is nearest to; null when it says
 * nothing.
 */
const meaning = (text: string): unknown => parse(text, [], { allowTrailingComma: true }) as unknown;

describe.each(shared.map((installer) => [installer.agent, installer] as const))('%s', (_, installer) => {
  test('hooks in and out of any file: the same bytes; what is refused is not touched', () => {
    const file = fileOf(installer);
    let written = 0;
    fc.assert(
      fc.property(jsonWithComments, (text) => {
        writeFileSync(file, text);
        const before = readFileSync(file);
        const installed = changeHooks(installation, installer, 'install');
        const after = readFileSync(file);
        expect(after.equals(before)).toBe(!installed.ok);
        if (!installed.ok) return;
        written += 1;
        expect(installed.changed).toBe(true);
        expect(readFileSync(installed.copy ?? '')).toEqual(before);
        const again = changeHooks(installation, installer, 'install');
        expect(again).toMatchObject({ ok: true, changed: false, hooks: { hooks: 'installed', changes: [] } });
        expect(readFileSync(file)).toEqual(after);
        expect(changeHooks(installation, installer, 'uninstall')).toMatchObject({ ok: true, changed: true });
        expect(readFileSync(file)).toEqual(before);
        expect(changeHooks(installation, installer, 'uninstall')).toMatchObject({ ok: true, changed: false });
      }),
      { numRuns: 100 },
    );
    expect(written).toBeGreaterThan(20);
    expect(readdirSync(dirname(file))).toEqual([file.slice(dirname(file).length + 1)]);
  });
});

test('an object with hooks of the usual form is never refused', () => {
  let accepted = 0;
  fc.assert(
    fc.property(jsonWithComments, (text) => {
      const parsed = parseJsonText(text);
      const value = meaning(text);
      if (!parsed.ok || parsed.root?.type !== 'object') return;
      const hooks = typeof value === 'object' && value !== null && 'hooks' in value ? value.hooks : {};
      if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) return;
      if (Object.values(hooks).some((one) => !Array.isArray(one))) return;
      accepted += 1;
      expect(insertInto(text, additions)).toMatchObject({ ok: true });
    }),
    { numRuns: 250 },
  );
  expect(accepted).toBeGreaterThan(100);
});

test('what is put in leaves the meaning of the rest as it is', () => {
  fc.assert(
    fc.property(jsonWithComments, (text) => {
      const result = insertInto(text, additions);
      if (!result.ok) return;
      expect(withoutPieces(result.text, result.pieces)).toBe(text);
      const before = meaning(text);
      const after = meaning(result.text);
      const others = (value: unknown): unknown =>
        typeof value === 'object' && value !== null ? { ...value, hooks: null } : { hooks: null };
      expect(others(after)).toEqual(others(before));
    }),
    { numRuns: 250 },
  );
});

test('without a record of the installation, exactly our hooks go and everything else keeps its meaning', () => {
  fc.assert(
    fc.property(jsonWithComments, (text) => {
      const result = insertInto(text, additions);
      if (!result.ok || meaning(text) === undefined) return;
      const removed = removeOwnHooks(result.text, () => false);
      expect(removed).not.toBeNull();
      const parsed = parseJsonText(removed ?? '');
      expect(parsed.ok).toBe(true);
      const emptied = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null) return value;
        const hooks = 'hooks' in value && typeof value.hooks === 'object' && value.hooks !== null ? value.hooks : {};
        const events = ['SessionStart', 'PostToolUse', 'Stop', 'SessionEnd'].map((name): [string, unknown] => [
          name,
          [],
        ]);
        return { ...value, hooks: { ...Object.fromEntries(events), ...hooks } };
      };
      expect(meaning(removed ?? '')).toEqual(emptied(meaning(text)));
    }),
    { numRuns: 250 },
  );
});
