import { homedir } from 'node:os';
import { messageOf } from '../../../../app/format/error-message.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import { terminalSafeJson } from '../../../../app/format/json.ts';
import { guard } from '../../../agents/guard/guard.ts';
import { neutralAnswer } from '../../../agents/hooks/form/hook-program.ts';
import { refuseForeignHome } from '../../../store/foreign-home.ts';
import { placesHere } from '../../../store/places.ts';
import { type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { standardInput } from '../../common/standard-input.ts';

/**
 * `curfew hook pre-tool-use`: the answer of the guard, for machines without a POSIX shell and for
 * trying it out; the hook script starts main/cli/guard.ts, which is faster. Never fails an agent:
 * errors go to standard error and the status is 0.
 */
export const hookGuard = async (agent: AgentId, output: Output): Promise<ExitStatus> => {
  let answer: string | null = null;
  try {
    const { platform, env: environment, ppid: parent } = process;
    const home = homedir();
    const places = placesHere(home);
    refuseForeignHome(home, places);
    const { settings } = places;
    const surroundings = { settings, platform, uid: process.getuid?.() ?? -1, parent, path: environment['PATH'] };
    answer = guard(agent, await standardInput(), surroundings);
  } catch (error) {
    output.warn(`curfew: the guard said nothing: ${messageOf(error)}`);
  }
  const said = answer ?? neutralAnswer(agent, 'pre-tool-use');
  if (said !== null) await output.write(`${terminalSafeJson(said)}\n`);
  return exitStatus.done;
};
