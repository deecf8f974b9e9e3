import { wordsOr, worded } from '../../common/words.ts';
import { say } from '../../../../app/text/say.ts';
import type { Said } from '../../../../app/format/said.ts';
import { incidentView } from '../../../../app/documents/incident.ts';
import { foldIncident } from '../../../../app/history/fold.ts';
import type { Incident } from '../../../../app/history/incident.ts';
import { localHost } from '../../../../app/remote/host-list.ts';
import { leftOpenNamed, commandText } from '../../../../app/text/left-open.ts';
import { endByOwnCommand, type OwnEndable } from '../../../ending/by-own-command.ts';
import { confirmService, type EndableService, serviceIn } from '../../../ending/own-service.ts';
import type { SeenTwice } from '../../../ending/two-looks.ts';
import { type Engine, withEngine } from '../../../engine/engine.ts';
import { wrongCall, type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import { incidentLines } from '../../common/incident-lines.ts';
import { type Output, writeJson } from '../../common/output.ts';
import { agentOf, refused, type ReapOptions } from './reap-selection.ts';

/** Options of `curfew reap --left-open`, checked. */
export interface ReapLeftOpenOptions extends Pick<ReapOptions, 'json' | 'dryRun' | 'uid' | 'host'> {
  readonly id: string;
}

type Printing = Pick<ReapOptions, 'json' | 'dryRun'>;

const print = async (incident: Incident, { json, dryRun }: Printing, output: Output): Promise<void> => {
  const views = [incidentView(incident)];
  if (json) await writeJson(output, { schema: 1, host: localHost, dryRun, incidents: views });
  else await output.write(`${incidentLines(incident, output).join('\n')}\n`);
};

/** Runs the command that ends what was seen twice, or says which would be run. */
const carryOut = async (
  engine: Engine,
  { what, seen }: { readonly what: Said; readonly seen: SeenTwice<OwnEndable> },
  options: Printing,
  output: Output,
): Promise<ExitStatus> => {
  if (seen.kind !== 'confirmed') throw refused(seen, what);
  const { intent, shown } = seen.thing;
  if (options.dryRun) {
    if (options.json) await print(foldIncident(intent('command', engine), []), options, output);
    else await output.write(`${worded('This would be run; nothing was done.')}\n\n${commandText(shown)}\n`);
    return exitStatus.done;
  }
  const came = await endByOwnCommand(engine, seen.thing, 'command');
  if ('kind' in came) throw refused(came, came.kind === 'unrecordable' ? null : what);
  await print(came, options, output);
  if (came.outcome === 'reaped') return exitStatus.done;
  for (const event of came.events) if (event.kind === 'note') output.warn(wordsOr(event.said, event.text));
  return exitStatus.notDone;
};

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
  { process: { pid }, ownEnd }: EndableService,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  if (options.signal !== null)
    throw wrongCall('process {pid} is ended by its agent’s own command, so --signal does not apply', { pid });
  const patienceMs = options.graceSeconds === null ? undefined : options.graceSeconds * 1000;
  const seen = await confirmService(ownEnd.id, engine, () => engine.observer.look(), patienceMs);
  return carryOut(engine, { what: say('process {pid}', { pid }), seen }, options, output);
};

/** `curfew reap --left-open`: ends what a tool call left open, by the command of its keeper. */
export const reapLeftOpen = async (
  { id, uid, host, ...printing }: ReapLeftOpenOptions,
  output: Output,
): Promise<ExitStatus> => {
  if (host !== null) throw wrongCall('--left-open works on this machine only');
  const { confirmLeftOpen, leftOpenOf } = await import('../../../left-open/survey.ts');
  return withEngine({ uid, warn: output.warn, mode: 'enforce' }, async (engine) => {
    const seen = await confirmLeftOpen(id, async () => {
      const look = engine.observer.look();
      return { look, found: await leftOpenOf(engine, look) };
    });
    if (seen.kind === 'not-found')
      throw wrongCall('nothing with the id {id} is left open; `curfew scan` lists what is', { id });
    const what = seen.kind === 'left-open' ? leftOpenNamed(seen.leftOpen) : id;
    return carryOut(engine, { what, seen }, printing, output);
  });
};
