import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { decide } from '../../../app/guard/decide.ts';
import { readGuardSettings } from '../../../app/guard/read-settings.ts';
import { findProgram } from '../../os/programs/find-program.ts';
import { readJsonFile } from '../../store/files/json-file.ts';
import { canRewrite, guardAnswer } from './guard-answer.ts';
import { readGuardInput } from './guard-input.ts';
import { withTimeLimit } from './time-limit.ts';
import { ownAncestors } from './own-ancestors.ts';

/** Where the guard runs. */
export interface GuardSurroundings {
  /** Curfew's settings file. */
  readonly settings: string;
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  /** The parent of this process. */
  readonly parent: number;
  /** The variable PATH. */
  readonly path: string | undefined;
}

/** What is called `timeout` on this machine: Homebrew's coreutils put a g in front. */
const timeoutProgram = (path: string | undefined): string | null =>
  ['timeout', 'gtimeout'].find((name) => 'file' in findProgram(name, path)) ?? null;

/**
 * Whether an agent's commands are for a POSIX shell here. On Windows those of Claude Code's tool `Bash` and Copilot's `bash` are (their
 * PowerShell is a tool of another name); what Codex, Gemini CLI, Cursor and opencode run there may be PowerShell, which reads differently.
 */
const isPosixShell = (agent: AgentId, platform: NodeJS.Platform): boolean =>
  platform !== 'win32' || agent === 'claude-code' || agent === 'copilot';

/**
 * What the guard answers to an agent that is about to run something, in the agent's form; null for nothing, which lets everything go its
 * way. Keeps nothing of what it is told. Throws when its time is up, and what a broken machine
 * throws; then nothing was answered.
 */
export const guard = (agent: AgentId, told: string, surroundings: GuardSurroundings): string | null => {
  if (!isPosixShell(agent, surroundings.platform)) return null;
  // The cheapest first: most calls end at one of these.
  const input = readGuardInput(agent, told);
  if (input === null) return null;
  const file = readJsonFile(surroundings.settings);
  const settings = readGuardSettings(file.kind === 'value' ? file.value : undefined);
  if (!settings.enabled) return null;
  const { platform, uid, parent, path } = surroundings;
  const facts = {
    agent,
    platform: platform === 'linux' || platform === 'darwin' ? platform : 'other',
    root: uid === 0,
    agentProcesses: input.command.includes('kill') ? ownAncestors(parent) : [],
  } as const;
  const bounding = { possible: canRewrite(agent), program: () => timeoutProgram(path) };
  const decision = withTimeLimit(input.command.length, () => decide(input, facts, settings, bounding));
  return guardAnswer(agent, decision, input.given);
};
