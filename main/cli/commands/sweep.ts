import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { environmentNames, signatureOf } from '../../../app/agents/signatures.ts';
import { formatAge } from '../../../app/format/age.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { counted } from '../../../app/text/figures.ts';
import { heapNames, saySweepReason, staleKindNames } from '../../../app/text/sweep.ts';
import { withEngine } from '../../engine/engine.ts';
import { foldersOf, totalOf, type FolderOfFiles } from '../../sweep/pile-ups.ts';
import type { Heap } from '../../sweep/heaps.ts';
import type { Found, SweepPlan, SweepResult } from '../../sweep/sweep.ts';
import { carryOutSweep, planSweep } from '../../sweep/sweep.ts';
import { agrees } from '../common/agrees.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { paint, writeJson } from '../common/output.ts';

/** Options of `curfew sweep`. */
export interface SweepOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

const sizeOf = (files: readonly Found[]): string => {
  const { bytes, bytesInMemory } = totalOf(files);
  return `${formatBytes(bytes)}${bytesInMemory === 0 ? '' : `, ${formatBytes(bytesInMemory)} of it in memory`}`;
};

/** Returns the lines of a file, or of all files of one folder that share a reason. */
const folderLines = ({ path, first, files }: FolderOfFiles, plan: SweepPlan): string => {
  const { decision, inMemory } = first;
  const kind = staleKindNames[decision.candidate.kind];
  const why = saySweepReason(decision, plan.nowMs);
  if (files.length > 1) {
    const size = `${counted(files.length, kind)}, ${sizeOf(files)}`;
    return `  ${visibleText(path)}/\n      ${size}: ${why}`;
  }
  const size = `${formatBytes(first.file.bytes)}${inMemory ? ' in memory' : ''}`;
  return `  ${visibleText(first.file.path)}\n      ${kind}, ${size}: ${why}`;
};

const ofAction = (plan: SweepPlan, action: 'delete' | 'report' | 'keep'): readonly Found[] =>
  plan.found.filter(({ decision }) => decision.action === action);

const agentNameOf = (agent: AgentId): string => signatureOf(agent).name;

const heapLine = (heap: Heap, nowMs: number): string => {
  const { agent, kind, path, bytes, files, changedMs, complete } = heap;
  const size = `${complete ? '' : 'at least '}${formatBytes(bytes)} in ${counted(files, 'file')}`;
  const age = `last changed ${formatAge((nowMs - changedMs) / 1000)} ago`;
  return `  ${visibleText(path)}\n      ${heapNames[kind]} of ${agentNameOf(agent)}: ${size}, ${age}`;
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
      ? ['Nothing to delete.']
      : [
          deletes ? 'Are deleted:' : 'Would be deleted:',
          ...lines(deleted),
          `Together ${counted(deleted.length, 'file')}, ${sizeOf(deleted)}.`,
        ]),
    ...section('Kept for 30 days, because a resumed session may read them again:', lines(resumable)),
    ...section('Left to the agent that made them:', lines(left)),
    ...section(
      'Also take up space, and are never deleted by Curfew:',
      plan.heaps.map((heap) => heapLine(heap, plan.nowMs)),
    ),
    ...(kept === 0
      ? []
      : [
          paint(
            output,
            'dim',
            `${counted(kept, 'other file')} of these forms may be in use or ${kept === 1 ? 'is' : 'are'} too young.`,
          ),
        ]),
    ...plan.passedOver.map((why) => paint(output, 'dim', `Not looked into: ${visibleText(why)}.`)),
  ];
};

const problems: Readonly<Record<Exclude<SweepResult['kind'], 'deleted' | 'failed'>, string>> = {
  changed: 'another file lies there by now',
  'in-use-again': 'it is in use by now',
};

const problemOf = (result: SweepResult): string | null =>
  result.kind === 'deleted' ? null : result.kind === 'failed' ? result.why : problems[result.kind];

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
      problem: result === undefined ? null : problemOf(result),
    };
  }),
  heaps: plan.heaps.map(({ changedMs, ...heap }) => ({ ...heap, changedAt: new Date(changedMs).toISOString() })),
  passedOver: plan.passedOver,
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
    return agrees(`Delete ${counted(due.length, 'file')} (${sizeOf(due)})? [y/N] `);
  output.warn('curfew: nothing was deleted; `curfew sweep --yes` deletes without asking');
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
        engine.log.warn('not swept', { ...fields, problem });
        output.warn(`curfew: ${visibleText(found.file.path)} was left alone: ${problem}`);
      }
    }
    const results = new Map(done.map(({ found, result }) => [found.file.path, result]));
    if (options.json) await writeJson(output, documentOf(plan, results, options.dryRun || !options.yes));
    else if (done.length > 0) {
      const deleted = done.filter(({ result }) => result.kind === 'deleted').map(({ found }) => found);
      await output.write(`Deleted ${counted(deleted.length, 'file')}, ${sizeOf(deleted)}.\n`);
    }
    return done.some(({ result }) => result.kind === 'failed') ? exitStatus.notDone : exitStatus.done;
  });
};
