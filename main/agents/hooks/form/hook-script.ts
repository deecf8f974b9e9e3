import { chmodSync, readFileSync } from 'node:fs';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookCall } from './agent-hooks.ts';
import { isAbsence } from '../../../os/files/small-file.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import { type HookFolders, createHookFolders } from './folders.ts';
import { type HookProgram, guardArguments, guardProgram, shellWord, neutralAnswer } from './hook-program.ts';
import { lineScript, shellNotesFile, witnessLine } from './witness-shell.ts';
import { windowsHookText } from './windows-hook.ts';
import { readBoundedText } from '../../../os/files/own-file.ts';
import { passedOn } from '../../../os/programs/passed-on.ts';
import { system } from '../../../os/this-system.ts';

const variables = ['CURFEW_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

/** The variables that decide where Curfew keeps its things; nothing else is kept. */
export const placesEnvironment = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  passedOn(variables, environment);

/**
 * The same for a server in an agent's settings. What is not set is set to nothing: some agents take
 * a repository's `.env` for their own, and what it names would reach the server.
 */
export const serverEnvironment = (environment: Parameters<typeof placesEnvironment>[0]): Record<string, string> => ({
  ...Object.fromEntries([...variables, 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'].map((name) => [name, ''])),
  ...placesEnvironment(environment),
});

/** The script with marks `@NAME@`; build/bundler/shell-text.ts puts it in this call's place. */
const template = readFileSync(new URL('./curfew-hook.sh', import.meta.url), 'utf8');

const hookScript = (folders: HookFolders, program: HookProgram): string => {
  const assignments = Object.entries(program.environment).map(([name, value]) => `${name}=${shellWord(value)}`);
  const values: Readonly<Record<string, string>> = {
    INBOX: shellWord(folders.inbox),
    NOTICES: shellWord(folders.notices),
    SUPERVISOR: shellWord(folders.supervisor),
    STARTING: shellWord(folders.passStarting),
    PROGRAM: shellWord(program.command.at(-1) ?? ''),
    NODE: shellWord(program.command[0]),
    ENVIRONMENT: assignments.join(' '),
    CURSORPERMISSION: shellWord(neutralAnswer('cursor', 'pre-tool-use') ?? ''),
    GUARD: shellWord(guardProgram(program.command.at(-1) ?? '')),
    GUARDARGUMENTS: guardArguments(program.command.at(-1) ?? '')
      .map(shellWord)
      .join(' '),
    CACHE: shellWord(folders.compileCache),
    WITNESSED: shellWord(folders.witnessed),
    WITNESS: shellWord(lineScript(folders)),
    WITNESSLINE: shellWord(witnessLine(folders)),
    SHELLS: shellWord(shellNotesFile(folders)),
    ARGUMENTS: program.command.slice(1).map(shellWord).join(' '),
  };
  return template.replaceAll(/^ *# shellcheck .*\n/gmu, '').replaceAll(/@(?<name>[A-Z]+)@/gu, (_mark, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`no value for @${name}@`);
    return value;
  });
};

/** Returns the file that agents run, which is another one on Windows. */
export const hookScriptFile = (folders: HookFolders, platform: NodeJS.Platform): string =>
  platform === 'win32' ? folders.windowsScript : folders.script;

const textFor = (folders: HookFolders, program: HookProgram, platform: NodeJS.Platform): string =>
  platform === 'win32' ? windowsHookText(folders, program) : hookScript(folders, program);

/** Whether the script is there as it has to be. */
export const hookScriptState = (
  folders: HookFolders,
  program: HookProgram,
  platform: NodeJS.Platform = system,
): 'current' | 'different' | 'missing' => {
  try {
    const there = readBoundedText(hookScriptFile(folders, platform));
    return there === textFor(folders, program, platform) ? 'current' : 'different';
  } catch (error) {
    if (isAbsence(error)) return 'missing';
    throw error;
  }
};

/** Puts the script and its folders in place. Throws the file system's error. */
export const writeHookScript = (
  folders: HookFolders,
  program: HookProgram,
  platform: NodeJS.Platform = system,
): void => {
  createHookFolders(folders);
  if (hookScriptState(folders, program, platform) === 'current') return;
  const file = hookScriptFile(folders, platform);
  writeWholeFile(file, textFor(folders, program, platform));
  chmodSync(file, 0o700);
};

/**
 * The command that stands in an agent's settings. Without the script (Curfew's folder was deleted)
 * it does nothing, and it ends with status 0 whatever happens: dash ends with 2 when it can't open
 * its script, and 2 means "block" to agents. An agent that wants an answer in any case gets one.
 */
export const hookCommand = (script: string, agent: AgentId, call: HookCall): string => {
  const file = shellWord(script);
  const neutral = neutralAnswer(agent, call);
  return neutral === null
    ? `test ! -f ${file} || /bin/sh ${file} ${agent} ${call} || :`
    : `test -f ${file} && /bin/sh ${file} ${agent} ${call} || echo ${shellWord(neutral)}`;
};

/** Whether a command of an agent's settings is a hook of Curfew's, of any version and place. */
export const isHookCommand = (command: string): boolean =>
  /(?:^|[/\\'"\s])curfew-hook(?:\.cjs)?(?:['"\s]|$)/u.test(command);
