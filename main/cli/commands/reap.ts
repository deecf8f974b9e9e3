import { setTimeout as pause } from 'node:timers/promises';
import { incidentView } from '../../../app/contract/incident-view-of.ts';
import { foldIncident } from '../../../app/history/fold.ts';
import type { Incident } from '../../../app/history/incident.ts';
import type { ReapingPlan } from '../../../app/reap/machine.ts';
import { intentOf } from '../../supervisor/intent.ts';
import { scanTable } from '../scan-table.ts';
import type { JudgedJob, Look } from '../../supervisor/look.ts';
import { identityKey } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import type { FirstSignalName } from '../../../app/reap/signal.ts';
import { english } from '../../../app/text/english.ts';
import { planFor } from '../../supervisor/plan.ts';
import { completeInterrupted } from '../../supervisor/recovery.ts';
import type { ReapingFailure } from '../../supervisor/reaper.ts';
import { hookFolders } from '../../agents/hooks/folders.ts';
import { tellNextSession } from '../../agents/hooks/notices.ts';
import type { Engine } from '../../supervisor/engine.ts';
import { openEngine } from '../../supervisor/engine.ts';
import type { ExitStatus } from '../exit-status.ts';
import { exitStatus, NotDone, WrongCall } from '../exit-status.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import type { Output } from '../output.ts';
import { writeJson } from '../output.ts';
import { incidentLines } from '../incident-lines.ts';

/** Between the two sightings, milliseconds. */
const betweenSightingsMs = 1000;
/** Between two looks after processes that were signalled, milliseconds. */
const pollMs = 50;

/** Options of `curfew reap`, checked. */
export interface ReapOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly maxAgeSeconds: number | null;
  readonly jobs: readonly string[];
  readonly session: string | null;
  /** A shell snapshot's name: the tool shells that sourced it. */
  readonly snapshot: string | null;
  readonly graceSeconds: number | null;
  readonly signal: FirstSignalName | null;
  readonly uid: number | null;
}

const byHand = (options: ReapOptions): boolean =>
  options.jobs.length > 0 || options.session !== null || options.snapshot !== null;

const sourcesSnapshot = (judged: JudgedJob, name: string): boolean =>
  judged.job.members.some(({ row }) => row.argv.some((argument) => argument.includes(`/shell-snapshots/${name}`)));

const chosen = (look: Look, options: ReapOptions): readonly JudgedJob[] =>
  worstFirst(look.jobs.values()).filter((judged) => {
    if (!byHand(options)) {
      // What was started with `curfew run` is ended by that, at its own limits.
      return (
        judged.job.run === undefined && (judged.verdict.state === 'orphaned' || judged.verdict.state === 'past-cap')
      );
    }
    return (
      options.jobs.includes(judged.job.id) ||
      (options.session !== null && judged.job.session === options.session) ||
      (options.snapshot !== null && sourcesSnapshot(judged, options.snapshot))
    );
  });

const unknownIds = (look: Look, options: ReapOptions): readonly string[] => {
  const known = new Set<string>(look.jobs.keys());
  return options.jobs.filter((id) => !known.has(id));
};

/** Jobs found twice, a pause apart, with the same process as their root; by hand and by rule alike. */
const sightedTwice = async (
  engine: Engine,
  options: ReapOptions,
): Promise<{ readonly look: Look; readonly due: readonly JudgedJob[] }> => {
  const first = engine.observer.look();
  const missing = unknownIds(first, options);
  if (missing.length > 0) throw new WrongCall(`no job ${missing.join(', ')}; \`curfew scan\` lists those there are`);
  const roots = new Set(chosen(first, options).map(({ job }) => identityKey(identityOf(first.table, job.root))));
  if (roots.size === 0) return { look: first, due: [] };
  await pause(betweenSightingsMs);
  const look = engine.observer.look();
  return {
    look,
    due: chosen(look, options).filter(({ job }) => roots.has(identityKey(identityOf(look.table, job.root)))),
  };
};

const planOf = (engine: Engine, judged: JudgedJob, options: ReapOptions): ReapingPlan =>
  planFor(judged.job, engine.settings(), {
    ...(options.signal === null ? {} : { signal: options.signal }),
    ...(options.graceSeconds === null ? {} : { graceSeconds: options.graceSeconds }),
  });

const carryOut = async (
  engine: Engine,
  look: Look,
  due: readonly JudgedJob[],
  options: ReapOptions,
): Promise<{ readonly incidents: readonly Incident[]; readonly failed: readonly ReapingFailure[] }> => {
  const { reaper, observer } = engine;
  const incidents: Incident[] = [];
  const failed: ReapingFailure[] = [];
  for (const judged of due) {
    reaper.start({ job: judged.job.id, decidedBy: 'command', plan: planOf(engine, judged, options) }, judged);
  }
  let latest = look;
  while (reaper.inProgress.length > 0) {
    const progress = reaper.advance(latest);
    incidents.push(...progress.ended);
    for (const incident of progress.ended) tellNextSession(hookFolders(engine.places), incident);
    failed.push(...progress.failed);
    while (reaper.inProgress.length > 0 && !reaper.needsLook()) await pause(pollMs);
    if (reaper.inProgress.length > 0) latest = observer.look();
  }
  return { incidents, failed };
};

/** `curfew reap`: one pass of reaping, two sightings included. */
export const reap = async (options: ReapOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({
    uid: options.uid,
    warn: output.warn,
    // Calling it is the decision; the mode is about what happens by itself.
    mode: 'enforce',
    ...(options.maxAgeSeconds === null ? {} : { orphanGraceSeconds: options.maxAgeSeconds }),
  });
  try {
    if (!byHand(options) && !options.dryRun && engine.settingsForceObserve())
      throw new NotDone(
        'the settings could not be understood, so it is not known what you want spared; correct them, or name jobs with --job',
      );
    const { look, due } = await sightedTwice(engine, options);
    if (options.dryRun) {
      await printDryRun(engine, look, due, options, output);
      return exitStatus.done;
    }
    if (due.length > 0) {
      const problem = engine.journalProblem();
      if (problem !== null) throw new NotDone(problem.message);
      // What an earlier pass began and could not complete would else stand in the record as still going on.
      completeInterrupted(engine.history.unfinished(), look.table, engine.journal, Date.now());
    }
    const { incidents, failed } = await carryOut(engine, look, due, options);
    for (const { job, error } of failed)
      output.warn(`job ${job}: ${error instanceof Error ? error.message : String(error)}`);
    if (options.json) {
      const views = incidents.map((incident) => incidentView(incident, english));
      await writeJson(output, { schema: 1, host: 'local', dryRun: false, incidents: views });
    } else {
      const lines = incidents.flatMap((incident) => incidentLines(incident, output));
      await output.write(`${lines.length === 0 ? 'Nothing to end.' : lines.join('\n')}\n`);
    }
    const undone = failed.length > 0 || incidents.some(({ outcome }) => outcome === 'survived' || outcome === 'spared');
    return undone ? exitStatus.notDone : exitStatus.done;
  } finally {
    engine.close();
  }
};

const printDryRun = async (
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
        table: look.table,
        writer: { pid: process.pid, startTicks: 0 },
        judged,
        decidedBy: 'command',
        plan: planOf(engine, judged, options),
      });
      return incidentView(foldIncident(intent, []), english);
    });
    await writeJson(output, { schema: 1, host: 'local', dryRun: true, incidents });
    return;
  }
  const only: Look = { ...look, jobs: new Map(due.map((judged) => [judged.job.id, judged])) };
  const table = scanTable(only, output, { explain: false, all: true });
  await output.write(
    due.length === 0 ? 'Nothing would be ended.\n' : `These would be ended; nothing was signalled.\n\n${table}`,
  );
};
