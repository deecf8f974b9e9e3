import { incidentView } from '../../../../app/contract/views/incident-view-of.ts';
import { foldIncident } from '../../../../app/history/fold.ts';
import type { Incident, Intent } from '../../../../app/history/incident.ts';
import { localHost } from '../../../../app/remote/host-name.ts';
import { english } from '../../../../app/text/english.ts';
import { commandText } from '../../../../app/text/left-open/left-open.ts';
import { type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import { incidentLines } from '../../common/incident-lines.ts';
import type { Output } from '../../common/output.ts';
import { writeJson } from '../../common/output.ts';

interface Printing {
  readonly json: boolean;
  readonly dryRun: boolean;
}

const print = async (incident: Incident, { json, dryRun }: Printing, output: Output): Promise<void> => {
  const views = [incidentView(incident, english)];
  if (json) await writeJson(output, { schema: 1, host: localHost, dryRun, incidents: views });
  else await output.write(`${incidentLines(incident, output).join('\n')}\n`);
};

/** Says which command would be run. */
export const printWouldRun = async (
  intent: Intent,
  command: readonly string[],
  options: Printing,
  output: Output,
): Promise<ExitStatus> => {
  if (options.json) await print(foldIncident(intent, []), options, output);
  else await output.write(`This would be run; nothing was done.\n\n${commandText(command)}\n`);
  return exitStatus.done;
};

/** Says what came of the command. */
export const printRan = async (incident: Incident, options: Printing, output: Output): Promise<ExitStatus> => {
  await print(incident, options, output);
  if (incident.outcome === 'reaped') return exitStatus.done;
  for (const event of incident.events) if (event.kind === 'note') output.warn(event.text);
  return exitStatus.notDone;
};
