import { totalmem } from 'node:os';
import type { Entry, MemoryLimit } from '../entries/form/entry.ts';
import type { AgentPlaces } from '../hooks/form/agent-hooks.ts';
import { claudeCodeInstaller } from './installation.ts';

/** The variable by which Claude Code gives its tool calls a control group (2.1.329, observed). */
const memoryLimitName = 'CLAUDE_CODE_TOOL_MEMORY_LIMIT';

const gibibyte = 2 ** 30;

/**
 * Returns the limit that limits nothing: all memory of this machine, rounded up, as Claude Code
 * takes it. For a user who wants the control group alone.
 */
export const wholeMemory = (bytes: number = totalmem()): string => `${Math.max(1, Math.ceil(bytes / gibibyte))}G`;

/**
 * The entry of the memory limit of tool calls, among the variables that Claude Code's
 * `settings.json` sets. With it every tool shell starts in a control group of its own kind, which
 * setsid, nohup and a double fork do not leave.
 *
 * A value is Curfew's only where it stands on record as put in: the user may have the same.
 */
const entryFor = (places: AgentPlaces, limit: string): Entry => ({
  name: 'memory-limit-claude-code',
  agent: 'claude-code',
  file: claudeCodeInstaller.file(places),
  format: 'json',
  path: ['env', memoryLimitName],
  value: limit,
  isOurs: (value, pieces) =>
    typeof value === 'string' &&
    pieces.some(({ text }) => text.includes(JSON.stringify(memoryLimitName)) && text.includes(JSON.stringify(value))),
});

export const claudeCodeMemoryLimit: MemoryLimit = { name: memoryLimitName, all: wholeMemory, entry: entryFor };
