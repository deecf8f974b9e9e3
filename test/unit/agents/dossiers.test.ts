import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { answers } from '../../../app/agents/answers.ts';
import { agentIds, type AgentId } from '../../../app/agents/common/agent-id.ts';
import { dossiers } from '../../../app/agents/dossiers.ts';
import { environmentNames, isUpdater, signatureOf } from '../../../app/agents/signatures.ts';
import { agentParts } from '../../../main/agents/dossiers.ts';
import { guard, guardAnswer } from '../../../main/agents/guard/guard.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { neutralAnswer } from '../../../main/agents/hooks/form/hook-program.ts';
import { noticePath } from '../../../main/agents/hooks/inbox/notices.ts';
import { takeSessionAnswer } from '../../../main/agents/hooks/inbox/session-answer.ts';
import type { HookRun } from '../../../main/agents/hooks/form/hook-run.ts';

const hooked = agentIds.filter((id) => answers[id].hooks !== 'none');
const unhooked = agentIds.filter((id) => answers[id].hooks === 'none');

describe('a dossier', () => {
  test.each(agentIds)('%s is filed under its own id and has all that is read of its environment on the list', (id) => {
    const { signature, registry } = dossiers[id];
    expect(signature.id).toBe(id);
    const variables = registry === 'none' ? [] : [registry.folderVariable, ...registry.sessionVariables];
    for (const name of [...variables, ...signature.environmentNames]) expect([...environmentNames]).toContain(name);
  });

  test('no two agents have the same mark', () => {
    const marks = agentIds.map((id) => dossiers[id].names.glyph);
    expect(new Set(marks).size).toBe(agentIds.length);
  });

  test.each(agentIds)('what is known of %s and what is done with it go together', (id) => {
    const parts = agentParts[id];
    expect(parts.registry === 'none').toBe(dossiers[id].registry === 'none');
    expect(parts.hooks === 'none').toBe(answers[id].hooks === 'none');
    const { hooks, guard: form } = answers[id];
    expect(form === 'none').toBe(hooks === 'none' || hooks.beforeCommand === 'none');
    expect(parts.hooks === 'none' ? id : parts.hooks.agent).toBe(id);
  });

  test('only the updater of Codex is its updater', () => {
    const argv = ['codex', 'app-server', 'daemon', 'pid-update-loop'];
    expect(agentIds.filter((id) => isUpdater(id, argv))).toEqual(['codex']);
    expect(isUpdater('codex', argv.slice(0, 3))).toBe(false);
  });

  test('only opencode has a server of many sessions', () => {
    const servers = agentIds.filter((id) => signatureOf(id).sharedServer !== 'none');
    expect(servers).toEqual(['opencode']);
  });
});

describe('hooks', () => {
  test.each(hooked)('every event that %s is said to have stands in what is installed', (id) => {
    const { hooks } = answers[id];
    const installer = agentParts[id].hooks;
    if (hooks === 'none' || installer === 'none') throw new Error(`${id} has no hooks`);
    const { content } = installer;
    const run = (call: string): HookRun => ({ by: 'sh', command: `hook ${call}` });
    const text =
      content.kind === 'own'
        ? content.text(run, { script: '/hook', witness: '/witness', guard: true })
        : JSON.stringify(
            content.kind === 'tables' ? content.tables(run) : [...content.additions(run), ...content.guard(run)],
          );
    const before = hooks.beforeCommand === 'none' ? [] : [hooks.beforeCommand.name];
    for (const name of [...hooks.events.map(([event]) => event), ...before]) expect(text).toContain(name);
  });

  test('each agent is given a text at the start of a session in its own form', () => {
    const forms = hooked.map((id) => {
      const { hooks } = answers[id];
      return [id, hooks === 'none' || hooks.sessionAnswer === 'none' ? 'none' : hooks.sessionAnswer('x')];
    });
    const grouped = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'x' } };
    expect(Object.fromEntries(forms)).toEqual({
      'claude-code': grouped,
      codex: grouped,
      gemini: grouped,
      qwen: grouped,
      copilot: { additionalContext: 'x' },
      cursor: { additional_context: 'x' },
      opencode: 'none',
      cline: 'none',
      kimi: 'none',
    });
  });

  test('each agent is answered by the guard in its own form', () => {
    const said = (kind: 'deny' | 'rewrite'): unknown =>
      Object.fromEntries(
        hooked.flatMap((id) => {
          const { guard: form } = answers[id];
          if (form === 'none') return [];
          const decision = { kind, sentences: ['no'], command: 'b' };
          return [[id, JSON.parse(guardAnswer(form, decision, { command: 'a', more: 1 })) as unknown]];
        }),
      );
    const before = (fields: object): object => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
    const refused = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
    const changed = { command: 'b', more: 1 };
    expect(said('deny')).toEqual({
      'claude-code': before(refused),
      codex: before(refused),
      copilot: refused,
      gemini: { decision: 'deny', reason: 'no' },
      cursor: { permission: 'deny', user_message: 'no', agent_message: 'no' },
      opencode: { kind: 'deny', text: 'no' },
      qwen: before(refused),
    });
    expect(said('rewrite')).toEqual({
      'claude-code': before({ updatedInput: changed, additionalContext: 'no' }),
      codex: before({ updatedInput: changed, permissionDecision: 'allow', additionalContext: 'no' }),
      copilot: { modifiedArgs: changed, additionalContext: 'no' },
      gemini: { hookSpecificOutput: { tool_input: { command: 'b' } }, systemMessage: 'no' },
      cursor: { permission: 'allow', agent_message: 'no' },
      opencode: { kind: 'rewrite', text: 'no', command: 'b' },
      qwen: before({ additionalContext: 'no' }),
    });
  });
});

describe('an agent without hooks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-dossiers-'));
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify({ guard: { enabled: true, swallowedCommand: 'deny' } }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const asked = (id: AgentId): string | null => {
    const call = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'make all > log echo built it' } });
    return guard(id, call, { settings, platform: 'linux', uid: 1000, parent: 0, path: '' });
  };

  test.each(unhooked)('%s is given no answer in the form of another', (id) => {
    expect(neutralAnswer(id, 'pre-tool-use')).toBeNull();
    expect(asked('claude-code')).toContain('deny');
    expect(asked(id)).toBeNull();
  });

  test.each(unhooked)('%s leaves a notice for the next session of another agent', (id) => {
    const folders = hookFolders({ hooks: join(folder, id, 'hooks'), lock: join(folder, 'lock') });
    const path = noticePath(folders, '/home/me/shop') ?? '';
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'what was ended\n');
    expect(takeSessionAnswer(folders, id, '/home/me/shop')).toBeNull();
    expect(takeSessionAnswer(folders, 'claude-code', '/home/me/shop')).toContain('what was ended');
  });
});
