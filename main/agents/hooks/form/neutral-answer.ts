import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookCall } from './agent-hooks.ts';

/**
 * What a hook answers that has nothing to say; null: nothing at all. Gemini CLI takes only JSON (https://geminicli.com/docs/hooks/reference).
 * So does Cursor, and before a command it refuses what isn't ("returned stdout that is not valid JSON. The action was blocked for
 * safety", stablyai/orca#15619, ruvnet/ruflo#2613), where it wants a permission: `allow` says no more than that this hook has nothing
 * against it.
 */
export const neutralAnswer = (agent: AgentId, call: HookCall): string | null => {
  if (agent === 'cursor') return call === 'pre-tool-use' ? '{"permission":"allow"}' : '{}';
  return agent === 'gemini' ? '{}' : null;
};
