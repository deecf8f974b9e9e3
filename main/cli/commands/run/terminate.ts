import { worded } from '../../common/words.ts';
import { homedir } from 'node:os';
import { placesHere } from '../../../store/places.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import { openAbandonedTools } from '../../../run/abandoned/abandoned-tools.ts';
import type { RunRecord } from '../../../run/record/record.ts';
import { readRuns } from '../../../run/record/run-folder.ts';
import { terminateRun, type Termination } from '../../../run/abandoned/terminate.ts';
import { type ExitStatus, wrongCall, exitStatus } from '../../common/exit-status.ts';
import { type Output, writeJson } from '../../common/output.ts';
import { sparedLines } from './run-words.ts';
import { runWithId } from './runs.ts';

const chosen = (runs: string, ids: readonly string[], workspace: string | null): readonly RunRecord[] => {
  if (ids.length === 0 && workspace === null) throw wrongCall('terminate: give the id of a run, or --workspace');
  const named = ids.map((id) => runWithId(runs, id));
  const inside =
    workspace === null ? [] : readRuns(runs).filter((record) => record.workspace === workspace && record.end === null);
  return [...new Map([...named, ...inside].map((record) => [record.id, record])).values()];
};

const left = ({ record }: Termination): readonly number[] => record.end?.survivors ?? [];

const sentence = (termination: Termination): string => {
  const { record } = termination;
  const what = `${record.id} ${visibleText(record.name ?? record.command)}`;
  if (termination.kind === 'unfinished') return worded('Not ended: {what}: {why}', { what, why: termination.why });
  if (left(termination).length > 0)
    return worded('Not ended: {what}: left are {pids}', { what, pids: left(termination).join(', ') });
  const wasOver = termination.kind === 'was-over';
  if (record.end === null) return worded(wasOver ? 'Had ended: {what}' : 'Ended: {what}', { what });
  return worded(wasOver ? 'Had ended: {what} (exit code {code})' : 'Ended: {what} (exit code {code})', {
    what,
    code: record.end.exitCode,
  });
};

/**
 * `curfew terminate ID…` and `--workspace W`: ends runs with all their processes. Status 1 when a
 * process survives.
 * @throws WrongCall for an unknown run
 */
export const terminate = async (
  ids: readonly string[],
  options: { readonly json: boolean; readonly workspace: string | null },
  output: Output,
): Promise<ExitStatus> => {
  const places = placesHere(homedir());
  const { runs } = places;
  const records = chosen(runs, ids, options.workspace);
  const tools = openAbandonedTools(places, output.warn);
  const done = await Promise.all(records.map((record) => terminateRun(record, tools)));
  if (options.json)
    await writeJson(output, {
      schema: 1,
      runs: done.map((one) => ({
        id: one.record.id,
        name: one.record.name,
        result: left(one).length > 0 ? 'survived' : one.kind,
        exitCode: one.record.end?.exitCode ?? null,
        survivors: left(one),
        spared: one.record.end?.spared ?? [],
      })),
    });
  else {
    for (const { kind, record } of done)
      if (kind === 'ended') for (const line of sparedLines(record)) output.warn(`curfew: ${line}`);
    await output.write(done.length === 0 ? `${worded('Nothing runs there.')}\n` : `${done.map(sentence).join('\n')}\n`);
  }
  return done.every((one) => one.kind !== 'unfinished' && left(one).length === 0)
    ? exitStatus.done
    : exitStatus.notDone;
};
