import { formatLimit } from '../../../../app/format/age.ts';
import { formatBytes } from '../../../../app/format/bytes.ts';
import { messageOf } from '../../../../app/format/error-message.ts';
import { incidentView } from '../../../../app/contract/views/incident-view-of.ts';
import { foldIncident } from '../../../../app/history/fold.ts';
import type { Freed, Incident } from '../../../../app/history/incident.ts';
import { localHost } from '../../../../app/remote/host-name.ts';
import { counted } from '../../../../app/text/figures.ts';
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
import { sayLeft, type Agreed } from './reap-probable.ts';
import { sayDue } from './reap-progress.ts';
import { planOf, type ReapOptions } from './reap-selection.ts';
import { scanTable } from '../../common/scan-table.ts';

const total = (incidents: readonly Incident[]): string => {
  const ended = incidents.filter(({ outcome }) => outcome === 'reaped' || outcome === 'killed');
  const freed = ended.map((one) => one.freed);
  const sum = (of: (one: Freed) => number): number => freed.reduce((all, one) => all + of(one), 0);
  const ports = [...new Set(freed.flatMap((one) => one.ports))].toSorted((left, right) => left - right);
  const parts = [
    `${counted(ended.length, 'job')} ended`,
    counted(
      sum(({ processes }) => processes),
      'process',
      'processes',
    ),
    formatBytes(sum(({ rssBytes }) => rssBytes)),
    ...(ports.length === 0 ? [] : [`${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`]),
    ...(ended.length === incidents.length ? [] : [`${counted(incidents.length - ended.length, 'job')} not ended`]),
  ];
  return `Total: ${parts.join(', ')}.`;
};

/** Why nothing is due, where leftovers are only too young; null where there are none. */
const sayTooYoung = (look: Look, engine: Engine, { maxAgeSeconds }: ReapOptions): string | null => {
  const young = [...look.jobs.values()].filter(({ verdict }) => verdict.state === 'orphaned').length;
  const minAge = formatLimit(maxAgeSeconds ?? engine.settings().orphanGraceSeconds);
  return young === 0
    ? null
    : `Nothing is due yet. ${counted(young, 'leftover is', 'leftovers are')} younger than ${minAge}; \`--max-age 0\` ends ${young === 1 ? 'it' : 'them'} now.`;
};

/** What was ended and what could not be. The exit status says whether everything was done. */
export const printReaped = async (
  done: {
    readonly incidents: readonly Incident[];
    readonly failed: readonly ReapingFailure[];
    /** Not ended, because only marks name it. */
    readonly left: readonly JudgedJob[];
  },
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const { incidents, failed, left } = done;
  for (const { job, error } of failed) output.warn(`job ${job}: ${messageOf(error)}`);
  if (options.json) {
    const views = incidents.map((incident) => incidentView(incident, english));
    await writeJson(output, { schema: 1, host: options.host ?? localHost, dryRun: options.dryRun, incidents: views });
  } else {
    const lines = incidents.flatMap((incident) => incidentLines(incident, output));
    const said = [...(lines.length === 0 ? ['Nothing to end.'] : [...lines, total(incidents)]), sayLeft(left, options)];
    await output.write(`${said.filter((line) => line !== null).join('\n')}\n`);
  }
  const undone =
    failed.length > 0 ||
    (options.probable && left.length > 0) ||
    incidents.some(({ outcome }) => outcome === 'survived' || outcome === 'spared');
  return undone ? exitStatus.notDone : exitStatus.done;
};

/** What would be ended, without ending it. */
export const printDryRun = async (
  engine: Engine,
  look: Look,
  { due, left }: Agreed,
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
  const table = scanTable(only, output, { explain: false, all: true, bare: true });
  const said =
    due.length === 0
      ? `${sayTooYoung(look, engine, options) ?? 'Nothing would be ended.'}\n`
      : `${sayDue(due)} would be ended; nothing was signalled.\n\n${table}`;
  const rest = sayLeft(left, options);
  await output.write(rest === null ? said : `${said}${rest}\n`);
};
