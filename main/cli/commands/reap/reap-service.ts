import type { Engine } from '../../../engine/engine.ts';
import {
  confirmService,
  type EndableService,
  endService,
  intentToEndService,
  serviceIn,
  serviceTools,
} from '../../../ending/own-service.ts';
import { type ExitStatus, NotDone, WrongCall } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { agentOf } from './reap-agent.ts';
import { printRan, printWouldRun } from './print-own-end.ts';
import type { ReapOptions } from './reap-selection.ts';

/**
 * Returns the service that this process is a part of, where its agent has a command to end it; null
 * for any other agent.
 * @throws WrongCall where the process is no agent
 */
export const serviceToReap = (engine: Pick<Engine, 'observer'>, pid: number): EndableService | null => {
  const look = engine.observer.look();
  const agent = agentOf(look, pid);
  return serviceIn(look, (seen) => seen.process.pid === agent.process.pid);
};

/** `curfew reap --agent-pid` of a service: runs its agent's own command, and signals nothing. */
export const reapService = async (
  engine: Engine,
  service: EndableService,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const { pid } = service.process;
  if (options.signal !== null)
    throw new WrongCall(`process ${pid} is ended by its agent’s own command, so --signal does not apply`);
  const came = await confirmService(service.ownEnd.id, serviceTools(engine), () => engine.observer.look());
  switch (came.kind) {
    case 'not-found':
    case 'changed':
      throw new NotDone(`process ${pid} is not what it was a moment ago, so nothing was done.`);
    case 'refused':
      throw new NotDone(`process ${pid}: ${came.why}`);
    case 'confirmed': {
      const { source, journal, writer, home } = engine;
      const ending = { source, journal, now: Date.now, writer, home };
      const patienceMs = options.graceSeconds === null ? undefined : options.graceSeconds * 1000;
      if (options.dryRun) {
        const intent = intentToEndService(came.service, came.look, 'command', ending, patienceMs);
        return printWouldRun(intent, came.service.ownEnd.command, options, output);
      }
      const problem = engine.journalProblem();
      if (problem !== null) throw new NotDone(problem.message);
      const ended = await endService(ending, came, 'command', patienceMs);
      if ('kept' in ended) throw new NotDone(`process ${pid}: ${ended.kept}`);
      return printRan(ended, options, output);
    }
  }
};
