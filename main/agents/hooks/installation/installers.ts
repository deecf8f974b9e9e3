import type { AgentHookInstaller } from '../form/agent-hooks.ts';
import { claudeCodeHooks } from '../../claude-code/installation.ts';
import { codexHooks } from '../../codex/installation.ts';
import { copilotHooks } from '../../copilot/installation.ts';
import { cursorHooks } from '../../cursor/installation.ts';
import { geminiHooks } from '../../gemini/installation.ts';
import { opencodeHooks } from '../../opencode/installation.ts';

/** Every agent that Curfew can put hooks into. */
export const hookInstallers: readonly AgentHookInstaller[] = [
  claudeCodeHooks,
  copilotHooks,
  codexHooks,
  geminiHooks,
  cursorHooks,
  opencodeHooks,
];
