import { claudeCodeCalls } from './claude-code/call-limit.ts';
import { codexCalls } from './codex/call-limit.ts';
import type { AgentId } from './common/agent-id.ts';
import type { CallLimit } from './common/call-limit.ts';

/** The limits that are known. A server beside a session needs no dossiers, so they are apart. */
export const callLimits: Readonly<Record<AgentId, CallLimit | 'none'>> = {
  'claude-code': claudeCodeCalls,
  codex: codexCalls,
  copilot: 'none',
  gemini: 'none',
  opencode: 'none',
  cursor: 'none',
  mux: 'none',
  aider: 'none',
  pi: 'none',
  qwen: 'none',
  cline: 'none',
  continue: 'none',
  crush: 'none',
  openclaw: 'none',
  hermes: 'none',
  kimi: 'none',
  'curfew-run': 'none',
  other: 'none',
};
