import { aider } from './aider/dossier.ts';
import { claudeCode } from './claude-code/dossier.ts';
import { codex } from './codex/dossier.ts';
import type { AgentId } from './common/agent-id.ts';
import type { AgentDossier } from './common/dossier.ts';
import { copilot } from './copilot/dossier.ts';
import { curfewRun } from './curfew-run/dossier.ts';
import { cursor } from './cursor/dossier.ts';
import { gemini } from './gemini/dossier.ts';
import { mux } from './mux/dossier.ts';
import { opencode } from './opencode/dossier.ts';
import { pi } from './pi/dossier.ts';
import { qwen } from './qwen/dossier.ts';
import { cline } from './cline/dossier.ts';
import { continueCli } from './continue/dossier.ts';
import { crush } from './crush/dossier.ts';
import { openclaw } from './openclaw/dossier.ts';
import { hermes } from './hermes/dossier.ts';
import { kimi } from './kimi/dossier.ts';
import { other } from './other/dossier.ts';

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
