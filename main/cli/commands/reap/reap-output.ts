import { messageOf } from '../../../../app/format/error-message.ts';
import { incidentView } from '../../../../app/contract/views/incident-view-of.ts';
import { foldIncident } from '../../../../app/history/fold.ts';
import type { Incident } from '../../../../app/history/incident.ts';
import { localHost } from '../../../../app/remote/host-name.ts';
import { english } from '../../../../app/text/english.ts';
import type { Engine } from '../../../engine/engine.ts';
import { intentOf } from '../../../reaping/intent.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import type { ReapingFailure } from '../../../reaping/progress.ts';
import type { ExitStatus } from '../../common/exit-status.ts';
import { exitStatus } from '../../common/exit-status.ts';
import { incidentLines } from '../../common/incident-lines.ts';
import type { Output } from '../../common/output.ts';
import { writeJson } from '../../common/output.ts';
import { sayDue } from './reap-progress.ts';
import { planOf, type ReapOptions } from './reap-selection.ts';
import { scanTable } from '../../common/scan-table.ts';

/** What was ended and what could not be. The exit status says whether everything was done. */
export const printReaped = async (
  done: { readonly incidents: readonly Incident[]; readonly failed: readonly ReapingFailure[] },
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const { incidents, failed } = done;
  for (const { job, error } of failed) output.warn(`job ${job}: ${messageOf(error)}`);
  if (options.json) {
    const views = incidents.map((incident) => incidentView(incident, english));
    await writeJson(output, { schema: 1, host: options.host ?? localHost, dryRun: options.dryRun, incidents: views });
  } else {
    const lines = incidents.flatMap((incident) => incidentLines(incident, output));
    await output.write(`${lines.length === 0 ? 'Nothing to end.' : lines.join('\n')}\n`);
  }
  const undone = failed.length > 0 || incidents.some(({ outcome }) => outcome === 'survived' || outcome === 'spared');
  return undone ? exitStatus.notDone : exitStatus.done;
};

/** What would be ended, without ending it. */
export const printDryRun = async (
  engine: Engine,
  look: Look,
  due: readonly JudgedJob[],
  options: ReapOptions,
  output: Output,
): Promise<void> => {
  if (options.json) {
    const incidents = due.map((judged) => {
      const intent = intentOf({
        id: '',
        nowMs: look.table.takenAtMs,
        host: options.host ?? localHost,
        table: look.table,
        writer: { pid: process.pid, startTicks: 0 },
        judged,
        decidedBy: 'command',
        plan: planOf(engine.settings(), judged, options),
      });
      return incidentView(foldIncident(intent, []), english);
    });
    await writeJson(output, { schema: 1, host: options.host ?? localHost, dryRun: true, incidents });
    return;
  }
  const only: Look = { ...look, jobs: new Map(due.map((judged) => [judged.job.id, judged])) };
  const table = scanTable(only, output, { explain: false, all: true });
  await output.write(
    due.length === 0
      ? 'Nothing would be ended.\n'
      : `${sayDue(due)} would be ended; nothing was signalled.\n\n${table}`,
  );
};
