import { type Said, withTexts } from '../../../app/format/said.ts';
import { words, worded } from '../common/words.ts';
import { sized, several } from '../../../app/text/form.ts';
import { say, inEnglish, type Form } from '../../../app/text/say.ts';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { environmentNames, signatureOf } from '../../../app/agents/signatures.ts';
import { formatAge } from '../../../app/format/age.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { sweepReasonSaid, staleFilesSaid, heapNames, saySweepReason } from '../../../app/text/sweep.ts';
import { withEngine } from '../../engine/engine.ts';
import { foldersOf, totalOf, type FolderOfFiles } from '../../sweep/pile-ups.ts';
import type { Heap } from '../../sweep/heaps.ts';
import { type Found, type SweepPlan, type SweepResult, carryOutSweep, planSweep } from '../../sweep/sweep.ts';
import { agrees } from '../common/agrees.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { type Output, paint, writeJson } from '../common/output.ts';

/** Options of `curfew sweep`. */
export interface SweepOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

const sizeOf = (files: readonly Found[]): Said => {
  const { bytes, bytesInMemory } = totalOf(files);
  return bytesInMemory === 0
    ? sized(bytes)
    : say('{size}, {memory} of it in memory', { size: sized(bytes), memory: sized(bytesInMemory) });
};

/** Returns the lines of a file, or of all files of one folder that share a reason. */
const folderLines = ({ path, first, files }: FolderOfFiles, plan: SweepPlan): string => {
  const { decision, inMemory } = first;
  const kind = words(staleFilesSaid(decision.candidate.kind, files.length));
  const why = words(sweepReasonSaid(decision, plan.nowMs));
  if (files.length > 1) return `  ${visibleText(path)}/\n      ${kind}, ${words(sizeOf(files))}: ${why}`;
  const bytes = sized(first.file.bytes);
  const size = words(inMemory ? say('{size} in memory', { size: bytes }) : bytes);
  return `  ${visibleText(first.file.path)}\n      ${kind}, ${size}: ${why}`;
};

const ofAction = (plan: SweepPlan, action: 'delete' | 'report' | 'keep'): readonly Found[] =>
  plan.found.filter(({ decision }) => decision.action === action);

const agentNameOf = (agent: AgentId): string => signatureOf(agent).name;

const heapLine = (heap: Heap, nowMs: number): string => {
  const { agent, kind, path, bytes, files, changedMs, complete } = heap;
  const said = worded('{kind} of {agent}: {size} in {files}, last changed {age} ago', {
    kind: say(heapNames[kind]),
    agent: agentNameOf(agent),
    size: complete ? sized(bytes) : say('at least {size}', { size: sized(bytes) }),
    files: several(files, 'file'),
    age: formatAge((nowMs - changedMs) / 1000),
  });
  return `  ${visibleText(path)}\n      ${said}`;
};

const section = (head: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [head, ...lines];

/** Returns the lines about what was found, before anything is deleted. */
const planLines = (plan: SweepPlan, deletes: boolean, output: Output): readonly string[] => {
  const deleted = ofAction(plan, 'delete');
  const [resumable, left] = [
    ofAction(plan, 'report').filter(({ decision }) => decision.reason === 'resumable'),
    ofAction(plan, 'report').filter(({ decision }) => decision.reason !== 'resumable'),
  ];
  const kept = ofAction(plan, 'keep').length;
  const lines = (files: readonly Found[]): readonly string[] => foldersOf(files).map((one) => folderLines(one, plan));
  return [
    ...(deleted.length === 0
      ? [worded('Nothing to delete.')]
      : [
          worded(deletes ? 'Are deleted:' : 'Would be deleted:'),
          ...lines(deleted),
          worded('Together {files}, {size}.', { files: several(deleted.length, 'file'), size: sizeOf(deleted) }),
        ]),
    ...section(worded('Kept for 30 days, because a resumed session may read them again:'), lines(resumable)),
    ...section(worded('Left to the agent that made them:'), lines(left)),
    ...section(
      worded('Also take up space, and are never deleted by Curfew:'),
      plan.heaps.map((heap) => heapLine(heap, plan.nowMs)),
    ),
    ...(kept === 0
      ? []
      : [
          paint(
            output,
            'dim',
            worded(
              kept === 1
                ? '{count} other file of these forms may be in use or is too young.'
                : '{count} other files of these forms may be in use or are too young.',
              { count: kept },
            ),
          ),
        ]),
    ...plan.passedOver.map((why) =>
      paint(output, 'dim', worded('Not looked into: {why}.', { why: withTexts(why, visibleText) })),
    ),
  ];
};

const problems = {
  changed: 'another file lies there by now',
  'in-use-again': 'it is in use by now',
} as const satisfies Readonly<Record<Exclude<SweepResult['kind'], 'deleted' | 'failed'>, Form>>;

const problemOf = (result: SweepResult): Said | null =>
  result.kind === 'deleted' ? null : result.kind === 'failed' ? result.why : say(problems[result.kind]);

const problemInEnglish = (result: SweepResult): string | null => {
  const problem = problemOf(result);
  return problem === null ? null : inEnglish(problem);
};

const documentOf = (plan: SweepPlan, results: ReadonlyMap<string, SweepResult>, dryRun: boolean) => ({
  schema: 1,
  host: 'local',
  dryRun,
  files: plan.found.map(({ file, agent, inMemory, decision }) => {
    const result = results.get(file.path);
    return {
      kind: decision.candidate.kind,
      agent,
      path: file.path,
      bytes: file.bytes,
      inMemory,
      changedAt: new Date(file.changedMs).toISOString(),
      action: decision.action,
      reason: decision.reason,
      text: saySweepReason(decision, plan.nowMs),
      deleted: result?.kind === 'deleted',
      problem: result === undefined ? null : problemInEnglish(result),
    };
  }),
  heaps: plan.heaps.map(({ changedMs, ...heap }) => ({ ...heap, changedAt: new Date(changedMs).toISOString() })),
  passedOver: plan.passedOver.map(inEnglish),
});

/** Returns what the caller's environment says about agents, and nothing else of it. */
const ownEnvironment = (): MarkerEnvironment =>
  Object.fromEntries(
    [...environmentNames].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Whether the found files are to be deleted: by option, or asked for on a terminal. */
const isConfirmed = async (options: SweepOptions, due: readonly Found[], output: Output): Promise<boolean> => {
  if (options.dryRun || due.length === 0) return false;
  if (options.yes) return true;
  if (!options.json && output.isTerminal && process.stdin.isTTY)
    return agrees(worded('Delete {files} ({size})? [y/N] ', { files: several(due.length, 'file'), size: sizeOf(due) }));
  output.warn(worded('curfew: nothing was deleted; `curfew sweep --yes` deletes without asking'));
  return false;
};

/**
 * `curfew sweep`: lists what dead sessions left in files, and deletes it with `--yes` or after the
 * user has agreed on the terminal. Status 1 when something could not be deleted.
 */
export const sweep = async (options: SweepOptions, output: Output): Promise<ExitStatus> => {
  return withEngine({ uid: null, warn: output.warn }, async (engine) => {
    await engine.source.refresh?.();
    const caller = ownEnvironment();
    const plan = planSweep(engine, caller);
    const due = ofAction(plan, 'delete');
    const deletesAnyway = options.yes && !options.dryRun;
    if (!options.json) await output.write(`${planLines(plan, deletesAnyway, output).join('\n')}\n`);
    const confirmed = await isConfirmed(options, due, output);
    await engine.source.refresh?.();
    const done = confirmed ? carryOutSweep(engine, plan, caller) : [];
    for (const { found, result } of done) {
      const fields = { path: found.file.path, kind: found.decision.candidate.kind, reason: found.decision.reason };
      const problem = problemOf(result);
      if (problem === null) engine.log.info('swept', fields);
      else {
        engine.log.warn('not swept', { ...fields, problem: inEnglish(problem) });
        output.warn(
          worded('curfew: {path} was left alone: {why}', { path: visibleText(found.file.path), why: problem }),
        );
      }
    }
    const results = new Map(done.map(({ found, result }) => [found.file.path, result]));
    if (options.json) await writeJson(output, documentOf(plan, results, options.dryRun || !options.yes));
    else if (done.length > 0) {
      const deleted = done.filter(({ result }) => result.kind === 'deleted').map(({ found }) => found);
      const said = worded('Deleted {files}, {size}.', {
        files: several(deleted.length, 'file'),
        size: sizeOf(deleted),
      });
      await output.write(`${said}\n`);
    }
    return done.some(({ result }) => result.kind === 'failed') ? exitStatus.notDone : exitStatus.done;
  });
};
