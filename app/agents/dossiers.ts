import { aider } from './aider/agent.ts';
import { claudeCode } from './claude-code/agent.ts';
import { codex } from './codex/agent.ts';
import type { AgentId } from './common/agent-id.ts';
import type { AgentDossier } from './common/dossier.ts';
import { copilot } from './copilot/agent.ts';
import { curfewRun } from './curfew-run/agent.ts';
import { cursor } from './cursor/agent.ts';
import { gemini } from './gemini/agent.ts';
import { mux } from './mux/agent.ts';
import { opencode } from './opencode/agent.ts';
import { pi } from './pi/agent.ts';
import { qwen } from './qwen/agent.ts';
import { cline } from './cline/agent.ts';
import { continueCli } from './continue/agent.ts';
import { crush } from './crush/agent.ts';
import { openclaw } from './openclaw/agent.ts';
import { hermes } from './hermes/agent.ts';
import { kimi } from './kimi/agent.ts';
import { other } from './other/agent.ts';

/**
 * The dossier of every agent. The order counts: a process is a part of the first agent whose
 * program it is, so the agents that were observed come first.
 */
export const dossiers: Readonly<Record<AgentId, AgentDossier>> = {
  'claude-code': claudeCode,
  codex,
  copilot,
  gemini,
  opencode,
  mux,
  cursor,
  aider,
  pi,
  qwen,
  cline,
  continue: continueCli,
  crush,
  openclaw,
  hermes,
  kimi,
  'curfew-run': curfewRun,
  other,
};
