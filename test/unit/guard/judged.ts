import { claudeCodeGuard } from '../../../app/agents/claude-code/answers.ts';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { answers } from '../../../app/agents/answers.ts';
import type { GuardFacts } from '../../../app/guard/script/guard-call.ts';
import { decide } from '../../../app/guard/decide.ts';
import type { GuardRuleId } from '../../../app/guard/settings.ts';
import { defaultGuard, guardRuleIds } from '../../../app/guard/settings.ts';

/** The real Claude Code 2.1.329, in a terminal of tmux. */
export const claudeOnLinux: GuardFacts = {
  shell: claudeCodeGuard.shell,
  platform: 'linux',
  root: false,
  agentProcesses: [
    { name: 'claude', commandLine: '/home/mara/.local/bin/claude --permission-mode manual' },
    { name: 'bash', commandLine: '-bash' },
    { name: 'tmux: server', commandLine: 'tmux new-session -s work' },
  ],
};

/** How an agent runs its commands. Throws for one that has no guard. */
export const runsAs = (agent: AgentId): Pick<GuardFacts, 'shell'> => {
  const { guard } = answers[agent];
  if (guard === 'none') throw new Error(`${agent} has no guard`);
  return { shell: guard.shell };
};

/** What one rule alone says of a command, or null. */
export const saidBy = (
  rule: GuardRuleId,
  command: string,
  facts: Partial<GuardFacts> & { readonly background?: boolean } = {},
): string | null => {
  const { background = false, ...others } = facts;
  const off = Object.fromEntries(guardRuleIds.map((id) => [id, 'off']));
  const decision = decide(
    { command, background },
    { ...claudeOnLinux, ...others },
    { ...defaultGuard, ...off, enabled: true, [rule]: 'deny' },
    { possible: false, program: () => null },
  );
  return decision.kind === 'deny' ? decision.sentences.join(' ') : null;
};
