import { answers } from '../../../app/agents/answers.ts';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import {
  type GuardForm,
  type RawArguments,
  type SaidDecision,
  objectOf,
} from '../../../app/agents/common/guard-form.ts';
import { type GuardedCommand, decide } from '../../../app/guard/decide.ts';
import { readGuardSettings } from '../../../app/guard/read-settings.ts';
import { hookAncestors } from '../../os/hook-ancestors.ts';
import { findProgram } from '../../os/programs/find-program.ts';
import { readJsonFile } from '../../store/files/json-file.ts';

/**
 * Returns a decision as JSON in the form that its agent takes.
 * @param given the tool's arguments as they came, so that a changed command goes back with all the
 *   rest of them
 */
export const guardAnswer = ({ answer }: GuardForm, decision: SaidDecision, given: RawArguments): string =>
  JSON.stringify(
    answer({
      kind: decision.kind,
      text: decision.sentences.join(' '),
      changed: decision.kind === 'rewrite' ? { ...given, command: decision.command } : null,
    }),
  );

export interface GuardInput extends GuardedCommand {
  /** The tool's arguments as they came, so that a changed command goes back with the rest. */
  readonly given: RawArguments;
}

/**
 * Returns the command in what an agent tells its hook before a tool runs, or null for other tools
 * and for text that isn't understood. Read by hand and not with zod, which would cost as much again
 * as Node's whole start, before every command. Never throws.
 */
export const readGuardInput = ({ shellArguments, isBackground }: GuardForm, text: string): GuardInput | null => {
  const event = objectOf(text);
  const given = event === null ? null : shellArguments(event);
  const command = given?.['command'];
  if (given === null || typeof command !== 'string') return null;
  return { command, background: isBackground(given), given };
};

/** Time in which the guard has to decide, milliseconds. */
const thoughtMs = 800;
/** UTF-16 units; what is shorter takes milliseconds, as measured on the worst texts found. */
const alwaysQuick = 4096;

const name = Symbol.for('curfew.guard.work');

/**
 * Does a work that may take long with a text of that length, and gives up after 0.8 s. A timer
 * could not end what keeps the only thread busy; Node ends a script that was given a limit
 * (https://nodejs.org/api/vm.html#scriptruninthiscontextoptions). Its module costs a twentieth of
 * the guard's whole time, so short texts do without.
 * @throws what the work throws, and an error when the time is up
 */
const withTimeLimit = <Result>(length: number, work: () => Result): Result => {
  if (length <= alwaysQuick) return work();
  const { runInThisContext } = process.getBuiltinModule('node:vm');
  Reflect.set(globalThis, name, work);
  return runInThisContext(`globalThis[Symbol.for(${JSON.stringify(name.description)})]()`, {
    timeout: thoughtMs,
  }) as Result;
};

export interface GuardSurroundings {
  readonly settings: string;
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  readonly parent: number;
  readonly path: string | undefined;
}

/** What is called `timeout` on this machine: Homebrew's coreutils put a g in front. */
const timeoutProgram = (path: string | undefined): string | null =>
  ['timeout', 'gtimeout'].find((called) => 'file' in findProgram(called, path)) ?? null;

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
    agentProcesses: input.command.includes('kill') ? hookAncestors(parent) : [],
  } as const;
  // A timeout.exe of Windows waits, and does nothing else.
  const canBound = form.canRewrite && platform !== 'win32';
  const bounding = { possible: canBound, program: () => timeoutProgram(path) };
  const decision = withTimeLimit(input.command.length, () => decide(input, facts, settings, bounding));
  return decision.kind === 'pass' ? null : guardAnswer(form, decision, input.given);
};
