import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { answers } from '../../../app/agents/answers.ts';
import { decide } from '../../../app/guard/decide.ts';
import { readGuardSettings } from '../../../app/guard/read-settings.ts';
import { findProgram } from '../../os/programs/find-program.ts';
import { readJsonFile } from '../../store/files/json-file.ts';
import { guardAnswer } from './guard-answer.ts';
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
 * What the guard answers to an agent that is about to run something, in the agent's form; null for
 * nothing, which lets everything go its way. Keeps nothing of what it is told. Throws when its time
 * is up, and what a broken machine throws; then nothing was answered.
 */
export const guard = (agent: AgentId, told: string, surroundings: GuardSurroundings): string | null => {
  const { guard: form } = answers[agent];
  if (form === 'none') return null;
  // What other agents run on Windows may be for PowerShell, which reads it differently.
  if (surroundings.platform === 'win32' && !form.posixOnWindows) return null;
  // The cheapest first: most calls end at one of these.
  const input = readGuardInput(form, told);
  if (input === null) return null;
  const file = readJsonFile(surroundings.settings);
  const settings = readGuardSettings(file.kind === 'value' ? file.value : undefined);
  if (!settings.enabled) return null;
  const { platform, uid, parent, path } = surroundings;
  const facts = {
    shell: form.shell,
    platform: platform === 'linux' || platform === 'darwin' ? platform : 'other',
    root: uid === 0,
    agentProcesses: input.command.includes('kill') ? ownAncestors(parent) : [],
  } as const;
  // A timeout.exe of Windows waits, and does nothing else.
  const canBound = form.canRewrite && platform !== 'win32';
  const bounding = { possible: canBound, program: () => timeoutProgram(path) };
  const decision = withTimeLimit(input.command.length, () => decide(input, facts, settings, bounding));
  return decision.kind === 'pass' ? null : guardAnswer(form, decision, input.given);
};
