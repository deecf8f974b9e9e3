import { incidentView } from '../../../../app/contract/views/incident-view-of.ts';
import { foldIncident } from '../../../../app/history/fold.ts';
import type { Incident } from '../../../../app/history/incident.ts';
import { localHost } from '../../../../app/remote/host-name.ts';
import { english } from '../../../../app/text/english.ts';
import { commandText, leftOpenWord } from '../../../../app/text/left-open/left-open.ts';
import { openEngine } from '../../../engine/engine.ts';
import { confirmLeftOpen, endLeftOpen, intentToEnd, type LeftOpenEnd } from '../../../left-open/ending.ts';
import { leftOpenOf, leftOpenTools } from '../../../left-open/survey.ts';
import { type ExitStatus, exitStatus, NotDone, WrongCall } from '../../common/exit-status.ts';
import { incidentLines } from '../../common/incident-lines.ts';
import type { Output } from '../../common/output.ts';
import { writeJson } from '../../common/output.ts';

/** Options of `curfew reap --left-open`, checked. */
export interface ReapLeftOpenOptions {
  readonly id: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly uid: number | null;
  /** Another machine; null: this one. */
  readonly host: string | null;
}

type Confirmed = Extract<LeftOpenEnd, { readonly kind: 'confirmed' }>;

const requireConfirmed = (id: string, came: LeftOpenEnd): Confirmed => {
  switch (came.kind) {
    case 'confirmed':
      return came;
    case 'not-found':
      throw new WrongCall(`nothing with the id ${id} is left open; \`curfew scan\` lists what is`);
    case 'refused':
      throw new NotDone(`${leftOpenWord(came.leftOpen)}: ${english.leftOpenRefusal(came.leftOpen) ?? ''}`);
    case 'changed':
      throw new NotDone(`${id} is not what it was a moment ago, so nothing was done.`);
  }
};

const print = async (incident: Incident, options: ReapLeftOpenOptions, output: Output): Promise<void> => {
  const views = [incidentView(incident, english)];
  if (options.json) await writeJson(output, { schema: 1, host: localHost, dryRun: options.dryRun, incidents: views });
  else await output.write(`${incidentLines(incident, output).join('\n')}\n`);
};

/** `curfew reap --left-open`: ends what a tool call left open, by the command of its keeper. */
export const reapLeftOpen = async (options: ReapLeftOpenOptions, output: Output): Promise<ExitStatus> => {
  if (options.host !== null) throw new WrongCall('--left-open works on this machine only');
  const engine = openEngine({ uid: options.uid, warn: output.warn, mode: 'enforce' });
  try {
    const tools = leftOpenTools(engine);
    const came = await confirmLeftOpen(options.id, async () => {
      const look = engine.observer.look();
      return { look, found: await leftOpenOf(tools, look) };
    });
    const confirmed = requireConfirmed(options.id, came);
    const ending = { source: engine.source, journal: engine.journal, now: Date.now, writer: engine.writer };
    if (options.dryRun) {
      const { found, look } = confirmed;
      if (options.json) await print(foldIncident(intentToEnd(found, look, 'command', ending), []), options, output);
      else await output.write(`This would be run; nothing was done.\n\n${commandText(found.leftOpen.endWith)}\n`);
      return exitStatus.done;
    }
    const problem = engine.journalProblem();
    if (problem !== null) throw new NotDone(problem.message);
    const incident = await endLeftOpen(ending, confirmed, 'command');
    await print(incident, options, output);
    return incident.outcome === 'reaped' ? exitStatus.done : exitStatus.notDone;
  } finally {
    engine.close();
  }
};
