import type { AgentHookInstaller } from './agent-hooks.ts';
import { claudeCodeHooks } from './claude-code.ts';
import { codexHooks } from './codex.ts';
import { copilotHooks } from './copilot.ts';
import { cursorHooks } from './cursor.ts';
import { geminiHooks } from './gemini.ts';
import { opencodeHooks } from './opencode.ts';

/** Every agent that Curfew can put hooks into. */
export const hookInstallers: readonly AgentHookInstaller[] = [
  claudeCodeHooks,
  copilotHooks,
  codexHooks,
  geminiHooks,
  cursorHooks,
  opencodeHooks,
];
