import { words, worded } from '../../common/words.ts';
import { say, saidOf } from '../../../../app/text/say.ts';
import { homedir } from 'node:os';
import { compilePattern } from '../../../../app/format/pattern.ts';
import { formatLimit } from '../../../../app/format/age.ts';
import { sayPatternProblem } from '../../../../app/text/settings/pattern-problem.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import { endBySignal, exitWithoutReset } from '../../../os/containment/terminal.ts';
import { startSupervisor, type StartReport } from '../../../run/background.ts';
import { executeRun, type ExecuteOptions, type RunResult } from '../../../run/execute.ts';
import { NotContained } from '../../../run/members/containment.ts';
import type { RunRecord } from '../../../run/record/record.ts';
import { LimitRefused, limitsFor, type RunRequest } from '../../../run/request.ts';
import { RunFolder, newRunId } from '../../../run/record/run-folder.ts';
import { asRunId, runIdPattern, type RunId } from '../../../../app/process/identity.ts';
import { withTimeout } from '../../../run/terminal/follow.ts';
import { placesHere, type Places } from '../../../store/places.ts';
import { userSettings } from '../../../store/settings/settings-file.ts';
import { wrongCall, exitStatus, NotDone, WrongCall } from '../../common/exit-status.ts';
import { type Output, writeJson, writeJsonLine } from '../../common/output.ts';
import { boundLines, failedText, lockedText, sparedLines } from './run-words.ts';

/** The arguments of `curfew run`. */
export interface RunCall extends Omit<RunRequest, 'command'> {
  readonly json: boolean;
  readonly background: boolean;
  /** Set by Curfew itself: this process is the supervisor of the background run with this id. */
  readonly supervise: string | null;
}

const readLimits = (request: RunRequest, background: boolean, places: Places, output: Output): RunRecord['limits'] => {
  const file = userSettings(places);
  const loaded = file.load();
  for (const notice of loaded.notices) output.warn(`curfew: ${words(notice.said)}`);
  try {
    const limits = limitsFor(request, loaded.settings, background);
    if (request.maxElapsedSeconds !== null && request.maxElapsedSeconds > limits.hardCapSeconds)
      output.warn(
        worded(
          'curfew: --max-elapsed {length} is more than the hard cap, which ends the command after {cap} (--hard-cap sets another)',
          { length: formatLimit(request.maxElapsedSeconds), cap: formatLimit(limits.hardCapSeconds) },
        ),
      );
    return limits;
  } catch (error) {
    if (error instanceof LimitRefused) throw new WrongCall(saidOf(error), { cause: error });
    throw error;
  }
};

const option = (name: string, value: string | number | null): readonly string[] =>
  value === null ? [] : [`--${name}=${value}`];

/** Returns the background supervisor's command line, all decided, so that both agree. */
const supervisorArguments = (id: RunId, request: RunRequest): readonly string[] => [
  'run',
  `--supervise=${id}`,
  ...option('max-elapsed', request.maxElapsedSeconds),
  ...option('hard-cap', request.hardCapSeconds),
  ...option('signal', request.signal),
  ...option('grace', request.graceSeconds),
  ...option('idle-after', request.idleAfter),
  ...option('idle-grace', request.idleGraceSeconds),
  ...option('memory', request.memoryBytes === null ? null : `${request.memoryBytes}`),
  ...option('tasks', request.tasks),
  ...option('lock', request.lock),
  ...option('name', request.name),
  ...option('workspace', request.workspace),
  ...(request.strict ? ['--strict'] : []),
  '--',
  ...request.command,
];

const causes: Readonly<
  Record<
    string,
    readonly [
      (
        | 'curfew: ended after its limit of {age}: {command}'
        | 'curfew: ended at its hard cap of {age}: {command}'
        | 'curfew: ended because it was still there {age} after its output fitted --idle-after: {command}'
      ),
      (limits: RunRecord['limits']) => number | null,
    ]
  >
> = {
  'max-elapsed': ['curfew: ended after its limit of {age}: {command}', (limits) => limits.maxElapsedSeconds],
  'hard-cap': ['curfew: ended at its hard cap of {age}: {command}', (limits) => limits.hardCapSeconds],
  idle: [
    'curfew: ended because it was still there {age} after its output fitted --idle-after: {command}',
    (limits) => limits.idleGraceSeconds,
  ],
};

const tellEnd = (record: RunRecord, output: Output): void => {
  const { end } = record;
  if (end === null) return;
  for (const line of boundLines(record)) output.warn(`curfew: ${line}`);
  const cause = causes[end.cause];
  if (cause !== undefined) {
    const [form, seconds] = cause;
    const age = formatLimit(seconds(record.limits) ?? 0);
    output.warn(worded(form, { age, command: visibleText(record.command) }));
  }
  for (const pid of end.survivors) output.warn(worded('curfew: process {pid} could not be ended', { pid }));
  for (const line of sparedLines(record)) output.warn(`curfew: ${line}`);
};

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

/** Ends this process once its output is written, with the terminal as the command left it. */
const leave = async (status: number, signal: number | null = null): Promise<number> => {
  await withTimeout(Promise.all([flushed(process.stderr), flushed(process.stdout)]), 1000);
  if (signal !== null) endBySignal(signal);
  exitWithoutReset(status);
  return status;
};

const execute = async (options: ExecuteOptions): Promise<RunResult> => {
  try {
    return await executeRun(options);
  } catch (error) {
    if (error instanceof NotContained) throw new NotDone(say('run: {why}', { why: saidOf(error) }), { cause: error });
    throw error;
  }
};

const inForeground = async (request: RunRequest, call: RunCall, output: Output): Promise<number> => {
  const places = placesHere(homedir());
  const limits = readLimits(request, false, places, output);
  // Watching the output takes a pipe; the input stays the terminal. Not mentioned with --json,
  // which expects no terminal.
  if (request.idleAfter !== null && !call.json && (process.stdout.isTTY || process.stderr.isTTY))
    output.warn(
      worded(
        'curfew: --idle-after looks at the output through a pipe, so the command sees no terminal there and may leave out colours and progress; input and keys are as ever',
      ),
    );
  const result = await execute({
    id: newRunId(),
    request,
    limits,
    places,
    background: false,
    outputToError: call.json,
    warn: output.warn,
    onStarted: () => undefined,
  });
  if (result.kind === 'locked') throw new NotDone(lockedText(result.attempt, request.lock ?? ''));
  const { record, outcome } = result;
  if (outcome.failure !== null) output.warn(`curfew: ${failedText(request.command[0], outcome.failure)}`);
  else tellEnd(record, output);
  if (call.json) await writeJson(output, { ...record, schema: 1 });
  return leave(outcome.ending.status, outcome.passOn);
};

/** Runs what outlives the terminal. Output after the report is lost; the record has it all. */
const asSupervisor = async (id: RunId, request: RunRequest, output: Output): Promise<number> => {
  const places = placesHere(homedir());
  const limits = readLimits(request, true, places, output);
  const report = (what: StartReport): Promise<void> => writeJsonLine(output, what);
  // The parent has read the report and closed its end.
  process.stdout.removeAllListeners('error').on('error', () => undefined);
  process.stderr.removeAllListeners('error').on('error', () => undefined);
  const result = await execute({
    id,
    request,
    limits,
    places,
    background: true,
    outputToError: false,
    warn: output.warn,
    onStarted: ({ root }) => void report({ kind: 'started', id, pid: root?.pid ?? process.pid }),
  });
  if (result.kind === 'locked')
    await report({
      kind: 'refused',
      text: words(lockedText(result.attempt, request.lock ?? '')),
      status: exitStatus.notDone,
    });
  else if (result.record.end?.cause === 'not-started') {
    const { failure } = result.outcome;
    await report({
      kind: 'refused',
      text:
        failure === null ? worded('it got a signal to end before it started') : failedText(request.command[0], failure),
      status: result.outcome.ending.status,
    });
    new RunFolder(places.runs, id).remove();
  }
  return leave(exitStatus.done);
};

const inBackground = async (request: RunRequest, call: RunCall, output: Output): Promise<number> => {
  const places = placesHere(homedir());
  // Checked here too, where the user sees the message.
  readLimits(request, true, places, output);
  const report = await startSupervisor(supervisorArguments(newRunId(), request));
  if (report.kind === 'refused') {
    output.warn(`curfew: ${report.text}`);
    return report.status;
  }
  const folder = new RunFolder(places.runs, asRunId(report.id));
  const record = folder.read();
  await writeJson(output, {
    schema: 1,
    id: report.id,
    pid: report.pid,
    dir: folder.path,
    name: record?.name ?? request.name,
    limits: record?.limits ?? null,
    inForce: record?.inForce ?? null,
  });
  if (!call.json && output.isTerminal)
    output.warn(
      worded('curfew: `curfew logs -f {id}` shows its output, `curfew terminate {id}` ends it', { id: report.id }),
    );
  return exitStatus.done;
};

const checkExpression = (text: string | null): void => {
  if (text === null) return;
  const result = compilePattern(text);
  if (result.ok) return;
  throw wrongCall('--idle-after: the pattern {pattern} {problem}', {
    pattern: JSON.stringify(text),
    problem: sayPatternProblem(result.problem),
  });
};

/**
 * `curfew run`: a command under supervision, with its own exit status (124 after a limit, 128 + n
 * after signal n).
 * @throws WrongCall, and NotDone when the lock is held
 */
export const run = async (call: RunCall, command: readonly string[], output: Output): Promise<number> => {
  const [program, ...rest] = command;
  if (program === undefined) throw wrongCall('run: a command is missing; `curfew run [options] -- CMD…`');
  checkExpression(call.idleAfter);
  if (call.idleGraceSeconds !== null && call.idleAfter === null)
    throw wrongCall('--idle-grace: means nothing without --idle-after');
  const request: RunRequest = { ...call, command: [program, ...rest] };
  if (call.supervise !== null) {
    if (!runIdPattern.test(call.supervise)) throw wrongCall('--supervise: is for Curfew itself');
    return asSupervisor(asRunId(call.supervise), request, output);
  }
  return call.background ? inBackground(request, call, output) : inForeground(request, call, output);
};
