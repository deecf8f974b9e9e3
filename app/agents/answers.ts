import { claudeCodeGuard, claudeCodeHooks } from './claude-code/answers.ts';
import { clineHooks } from './cline/answers.ts';
import { codexGuard, codexHooks } from './codex/answers.ts';
import type { AgentId } from './common/agent-id.ts';
import type { GuardForm } from './common/guard-form.ts';
import type { HookForm } from './common/hook-form.ts';
import { copilotGuard, copilotHooks } from './copilot/answers.ts';
import { cursorGuard, cursorHooks } from './cursor/answers.ts';
import { geminiGuard, geminiHooks } from './gemini/answers.ts';
import { kimiHooks } from './kimi/answers.ts';
import { opencodeGuard, opencodeHooks } from './opencode/answers.ts';
import { qwenGuard, qwenHooks } from './qwen/answers.ts';

/** How an agent calls Curfew and is answered; no agent is answered in the form of another. */
export interface AgentAnswers {
  readonly hooks: HookForm | 'none';
  readonly guard: GuardForm | 'none';
}

const none: AgentAnswers = { hooks: 'none', guard: 'none' };

/**
 * The answers of every agent. They are apart from the dossiers because the guard is waited for
 * before every command: with the dossiers it took 35 ms of processor time instead of 34 (Node
 * 24.21, code cache warm).
 */
export const answers: Readonly<Record<AgentId, AgentAnswers>> = {
  'claude-code': { hooks: claudeCodeHooks, guard: claudeCodeGuard },
  codex: { hooks: codexHooks, guard: codexGuard },
  copilot: { hooks: copilotHooks, guard: copilotGuard },
  gemini: { hooks: geminiHooks, guard: geminiGuard },
  opencode: { hooks: opencodeHooks, guard: opencodeGuard },
  cursor: { hooks: cursorHooks, guard: cursorGuard },
  mux: none,
  aider: none,
  pi: none,
  qwen: { hooks: qwenHooks, guard: qwenGuard },
  cline: { hooks: clineHooks, guard: 'none' },
  continue: none,
  crush: none,
  openclaw: none,
  hermes: none,
  kimi: { hooks: kimiHooks, guard: 'none' },
  'curfew-run': none,
  other: none,
};
