import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookCall } from '../../../../app/agents/common/hook-form.ts';
import { answers } from '../../../../app/agents/answers.ts';

/**
 * Returns what an agent's hook answers that has nothing to say; null: nothing at all, also for an
 * agent without hooks.
 */
export const neutralAnswer = (agent: AgentId, call: HookCall): string | null => {
  const { hooks } = answers[agent];
  return hooks === 'none' ? null : hooks.neutralAnswer(call);
};
