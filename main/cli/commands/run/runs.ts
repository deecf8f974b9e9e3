import { words, worded } from '../../common/words.ts';
import { byKey } from '../../../../app/format/said.ts';
import { saidOf, type Form } from '../../../../app/text/say.ts';
import { homedir } from 'node:os';
import { formatAge } from '../../../../app/format/age.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import { endAbandonedRuns } from '../../../run/abandoned/abandoned.ts';
import { openAbandonedTools } from '../../../run/abandoned/abandoned-tools.ts';
import type { RunRecord } from '../../../run/record/record.ts';
import { statusWords } from '../../../run/record/run-status.ts';
import { readRuns, RunFolder } from '../../../run/record/run-folder.ts';
import { type Places, placesHere } from '../../../store/places.ts';
import { column, fit } from '../../common/table.ts';
import { type ExitStatus, wrongCall, exitStatus } from '../../common/exit-status.ts';
import { type Output, paint, writeJson } from '../../common/output.ts';
import { sparedLines } from './run-words.ts';

/** Ends abandoned runs, as every start of Curfew does, and warns of those that can't be ended. */
export const endWhatWasAbandoned = async (places: Places, output: Output): Promise<void> => {
  const ended = await endAbandonedRuns(openAbandonedTools(places, output.warn), (id, error) =>
    output.warn(worded("curfew: run {id} was abandoned and can't be ended: {why}", { id, why: saidOf(error) })),
  );
  for (const { record } of ended)
    for (const line of sparedLines(record))
      output.warn(worded('curfew: run {id}: {what}', { id: record.id, what: line }));
};

/**
 * Returns the run with this id, or the only one whose id begins with it.
 * @throws WrongCall
 */
export const runWithId = (runs: string, id: string): RunRecord => {
  const found = readRuns(runs).filter((record) => id !== '' && record.id.startsWith(id));
  const exact = found.find((record) => record.id === id);
  const [only, ...others] = found;
  if (exact !== undefined) return exact;
  if (only !== undefined && others.length === 0) return only;
  throw wrongCall(
    others.length > 0 ? 'several runs begin with {id}; give more of it' : 'no run {id}; run `curfew runs` to list runs',
    { id: JSON.stringify(id) },
  );
};

const state = (record: RunRecord): string => {
  const { end } = record;
  if (end === null) return worded('running');
  return statusWords(end.exitCode) === null ? worded('exit {code}', { code: end.exitCode }) : worded('failed');
};

const seconds = (record: RunRecord): number =>
  ((record.end === null ? Date.now() : Date.parse(record.end.at)) - Date.parse(record.startedAt)) / 1000;

const why: Readonly<Partial<Record<NonNullable<RunRecord['end']>['cause'], Form>>> = {
  'max-elapsed': 'its limit',
  'hard-cap': 'its hard cap',
  idle: 'idle after its result',
  signal: 'terminated',
  memory: 'its bound of memory',
  abandoned: 'its supervisor was killed',
};

const whyOf = ({ cause, exitCode }: NonNullable<RunRecord['end']>): string | null => {
  const form = why[cause];
  return form === undefined ? statusWords(exitCode) : words(byKey(form));
};

const lineOf = (record: RunRecord, output: Output): string => {
  const left = [column(record.id, 10), column(state(record), 9), column(formatAge(seconds(record)), 11)].join('  ');
  const because = record.end === null ? undefined : whyOf(record.end);
  const name = record.name === null ? '' : `${visibleText(record.name)}: `;
  const text = `${name}${visibleText(record.command)}${because === undefined || because === null ? '' : ` (${because})`}`;
  const width = Math.min(output.columns, 100);
  const painted = record.end === null ? paint(output, 'green', left) : paint(output, 'dim', left);
  return `${painted}  ${fit(text, Math.max(12, width - 36))}`;
};

/** `curfew runs`: those of `run --background`, oldest first; `all`: foreground runs too. */
export const runs = async (
  options: { readonly json: boolean; readonly all: boolean; readonly workspace: string | null },
  output: Output,
): Promise<ExitStatus> => {
  const places = placesHere(homedir());
  const folder = places.runs;
  await endWhatWasAbandoned(places, output);
  const records = readRuns(folder).filter(
    (record) =>
      (options.all || record.background) && (options.workspace === null || record.workspace === options.workspace),
  );
  if (options.json) {
    const document = records.map((record) => ({
      ...record,
      dir: new RunFolder(folder, record.id).path,
      pid: record.root?.pid ?? null,
      status: record.end === null ? 'running' : 'ended',
      exitCode: record.end?.exitCode ?? null,
    }));
    await writeJson(output, { schema: 1, runs: document });
  } else if (records.length === 0)
    await output.write(`${worded('Nothing was started with `curfew run --background`.')}\n`);
  else {
    const head = [
      column(worded('RUN'), 10),
      column(worded('STATE'), 9),
      column(worded('FOR'), 11),
      worded('COMMAND'),
    ].join('  ');
    await output.write(
      `${[paint(output, 'dim', head), ...records.map((record) => lineOf(record, output))].join('\n')}\n`,
    );
  }
  return exitStatus.done;
};
