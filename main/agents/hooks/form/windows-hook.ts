import { readFileSync } from 'node:fs';
import { agentIds } from '../../../../app/agents/common/agent-id.ts';
import { hookEventKinds, type HookCall } from '../../../../app/agents/common/hook-form.ts';
import { answers } from '../../../../app/agents/answers.ts';
import type { HookFolders } from './folders.ts';
import { guardProgram, type HookProgram, neutralAnswer } from './hook-program.ts';

/** The program with a place for settings; build/bundler/shell-text.ts puts the text here. */
const template = readFileSync(new URL('./curfew-hook.cjs', import.meta.url), 'utf8');
const place = '/* @SETTINGS@ */ null';

const calls: readonly HookCall[] = [...hookEventKinds, 'pre-tool-use'];
/** Stands for the text of an answer, which the program reads from a file. */
const textMark = '\u0000';

/** What each agent's hook answers that has nothing to say, by agent and call. */
const neutralAnswers = (): Record<string, Record<string, string>> =>
  Object.fromEntries(
    agentIds.map((agent) => {
      const said = calls.flatMap((call): [HookCall, string][] => {
        const answer = neutralAnswer(agent, call);
        return answer === null ? [] : [[call, answer]];
      });
      return [agent, Object.fromEntries(said)];
    }),
  );

/** What stands before and behind a text in the answer to a session's start, by agent. */
const sessionAnswers = (): Record<string, readonly string[]> =>
  Object.fromEntries(
    agentIds.flatMap((agent) => {
      const { hooks } = answers[agent];
      if (hooks === 'none' || hooks.sessionAnswer === 'none') return [];
      return [[agent, JSON.stringify(hooks.sessionAnswer(textMark)).split(JSON.stringify(textMark).slice(1, -1))]];
    }),
  );

/** Returns the program agents run on Windows, with all it must know: it starts as fast as Node. */
export const windowsHookText = (folders: HookFolders, program: HookProgram): string => {
  const commandLine = program.command.at(-1) ?? '';
  const settings = {
    inbox: folders.inbox,
    notices: folders.notices,
    supervisor: folders.supervisor,
    starting: folders.passStarting,
    arguments: program.command.slice(1),
    environment: program.environment,
    guard: guardProgram(commandLine),
    cache: folders.compileCache,
    guarded: agentIds.filter((agent) => asksGuardOnWindows(agent)),
    neutral: neutralAnswers(),
    sessionAnswers: sessionAnswers(),
  };
  return template.replace(place, () => JSON.stringify(settings));
};

/** True for an agent that has a shell tool for POSIX on Windows: the guard reads no other shell. */
export const asksGuardOnWindows = (agent: keyof typeof answers): boolean => {
  const { guard } = answers[agent];
  return guard !== 'none' && guard.posixOnWindows;
};
