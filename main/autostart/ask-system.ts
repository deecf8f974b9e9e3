import { blockFor } from '../os/processes/block-for.ts';
import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { runBounded, type ProgramResult } from '../os/programs/bounded-program.ts';
import { passedOn } from '../os/programs/passed-on.ts';
import type { AutostartInput, AutostartStep } from './autostart-plan.ts';

/** Timeout of a system command in ms. */
const patienceMs = 15_000;

/** Pause before a command that is not ready yet is run again, in ms. */
const againEveryMs = 250;

/** Runs a system command with only the variables that lead to the user's session. */
export const askSystem = (
  command: AutostartStep['command'],
  environment: AutostartInput['environment'],
): ProgramResult => {
  const names = ['HOME', 'PATH', 'USER', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_CONFIG_HOME'];
  return runBounded({ command, environment: passedOn(names, environment), timeoutMs: patienceMs });
};

/**
 * Returns why a step failed, in the system's words; null if it succeeded or need not have. Takes as
 * long as the step may be repeated.
 */
export const failureOf = (step: AutostartStep, environment: AutostartInput['environment']): Said | null => {
  let answer = askSystem(step.command, environment);
  const endMs = performance.now() + (step.again?.forMs ?? 0);
  while (step.again?.statuses.includes(answer.status ?? -1) === true && performance.now() < endMs) {
    blockFor(againEveryMs);
    answer = askSystem(step.command, environment);
  }
  const { status, stderr, problem } = answer;
  if (status === 0 || step.mayFail) return null;
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  const said =
    problem ?? (lastLine === '' ? say('it ended with status {status}', { status: String(status) }) : lastLine);
  return say('`{command}` failed: {why}', { command: step.command.join(' '), why: said });
};
