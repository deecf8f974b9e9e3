import { codeOf } from '../../../../app/format/error-message.ts';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { agentCommands } from '../../../../app/agents/names.ts';
import { startAgent } from '../../../agent-start/start.ts';
import type { Bounds } from '../../../os/containment/bounds.ts';
import { findProgram } from '../../../os/programs/find-program.ts';
import { statusOfFailedStart } from '../../../run/record/run-status.ts';
import { placesHere } from '../../../store/places.ts';
import { exitStatus, wrongCall } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { words } from '../../common/words.ts';
import { failedText } from './run-words.ts';

/** Shells for which `curfew agent --shell` has functions. */
export type AgentShell = 'bash' | 'zsh' | 'fish';

/** An alias of the user's stays, and wins. The function is made where the command is there. */
const functionFor: Readonly<Record<AgentShell, (name: string) => string>> = {
  bash: (name) => `if type -P ${name} >/dev/null; then function ${name} { command curfew agent -- ${name} "$@"; }; fi`,
  zsh: (name) => `if whence -p ${name} >/dev/null; then function ${name} { command curfew agent -- ${name} "$@"; }; fi`,
  fish: (name) =>
    `if command -q ${name}; function ${name} --wraps ${name}; command curfew agent -- ${name} $argv; end; end`,
};

/** Returns the functions by which a shell starts every known agent through `curfew agent`. */
const shellFunctions = (shell: AgentShell): string =>
  [...agentCommands.keys()].map((name) => `${functionFor[shell](name)}\n`).join('');

/** Returns why a program can't be started, before groups are made for it; null: it can be tried. */
const whyNotStarted = (program: string): string | null => {
  const found = findProgram(program, process.env['PATH']);
  if ('errno' in found) return found.errno;
  try {
    accessSync(found.file, constants.X_OK);
    return statSync(found.file).isFile() ? null : 'EACCES';
  } catch (error) {
    return codeOf(error) ?? 'EACCES';
  }
};

export interface AgentCall {
  readonly bounds: Bounds;
  readonly name: string | null;
  readonly shell: AgentShell | null;
}

/**
 * `curfew agent -- CMD…`: this process becomes the agent. Returns where that fails, as a shell
 * does, and with `--shell`.
 * @throws WrongCall
 */
export const agent = async (call: AgentCall, command: readonly string[], output: Output): Promise<number> => {
  const [program, ...rest] = command;
  if (call.shell !== null) {
    if (program !== undefined) throw wrongCall('--shell only prints functions: leave the command out');
    await output.write(shellFunctions(call.shell));
    return exitStatus.done;
  }
  if (program === undefined) throw wrongCall('agent: a command is missing; `curfew agent -- CMD…`');
  const errno =
    whyNotStarted(program) ??
    (await startAgent({
      command: [program, ...rest],
      bounds: call.bounds,
      name: call.name,
      places: placesHere(homedir()),
      tell: (said) => output.warn(`curfew: ${words(said)}`),
    }));
  output.warn(`curfew: ${failedText(program, errno)}`);
  return statusOfFailedStart(errno);
};
