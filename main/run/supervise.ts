import { recordedSparing } from './members/sparer.ts';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inEnglish, say, warned } from '../../app/text/say.ts';
import { sayPatternProblem } from '../../app/text/settings/pattern-problem.ts';
import { compilePattern } from '../../app/format/pattern.ts';
import type { Activity } from '../../app/jobs/ledger/ledger.ts';
import { observeActivity, silentSecondsOf } from '../../app/jobs/measure/activity.ts';
import type { Member } from '../../app/model/job.ts';
import { type Pid, cookieName } from '../../app/process/identity.ts';
import type { FirstSignalName } from '../../app/process/signal.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { CommandEnd, CommandStart } from '../os/programs/command-launcher.ts';
import type { RunContext } from './context.ts';
import type { EndingResult } from './ending/end-requests.ts';
import { type EndingOrder, endMembers } from './ending/ending.ts';
import { LimitClock } from './limit-clock.ts';
import { JobLeavers } from './members/containment.ts';
import { passStopOn } from './members/placement.ts';
import type { RunMembers } from './members/view.ts';
import type { EndCauseName, RunEnding, RunLimits } from './record/record.ts';
import { recordedStatus, runStatus, statusOfFailedStart } from './record/run-status.ts';
import { LineWatch, passOn } from './terminal/idle-output.ts';
import { withTimeout } from './terminal/follow.ts';

/** Ms in which several signals are one (a service's end, a closed terminal); later is another. */
const atOnceMs = 1000;

/** Detects a second request (TERM) to end `curfew run`; the rest of the grace is then skipped. */
class SecondSignal {
  #firstMs: number | null = null;
  #hurried = false;

  /** Records a signal that asks for the end. */
  note(signal: FirstSignalName): void {
    const nowMs = performance.now();
    if (this.#firstMs === null) this.#firstMs = nowMs;
    else if (signal === 'TERM' && nowMs - this.#firstMs >= atOnceMs) this.#hurried = true;
  }

  /** True from the second request on. */
  get hurried(): boolean {
    return this.#hurried;
  }
}

/** Watches whether a run works by the judge's measures: CPU, I/O, output, members, ports. */
class SilenceWatch {
  readonly #source: ProcessSource;
  readonly #outputBytes: () => number | null;
  #activity: Activity | null = null;

  constructor(source: ProcessSource, outputBytes: () => number | null) {
    this.#source = source;
    this.#outputBytes = outputBytes;
  }

  /** Returns true if nothing has changed over the last scans and no member listens on a port. */
  observe(sight: RunMembers): boolean {
    const rows = [...sight.members.values()].map(({ row }) => row);
    const facts = this.#source.facts(rows);
    const members: readonly Member[] = rows.map((row) => ({ row, by: [] }));
    const files = rows.map(({ pid }) => ({ pid, files: facts.get(pid)?.openFiles ?? null }));
    const [exchange = { kind: 'unknown' as const }] = this.#source.sockets?.exchanges([files]) ?? [];
    this.#activity = observeActivity(sight.table, members, facts, this.#outputBytes(), this.#activity, exchange);
    const serves = rows.some((row) => (facts.get(row.pid)?.ports.length ?? 0) > 0);
    return !serves && silentSecondsOf(sight.table, this.#activity) > 0;
  }
}

/** Longest wait in ms for our copy of a terminal's signal: a busy machine delays our threads. */
const maxHeardWaitMs = 1000;
const heardLookMs = 5;

/**
 * Waits for our own copy of the terminal's signal that ended the command. A process with several
 * threads can receive two signals at once, so SIGCHLD may overtake it (seen on Linux 6.18: a script
 * went on after Ctrl-C).
 */
const untilHeard = async (context: RunContext, heard: ReadonlySet<number>, signal: number): Promise<void> => {
  const keys: readonly number[] = [constants.signals.SIGINT, constants.signals.SIGQUIT];
  if (!keys.includes(signal) || context.placement !== 'shared') return;
  for (let waitedMs = 0; waitedMs < maxHeardWaitMs && !heard.has(signal); waitedMs += heardLookMs)
    await sleep(heardLookMs);
};

/**
 * In a shared group the terminal signals the command and us alike, so the signal is the command's
 * business, but for those that mean the end. A request to us alone uses TERM.
 */
const isTheTerminals = (context: RunContext, signal: FirstSignalName): boolean =>
  context.placement === 'shared' &&
  (signal === 'INT' || signal === 'QUIT') &&
  !context.keysEndRun.has(signal) &&
  (context.terminal === null || context.terminal.ownIsForeground());

/** Gives the terminal back to the shell, unless the shell has taken it already. */
const terminalBack = ({ terminal, placement, view }: RunContext, group: number): void => {
  if (terminal === null || placement === 'shared') return;
  if ([group, ...view.groups].some((one) => terminal.isForeground(one))) terminal.takeBack();
};

export type EndCause =
  | { readonly name: Exclude<EndCauseName, 'signal'> }
  | { readonly name: 'signal'; readonly signal: FirstSignalName };

/** Milliseconds between scans of a run, growing while it is young. */
const firstLookMs = 100;
const lastLookMs = 5000;

const wantsTerminal: ReadonlySet<number> = new Set([constants.signals.SIGTTIN, constants.signals.SIGTTOU]);

/** Ms to drain output at most: a spared process or a halted reader may keep it open for ever. */
const maxDrainMs = 3000;
/** Upper bound in ms until the parent sees the end of a killed command. */
const maxEndedWaitMs = 1000;

interface Started {
  pid: Pid;
  end: CommandEnd | null;
}

export interface RunOutcome {
  readonly ending: RunEnding;
  /** The errno name if the command could not be started. */
  readonly failure: string | null;
  /** The terminal's signal that ended the command and us too: our parent must see us end by it. */
  readonly passOn: number | null;
}

const startCommand = (context: RunContext, listener: Parameters<RunContext['launcher']['start']>[1]): CommandStart => {
  const { launcher, placement, terminal, streams, command, id, enclosure } = context;
  const start = (): CommandStart =>
    launcher.start(
      {
        placement,
        terminal: terminal?.fd ?? null,
        environment: { [cookieName]: id },
        stdio: streams.stdio,
        command,
      },
      listener,
    );
  return enclosure === null ? start() : enclosure.during(start);
};

/** Resolves with the first reason to end the run. All sources are subscribed until `close`. */
class Reasons {
  readonly first: Promise<EndCause>;
  give: (cause: EndCause) => void = () => undefined;
  readonly ended: Promise<void>;
  commandEnded: () => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.give = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.commandEnded = resolve;
    });
  }
}

const watchOutput = (context: RunContext, onMatch: () => void): readonly Promise<void>[] => {
  const { limits, streams } = context;
  if (limits.idleAfter === null) return [];
  const result = compilePattern(limits.idleAfter);
  if (!result.ok) throw new Error(`--idle-after ${inEnglish(sayPatternProblem(result.problem))}`);
  const { pattern } = result;
  return streams.copies.map(({ from, to }) => passOn(from, to, new LineWatch(pattern, onMatch)));
};

/** Version 1 kills one process of those that reached the bound; the others end with it. */
const hasMetMemory = ({ met }: RunContext): boolean => (met?.().memoryKills ?? 0) > 0;

/** Records members at growing intervals and tells the clock if the run works; returns its stop. */
const keepLooking = (context: RunContext, clock: LimitClock, give: (cause: EndCause) => void): (() => void) => {
  const { view, limits } = context;
  const silence = new SilenceWatch(context.source, () => context.streams.outputBytes());
  const leavers = new JobLeavers();
  let pauseMs = firstLookMs;
  let noted = '';
  let timer: NodeJS.Timeout;
  const look = (): void => {
    try {
      const members = view.look();
      const note = view.note(members);
      const text = JSON.stringify(note);
      if (text !== noted) context.notes.members(note);
      noted = text;
      for (const line of leavers.look(members)) {
        context.warn(warned(line));
        context.notes.signals({ at: new Date().toISOString(), seen: inEnglish(line) });
      }
      if (hasMetMemory(context)) give({ name: 'memory' });
      if (clock.asksForSilence(limits)) clock.setSilent(silence.observe(members));
    } catch (error) {
      context.warn(say('the processes of this run could not be looked at: {why}', { why: String(error) }));
    }
    pauseMs = Math.min(lastLookMs, pauseMs * 2);
    timer = setTimeout(look, pauseMs);
  };
  timer = setTimeout(look, firstLookMs);
  return () => clearTimeout(timer);
};

const endingOrder = (cause: EndCause, limits: RunLimits): EndingOrder => ({
  cause: cause.name,
  signal: cause.name === 'signal' ? cause.signal : limits.signal,
  graceSeconds: limits.graceSeconds,
});

const recorded = (cause: EndCause, end: CommandEnd | null, result: EndingResult | null): RunEnding => {
  const outcome = result === null || result.outcome === 'vanished' ? null : result.outcome;
  return {
    at: new Date().toISOString(),
    cause: cause.name,
    signal: cause.name === 'signal' ? cause.signal : null,
    status: runStatus(cause.name, end),
    exitCode: recordedStatus(cause.name, end, outcome),
    observed: end !== null,
    outcome,
    survivors: [...(result?.survivors ?? [])],
    spared: (result?.spared ?? []).map(recordedSparing),
  };
};

const failedStart = (errno: string): RunOutcome => {
  const end: CommandEnd = { kind: 'exited', code: statusOfFailedStart(errno) };
  return { ending: recorded({ name: 'not-started' }, end, null), failure: errno, passOn: null };
};

/** The request to end came before the command started. */
const neverStarted = (signal: FirstSignalName): RunOutcome => {
  const end: CommandEnd = { kind: 'signalled', signal: constants.signals[`SIG${signal}`] };
  return { ending: { ...recorded({ name: 'not-started' }, end, null), signal }, failure: null, passOn: null };
};

/**
 * Starts the command of a run, waits for its end or a reason to end it, and ends its members.
 * Returns when no member is left that can be ended.
 * @throws what the process source throws; the command may still run then
 */
export const supervise = async (context: RunContext): Promise<RunOutcome> => {
  const { view, source, launcher, terminal, limits, streams } = context;
  const reasons = new Reasons();
  const clock = new LimitClock(limits, (name) => reasons.give({ name }), context.keptUntilSeconds);
  const started: Started = { pid: 0 as Pid, end: null };
  const heard = new Set<number>();
  const endsAgain = new SecondSignal();
  context.signals.listen((signal) => {
    if (isTheTerminals(context, signal)) heard.add(constants.signals[`SIG${signal}`]);
    else {
      endsAgain.note(signal);
      reasons.give({ name: 'signal', signal });
    }
  });
  if (context.signals.early !== null) {
    streams.closeOurs();
    return neverStarted(context.signals.early);
  }
  const resume = (): void => {
    const row = source.read(started.pid);
    const handle =
      row === null ? null : context.signaller.open({ bootId: source.bootId, pid: row.pid, startTicks: row.startTicks });
    if (handle !== null && handle.sendToGroup('CONT') !== 'sent') handle.send('CONT');
    handle?.close();
  };
  const start = startCommand(context, {
    onEnd: (end) => {
      started.end = end;
      reasons.commandEnded();
      reasons.give({ name: hasMetMemory(context) ? 'memory' : 'command' });
    },
    onStop: (signal) => {
      if (terminal === null || (context.placement !== 'terminal' && context.placement !== 'group')) return;
      passStopOn({ terminal, group: started.pid, signal, resume, wantsTerminal: wantsTerminal.has(signal) });
    },
  });
  streams.closeOurs();
  if (!start.ok) return failedStart(start.errno);
  started.pid = start.pid;
  if (context.placement === 'terminal' && terminal !== null) terminal.give(start.pid);
  const row = source.read(start.pid);
  if (row !== null) view.remember(row.pid, row.startTicks);
  view.sparer.startedIn(context.ownSession ?? start.pid, row);
  context.notes.started(start.pid, row?.startTicks ?? null);
  clock.start();
  const copies = watchOutput(context, () => clock.setIdle());
  const stopLooking = keepLooking(context, clock, reasons.give);
  // The command may have ended before a listener was there.
  launcher.waitForChildren();
  const cause = await reasons.first;
  stopLooking();
  clock.stop();
  const result = await endMembers(
    {
      view,
      signaller: context.signaller,
      enclosure: context.enclosure,
      ...(context.ask === undefined ? {} : { ask: context.ask }),
      launcher,
      note: (line) => context.notes.signals(line),
      hurried: () => endsAgain.hurried,
      incident: context.incident(cause.name),
    },
    endingOrder(cause, limits),
  );
  launcher.waitForChildren();
  // Without a subreaper Node reaps the command and reports its end a turn later.
  if (result.survivors.length === 0) await withTimeout(reasons.ended, maxEndedWaitMs);
  const anyLeft = result.survivors.length + result.spared.length > 0;
  await streams.drain(copies, cause.name === 'command' && !anyLeft ? null : maxDrainMs);
  terminalBack(context, start.pid);
  const { end } = started;
  if (cause.name === 'command' && end?.kind === 'signalled') await untilHeard(context, heard, end.signal);
  const toPassOn = cause.name === 'command' && end?.kind === 'signalled' && heard.has(end.signal) ? end.signal : null;
  const ending = { ...recorded(cause, end, result), ...(context.met === null ? {} : { met: context.met() }) };
  return { ending, failure: null, passOn: toPassOn };
};
