import { totalmem } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { say } from '../../../app/text/say.ts';
import {
  type AgentHookInstaller,
  type AgentPlaces,
  folderFrom,
  groupedContent,
  settingAt,
} from '../hooks/form/agent-hooks.ts';
import { claudeCodeHooks as form } from '../../../app/agents/claude-code/answers.ts';
import { type McpForm, plainServer, type Entry, type MemoryLimit } from '../entries/form/entry.ts';
import { shellWord } from '../hooks/form/hook-program.ts';
import { statusLineScriptName } from '../status-line/script.ts';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { leadsToOtherMachine } from '../../os/files/other-machine.ts';
import { filesHere } from '../../os/files/small-file.ts';
import { readJsonFile } from '../../store/files/json-file.ts';

/** https://code.claude.com/docs/en/settings: `cleanupPeriodDays`, 30 where it is not set. */
const usualDays = 30;

const settingsSchema = once(() => z.object({ cleanupPeriodDays: z.number().positive().optional() }));

/** Settings of the whole machine: https://code.claude.com/docs/en/settings#settings-files */
const managed = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** Read in the bundle of 2.1.197: also each file of a folder beside it. */
const managedFiles = (): readonly string[] =>
  managed.flatMap((folder) => {
    const more = join(folder, 'managed-settings.d');
    const further = filesHere.names(more, 1_000);
    const names = further.state === 'read' ? further.value.filter((name) => name.endsWith('.json')) : [];
    // One that can't be read is no file of settings either.
    const unread = further.state === 'unreadable' ? [more] : [];
    return [join(folder, 'managed-settings.json'), ...names.map((name) => join(more, name)), ...unread];
  });

const daysIn = (path: string): number | null => {
  const file = readJsonFile(path);
  if (file.kind === 'missing') return null;
  const settings = file.kind === 'value' ? settingsSchema().safeParse(file.value) : null;
  return settings?.success === true ? (settings.data.cleanupPeriodDays ?? null) : Number.POSITIVE_INFINITY;
};

/** Projects of which the settings are read; of more nothing is known. */
const maxProjects = 2_000;

const listSchema = once(() => z.object({ projects: z.record(z.string(), z.unknown()).default({}) }));

/**
 * Returns the projects that Claude Code lists as its own, beside its folder or in it (2.1.329,
 * observed); null: not all are known.
 */
const listedProjects = (folder: string): readonly string[] | null => {
  const lists = [`${folder}.json`, join(folder, '.claude.json')].map((path) => {
    const file = readJsonFile(path);
    const parsed = listSchema().safeParse(file.kind === 'missing' ? {} : file.kind === 'value' ? file.value : null);
    return parsed.success ? Object.keys(parsed.data.projects) : null;
  });
  const all = lists.flatMap((list) => list ?? []).filter(isAbsolute);
  return lists.includes(null) || all.length > maxProjects ? null : all;
};

/**
 * Returns the days after its last change for which Claude Code keeps a transcript in this
 * configuration folder, the most that any settings say; infinity where some can't be read, or say
 * nothing that is understood. The user's own say how few days it may be: those of a project, which
 * may be a stranger's, only lengthen it.
 * @param projects whose own settings count as well, beside those that it lists
 */
export const claudeKeptDays = (folder: string, projects: readonly string[]): number => {
  const listed = listedProjects(folder);
  if (listed === null) return Number.POSITIVE_INFINITY;
  const all = [...new Set([...projects, ...listed])];
  if (all.some((project) => leadsToOtherMachine(project))) return Number.POSITIVE_INFINITY;
  const ofProjects = all.flatMap((project) =>
    ['settings.json', 'settings.local.json'].map((name) => join(project, '.claude', name)),
  );
  // What a server of the user's organisation said last.
  const remote = join(folder, 'remote-settings.json');
  const more = [...managedFiles(), remote, ...ofProjects].map(daysIn).filter((days) => days !== null);
  return Math.max(daysIn(join(folder, 'settings.json')) ?? usualDays, ...more);
};

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

export const claudeCodeMemoryLimit: MemoryLimit = {
  name: memoryLimitName,
  all: wholeMemory,
  // Read in the bundle of 2.1.330.
  isOff: (value) => /^(?:0|false|no|off|none)$/u.test(value.trim().toLowerCase()),
  said: (places) => {
    const file = readJsonFile(claudeCodeInstaller.file(places));
    // Settings come before the environment (2.1.330, observed).
    const own = settingAt(file.kind === 'value' ? file.value : null, 'env', memoryLimitName);
    return typeof own === 'string' ? own : (places.environment[memoryLimitName] ?? null);
  },
  entry: entryFor,
};

const isOurs = (value: unknown): boolean => {
  const command = settingAt(value, 'command');
  return (
    typeof command === 'string' &&
    new RegExp(String.raw`[/\\'"\s]${statusLineScriptName}(?:['"\s]|$)`, 'u').test(command)
  );
};

/**
 * The status line of Claude Code, in its `settings.json`
 * (https://code.claude.com/docs/en/statusline).
 * @param script path of the script that prints the line
 */
export const claudeCodeStatusLine = (places: AgentPlaces, script: string): Entry => ({
  name: 'status-line-claude-code',
  agent: 'claude-code',
  file: claudeCodeInstaller.file(places),
  format: 'json',
  path: ['statusLine'],
  // Without the script (Curfew's folder was deleted) there is no line.
  value: { type: 'command', command: `test ! -f ${shellWord(script)} || /bin/sh ${shellWord(script)}` },
  isOurs,
});

/**
 * How a server gets into Claude Code's own file of a user, from which it starts servers (2.1.329,
 * observed): beside the folder of settings, or in the folder that is named for it (not observed).
 */
export const claudeCodeMcp: McpForm = {
  agent: 'claude-code',
  folder: (places) => folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude'),
  file: (places) => `${folderFrom(places, 'CLAUDE_CONFIG_DIR', '')}/.claude.json`,
  format: 'json',
  path: ['mcpServers'],
  value: (command) => ({ type: 'stdio', ...plainServer(command) }),
  afterwards: null,
};

const folder = (places: AgentPlaces): string => folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude');

export const claudeCodeInstaller: AgentHookInstaller = {
  agent: 'claude-code',
  folder,
  file: (places) => `${folder(places)}/settings.json`,
  content: groupedContent(form),
  onWindows: 'program',
  afterwards: null,
  switchedOff: (settings) =>
    settingAt(settings, 'disableAllHooks') === true
      ? say('disableAllHooks is true in this file, so Claude Code runs no hooks at all.')
      : null,
};
