import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import type { GuardDecision } from '../../../app/guard/decide.ts';
import type { RawArguments } from './guard-input.ts';

/**
 * Agents that let a hook change a command. Cursor's hook before a command can only allow, ask and refuse
 * (https://cursor.com/docs/agent/hooks).
 */
export const canRewrite = (agent: AgentId): boolean => agent !== 'cursor';

/** In the form of Claude Code, which Codex took over. */
const preToolUse = (fields: Readonly<Record<string, unknown>>): unknown => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields },
});

type Said = Exclude<GuardDecision, { kind: 'pass' }>;

/**
 * A change never says `allow`, which would pass over what the person is asked: Claude Code 2.1.329 takes `updatedInput` by itself and
 * still asks. Codex takes it only together with `allow`, which there decides nothing else (codex-rs/hooks/src/engine/output_parser.rs).
 */
const answer = (agent: AgentId, decision: Said, given: RawArguments): unknown => {
  const text = decision.sentences.join(' ');
  const changed = decision.kind === 'rewrite' ? { ...given, command: decision.command } : null;
  switch (agent) {
    case 'copilot':
      if (decision.kind === 'deny') return { permissionDecision: 'deny', permissionDecisionReason: text };
      return { ...(changed === null ? {} : { modifiedArgs: changed }), additionalContext: text };
    case 'gemini':
      if (decision.kind === 'deny') return { decision: 'deny', reason: text };
      // Only AfterTool can tell the model something without refusing; this is shown to the person.
      return {
        ...(changed === null ? {} : { hookSpecificOutput: { tool_input: { command: changed['command'] } } }),
        systemMessage: text,
      };
    case 'cursor':
      if (decision.kind === 'deny') return { permission: 'deny', user_message: text, agent_message: text };
      return { permission: 'allow', agent_message: text };
    case 'opencode':
      // Its plugin is Curfew's own.
      return { kind: decision.kind, text, ...(changed === null ? {} : { command: changed['command'] }) };
    default:
      if (decision.kind === 'deny') return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: text });
      return preToolUse({
        ...(changed === null ? {} : { updatedInput: changed }),
        ...(changed !== null && agent === 'codex' ? { permissionDecision: 'allow' } : {}),
        additionalContext: text,
      });
  }
};

/** What the guard found, in the form in which its agent takes it; null for nothing. `given`: the tool's arguments as they came. */
export const guardAnswer = (agent: AgentId, decision: GuardDecision, given: RawArguments): string | null => {
  const said = decision.kind === 'pass' ? null : answer(agent, decision, given);
  return said === null ? null : JSON.stringify(said);
};
