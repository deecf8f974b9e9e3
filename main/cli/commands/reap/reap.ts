import { setTimeout as pause } from 'node:timers/promises';
import { noted } from '../../../../app/text/noted.ts';
import { worded } from '../../common/words.ts';
import { sized, several, portsSaid } from '../../../../app/text/form.ts';
import { say, saidOf, listed } from '../../../../app/text/say.ts';
import type { Said } from '../../../../app/format/said.ts';
import { incidentView } from '../../../../app/documents/incident.ts';
import { formatLimit } from '../../../../app/format/age.ts';
import { visibleLines, visibleText } from '../../../../app/format/visible.ts';
import { foldIncident } from '../../../../app/history/fold.ts';
import type { Freed, Incident } from '../../../../app/history/incident.ts';
import { localHost } from '../../../../app/remote/host-list.ts';
import { formatCountdown, sayTogether } from '../../../../app/text/states.ts';
import { type PassMachine, endConfirmed, unrecordable } from '../../../ending/end.ts';
import { thisMachine } from '../../../ending/this-machine.ts';
import { type Engine, withEngine } from '../../../engine/engine.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import { intentOf } from '../../../reaping/plan.ts';
import type { ReapingFailure } from '../../../reaping/drive.ts';
import type { Reaping } from '../../../reaping/reaping.ts';
import type { InstalledCurfew } from '../../../remote/installed-curfew.ts';
import { fit } from '../../common/table.ts';
import { wrongCall, notDone, type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import { incidentLines } from '../../common/incident-lines.ts';
import { type Output, writeJson } from '../../common/output.ts';
import { scanTable } from '../../common/scan-table.ts';
import { withHost } from '../../common/with-host.ts';
import { reapService, serviceToReap } from './reap-own.ts';
import {
  type Agreed,
  type Confirmed,
  type ReapOptions,
  agreedOn,
  byHand,
  confirmAgent,
  confirmDue,
  refused,
  orderOf,
  termsOf,
} from './reap-selection.ts';

/** How often what is going on is looked at, milliseconds. */
const pollMs = 200;

/** Says what several jobs are and hold: `5 leftovers, 2.1 GB, port 3000`. */
const sayDue = (due: readonly JudgedJob[]): Said => {
  const holds = {
    jobs: due.length,
    rssBytes: due.reduce((sum, { job }) => sum + job.holds.rssBytes, 0),
    ports: [...new Set(due.flatMap(({ job }) => job.holds.ports))].toSorted((one, other) => one - other),
  };
  return sayTogether(holds, due.every(({ job }) => job.owner.state === 'gone') ? 'leftover' : 'job');
};

const stepOf = ({ state, plan, left, judged }: Reaping): string | null => {
  const what = `${judged.job.id} ${visibleText(judged.job.command)}`;
  if (state.phase === 'asked') {
    const asked = { signal: plan.signal, processes: several(left, 'process'), what };
    return plan.graceMs === 0
      ? worded('{signal} sent to {processes}: {what}', asked)
      : worded('{signal} sent to {processes}, KILL in {age} to what is left: {what}', {
          ...asked,
          age: formatCountdown(plan.graceMs / 1000),
        });
  }
  return state.phase === 'killing' ? worded('KILL sent to what is left: {what}', { what }) : null;
};

const inPlace = (inProgress: readonly Reaping[], all: number): string => {
  const asked = inProgress.filter(({ state }) => state.phase === 'asked');
  const leftMs = asked.map(({ state, plan }) =>
    state.phase === 'asked' ? state.askedAtMs + plan.graceMs - performance.now() : 0,
  );
  const processes = inProgress.reduce((sum, { left }) => sum + left, 0);
  const how = {
    done: all - inProgress.length,
    jobs: several(all, 'job'),
    processes: several(processes, 'process'),
  };
  return leftMs.length === 0
    ? worded('Ending: {done} of {jobs} done, {processes} left', how)
    : worded('Ending: {done} of {jobs} done, {processes} left, KILL in {age} at the latest', {
        ...how,
        age: formatCountdown(Math.max(0, Math.max(...leftMs)) / 1000),
      });
};

/** Tells a reaping's course on standard error, in place on terminals; the result ends that. */
const tellReaping = (
  reaper: { readonly inProgress: readonly Reaping[] },
  due: readonly JudgedJob[],
  output: Pick<Output, 'warn'>,
): (() => void) => {
  if (due.length === 0) return () => undefined;
  output.warn(worded('Ending {what}.', { what: sayDue(due) }));
  const { stderr } = process;
  const said = new Map<string, string>();
  const tell = (): void => {
    if (stderr.isTTY) {
      if (reaper.inProgress.length === 0) return;
      stderr.write(`\r${fit(inPlace(reaper.inProgress, due.length), stderr.columns - 1)}\u001B[K`);
      return;
    }
    for (const reaping of reaper.inProgress) {
      const step = stepOf(reaping);
      const phase = reaping.state.phase;
      if (step === null || said.get(reaping.order.job) === phase) continue;
      said.set(reaping.order.job, phase);
      output.warn(step);
    }
  };
  const timer = setInterval(tell, pollMs);
  return () => {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write('\r\u001B[K');
  };
};

/**
 * Tells on standard error that another machine's own Curfew ends what is due there: it reports when
 * all is over. Counts the seconds on a terminal. The returned function ends that.
 */
const tellWaiting = (host: string, output: Pick<Output, 'warn'>): (() => void) => {
  output.warn(worded('The Curfew on {host} ends what is due there, and reports when it is done.', { host }));
  const { stderr } = process;
  if (!stderr.isTTY) return () => undefined;
  const beganMs = performance.now();
  const timer = setInterval(() => {
    const age = formatLimit(Math.floor((performance.now() - beganMs) / 1000));
    stderr.write(`\r${fit(worded('Waiting for {host} for {age}', { host, age }), stderr.columns - 1)}\u001B[K`);
  }, 1000);
  return () => {
    clearInterval(timer);
    stderr.write('\r\u001B[K');
  };
};

/** Says what was left because only marks name it; null for nothing. */
const sayLeft = (left: readonly JudgedJob[], options: ReapOptions): string | null => {
  if (left.length === 0) return null;
  const { probable } = options;
  if (byHand(options) && !probable)
    return worded('{jobs} not ended: only marks name it. With `--probable` it is ended, too.', {
      jobs: several(left.length, 'job'),
    });
  // What is due was asked about, and the answer was no.
  const isYoung = probable && left.every(({ verdict }) => verdict.action !== 'reap');
  return worded(
    isYoung
      ? '{jobs} probably left over, not ended: within the grace of leftovers. `--max-age 0s` ends what is younger, too.'
      : '{jobs} probably left over, not ended: `curfew reap --probable` ends what you agree to.',
    { jobs: several(left.length, 'job') },
  );
};

const total = (incidents: readonly Incident[]): string => {
  const ended = incidents.filter(({ outcome }) => outcome === 'reaped' || outcome === 'killed');
  const freed = ended.map((one) => one.freed);
  const sum = (of: (one: Freed) => number): number => freed.reduce((all, one) => all + of(one), 0);
  const ports = [...new Set(freed.flatMap((one) => one.ports))].toSorted((left, right) => left - right);
  const parts = [
    say('{jobs} ended', { jobs: several(ended.length, 'job') }),
    several(
      sum(({ processes }) => processes),
      'process',
    ),
    sized(sum(({ rssBytes }) => rssBytes)),
    ...(ports.length === 0 ? [] : [portsSaid(ports)]),
    ...(ended.length === incidents.length
      ? []
      : [say('{jobs} not ended', { jobs: several(incidents.length - ended.length, 'job') })]),
  ];
  return worded('Total: {parts}.', { parts: listed(parts, ', ') });
};

/** Why nothing is due, where leftovers are only too young; null where there are none. */
const sayTooYoung = (look: Look, engine: Engine, { maxAgeSeconds }: ReapOptions): string | null => {
  const young = [...look.jobs.values()].filter(({ verdict }) => verdict.state === 'orphaned').length;
  const age = formatLimit(maxAgeSeconds ?? engine.settings().orphanGraceSeconds);
  if (young === 0) return null;
  return young === 1
    ? worded('Nothing is due yet. 1 leftover is younger than {age}; `--max-age 0` ends it now.', { age })
    : worded('Nothing is due yet. {count} leftovers are younger than {age}; `--max-age 0` ends them now.', {
        count: young,
        age,
      });
};

/** What was ended and what could not be. The exit status says whether everything was done. */
const printReaped = async (
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
  for (const { job, error } of failed) output.warn(worded('job {job}: {why}', { job, why: saidOf(error) }));
  if (options.json) {
    const views = incidents.map((incident) => incidentView(incident));
    await writeJson(output, { schema: 1, host: options.host ?? localHost, dryRun: options.dryRun, incidents: views });
  } else {
    const lines = incidents.flatMap((incident) => incidentLines(incident, output));
    const said = [
      ...(lines.length === 0 ? [worded('Nothing to end.')] : [...lines, total(incidents)]),
      sayLeft(left, options),
    ];
    await output.write(`${said.filter((line) => line !== null).join('\n')}\n`);
  }
  const undone =
    failed.length > 0 ||
    (options.probable && left.length > 0) ||
    incidents.some(({ outcome }) => outcome === 'survived' || outcome === 'spared');
  return undone ? exitStatus.notDone : exitStatus.done;
};

/** What would be ended, without ending it. */
const printDryRun = async (
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
        plan: orderOf(engine.settings(), options)(judged).plan,
      });
      return incidentView(foldIncident(intent, []));
    });
    await writeJson(output, { schema: 1, host: options.host ?? localHost, dryRun: true, incidents });
    return;
  }
  const only: Look = { ...look, jobs: new Map(due.map((judged) => [judged.job.id, judged])) };
  const table = scanTable(only, output, { explain: false, all: true, bare: true });
  const said =
    due.length === 0
      ? `${sayTooYoung(look, engine, options) ?? worded('Nothing would be ended.')}\n`
      : `${worded('{what} would be ended; nothing was signalled.', { what: sayDue(due) })}\n\n${table}`;
  const rest = sayLeft(left, options);
  await output.write(rest === null ? said : `${said}${rest}\n`);
};

const argumentsOf = (options: ReapOptions): readonly string[] => [
  ...(options.dryRun ? ['--dry-run'] : []),
  ...(options.maxAgeSeconds === null ? [] : [`--max-age=${options.maxAgeSeconds}s`]),
  ...options.jobs.map((job) => `--job=${job}`),
  ...(options.session === null ? [] : [`--session=${options.session}`]),
  ...(options.snapshot === null ? [] : [`--snapshot=${options.snapshot}`]),
  ...(options.probable ? ['--probable'] : []),
  ...(options.yes ? ['--yes'] : []),
  ...options.kinds.map((kind) => `--kind=${kind}`),
  ...(options.graceSeconds === null ? [] : [`--grace=${options.graceSeconds}s`]),
  ...(options.signal === null ? [] : [`--signal=${options.signal}`]),
];

/** Through the Curfew that is installed over there. */
const reapThrough = async (
  host: string,
  installed: InstalledCurfew,
  engine: Engine,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const args = argumentsOf(options);
  if (options.dryRun && !options.json) {
    await output.write(visibleLines(await installed.text(['reap', ...args])));
    return exitStatus.done;
  }
  const refusal = options.dryRun ? null : unrecordable(engine);
  if (refusal !== null) throw refused(refusal);
  const told = options.dryRun ? () => undefined : tellWaiting(host, output);
  const incidents = await installed.reap(args, engine).finally(told);
  return printReaped({ incidents, failed: [], left: [] }, options, output);
};

/** Milliseconds in which a host that misses a server starts it again. */
const reconnectionMs = 3000;

/** Notes in the record that a host started anew what was ended. */
const noteReconnection = async (
  { observer, journal }: Pick<Engine, 'observer' | 'journal'>,
  before: Look,
  incidents: readonly Incident[],
  host: number,
): Promise<void> => {
  if (incidents.length === 0) return;
  await pause(reconnectionMs);
  const { table, servers = [] } = observer.look();
  const again = servers.find(
    ({ owner, inner, startTicks }) => owner.pid === host && !inner && startTicks > before.table.nowTicks,
  );
  if (again === undefined) return;
  const event = noted(table.takenAtMs, say('Its host has started a server since: process {pid}.', { pid: again.pid }));
  for (const { id } of incidents) journal.append(id, event);
};

/** What a pass ends, once two looks found it: with the user's yes where that is needed. */
const reapConfirmed = async (
  engine: Engine,
  machine: PassMachine,
  confirmed: Confirmed,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const { look } = confirmed;
  const { due, left } = await agreedOn(look, confirmed.due, options, output);
  if (options.dryRun) {
    await printDryRun(engine, look, { due, left }, options, output);
    return exitStatus.done;
  }
  const told = tellReaping(machine.reaper, due, output);
  const came = await endConfirmed(machine, { look, due }, orderOf(engine.settings(), options)).finally(told);
  if (came.kind === 'unrecordable') throw refused(came);
  if (options.olderSets !== null) await noteReconnection(engine, look, came.incidents, options.olderSets);
  return printReaped({ ...came, left }, options, output);
};

/** A pass on another machine. Throws NotDone when it is out of reach. */
const reapElsewhere = (engine: Engine, host: string, options: ReapOptions, output: Output): Promise<ExitStatus> =>
  withHost(engine, host, { terms: termsOf(options) }, async (remote, hosts) => {
    const installed = await hosts.installed(host);
    if (installed !== null) return reapThrough(host, installed, engine, options, output);
    const confirmed = await confirmDue(() => remote.look(), options);
    return reapConfirmed(engine, hosts.machine(host, engine.journalProblem), confirmed, options, output);
  });

/** An agent is ended by itself, and only where its input and output can be looked into. */
const requireAlone = (options: ReapOptions): void => {
  const name = options.agentPid === null ? '--older-sets' : '--agent-pid';
  if (options.host !== null) throw wrongCall('{name} works on this machine only', { name });
  if (
    byHand({ ...options, agentPid: null, olderSets: name === '--agent-pid' ? options.olderSets : null }) ||
    options.maxAgeSeconds !== null
  )
    throw wrongCall('{name} stands alone: without --job, --session, --snapshot and --max-age', { name });
};

/** A pass on this machine: two sightings, the order of the user, the ends. */
export const reapHere = async (engine: Engine, options: ReapOptions, output: Output): Promise<ExitStatus> => {
  const { agentPid } = options;
  const confirmed =
    agentPid === null ? await confirmDue(() => engine.observer.look(), options) : await confirmAgent(engine, agentPid);
  return reapConfirmed(engine, thisMachine(engine), confirmed, options, output);
};

/** `curfew reap`: one pass of reaping, two sightings included. */
export const reap = (options: ReapOptions, output: Output): Promise<ExitStatus> =>
  // Calling it is the decision; the mode is about what happens by itself.
  withEngine(
    {
      uid: options.uid,
      warn: output.warn,
      mode: 'enforce',
      terms: termsOf(options),
      allServers: options.olderSets !== null,
    },
    async (engine) => {
      if (!byHand(options) && !options.dryRun && engine.trust.unproved !== null)
        throw notDone('{problem} Name jobs with --job to end them.', { problem: engine.trust.unproved });
      if (!byHand(options) && !options.dryRun && engine.settingsForceObserve())
        throw notDone(
          'the settings could not be understood, so it is not known what you want spared; correct them, or name jobs with --job',
        );
      if (options.agentPid !== null || options.olderSets !== null) requireAlone(options);
      if (options.host !== null) return reapElsewhere(engine, options.host, options, output);
      const service = options.agentPid === null ? null : serviceToReap(engine, options.agentPid);
      return service === null ? reapHere(engine, options, output) : reapService(engine, service, options, output);
    },
  );
