import { homedir } from 'node:os';
import { inEnglish } from '../../../../app/text/say.ts';
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
import { exitStatus, NotDone, WrongCall } from '../../common/exit-status.ts';
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
  for (const notice of loaded.notices) output.warn(`curfew: ${notice.text}`);
  try {
    const limits = limitsFor(request, loaded.settings, background);
    if (request.maxElapsedSeconds !== null && request.maxElapsedSeconds > limits.hardCapSeconds)
      output.warn(
        `curfew: --max-elapsed ${formatLimit(request.maxElapsedSeconds)} is more than the hard cap, which ends the command after ${formatLimit(limits.hardCapSeconds)} (--hard-cap sets another)`,
      );
    return limits;
  } catch (error) {
    if (error instanceof LimitRefused) throw new WrongCall(error.message, { cause: error });
    throw error;
  }
};

const option = (name: string, value: string | number | null): readonly string[] =>
  value === null ? [] : [`--${name}=${value}`];

/**
 * Returns the command line of the background supervisor, with everything decided, so that both
 * processes agree.
 */
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

const causeTexts: Readonly<Record<string, (record: RunRecord) => string>> = {
  'max-elapsed': ({ limits }) => `ended after its limit of ${formatLimit(limits.maxElapsedSeconds ?? 0)}`,
  'hard-cap': ({ limits }) => `ended at its hard cap of ${formatLimit(limits.hardCapSeconds)}`,
  idle: ({ limits }) =>
    `ended because it was still there ${formatLimit(limits.idleGraceSeconds)} after its output fitted --idle-after`,
};

const tellEnd = (record: RunRecord, output: Output): void => {
  const { end } = record;
  if (end === null) return;
  for (const line of boundLines(record)) output.warn(`curfew: ${line}`);
  const text = causeTexts[end.cause];
  if (text !== undefined) output.warn(`curfew: ${text(record)}: ${visibleText(record.command)}`);
  for (const pid of end.survivors) output.warn(`curfew: process ${pid} could not be ended`);
  for (const line of sparedLines(record)) output.warn(`curfew: ${line}`);
};

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

/**
 * Ends this process with any status after its output is written, leaving the terminal as the
 * command left it.
 */
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
    if (error instanceof NotContained) throw new NotDone(`run: ${error.message}`, { cause: error });
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
      'curfew: --idle-after looks at the output through a pipe, so the command sees no terminal there and may leave out colours and progress; input and keys are as ever',
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

/**
 * Runs the process that outlives the terminal. Its output after the report is discarded, so
 * everything important is in the record.
 */
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
      text: lockedText(result.attempt, request.lock ?? ''),
      status: exitStatus.notDone,
    });
  else if (result.record.end?.cause === 'not-started') {
    const { failure } = result.outcome;
    await report({
      kind: 'refused',
      text: failure === null ? 'it got a signal to end before it started' : failedText(request.command[0], failure),
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
    output.warn(`curfew: \`curfew logs -f ${report.id}\` shows its output, \`curfew terminate ${report.id}\` ends it`);
  return exitStatus.done;
};

const checkExpression = (text: string | null): void => {
  if (text === null) return;
  const result = compilePattern(text);
  if (result.ok) return;
  throw new WrongCall(
    `--idle-after: the pattern ${JSON.stringify(text)} ${inEnglish(sayPatternProblem(result.problem))}`,
  );
};

/**
 * `curfew run`: a command under supervision, with its own exit status (124 after a limit, 128 + n
 * after signal n).
 * @throws WrongCall, and NotDone when the lock is held
 */
export const run = async (call: RunCall, command: readonly string[], output: Output): Promise<number> => {
  const [program, ...rest] = command;
  if (program === undefined) throw new WrongCall('run: a command is missing; `curfew run [options] -- CMD…`');
  checkExpression(call.idleAfter);
  if (call.idleGraceSeconds !== null && call.idleAfter === null)
    throw new WrongCall('--idle-grace: means nothing without --idle-after');
  const request: RunRequest = { ...call, command: [program, ...rest] };
  if (call.supervise !== null) {
    if (!runIdPattern.test(call.supervise)) throw new WrongCall('--supervise: is for Curfew itself');
    return asSupervisor(asRunId(call.supervise), request, output);
  }
  return call.background ? inBackground(request, call, output) : inForeground(request, call, output);
};
