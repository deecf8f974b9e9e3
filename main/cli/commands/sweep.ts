import { saySweepReason, staleKindNames } from '../../../app/text/sweep.ts';
import { counted } from '../../../app/text/figures.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { openEngine } from '../../engine/engine.ts';
import type { SweepPlan, SweepResult } from '../../sweep/sweep.ts';
import { carryOutSweep, planSweep } from '../../sweep/sweep.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { paint, writeJson } from '../common/output.ts';

/** Options of `curfew sweep`. */
export interface SweepOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
}

type Found = SweepPlan['found'][number];

const line = ({ file, decision }: Found, plan: SweepPlan): string =>
  `  ${visibleText(file.path)}\n      ${staleKindNames[decision.candidate.kind]}: ${saySweepReason(decision, plan.nowMs)}`;

const ofAction = (plan: SweepPlan, action: 'delete' | 'report' | 'keep'): readonly Found[] =>
  plan.found.filter(({ decision }) => decision.action === action);

/** Returns the lines about what was found, before anything is deleted. */
const planLines = (plan: SweepPlan, { dryRun }: SweepOptions, output: Output): readonly string[] => {
  const deleted = ofAction(plan, 'delete');
  const reported = ofAction(plan, 'report');
  const kept = ofAction(plan, 'keep').length;
  const head = dryRun ? 'Would be deleted:' : 'Are deleted:';
  return [
    ...(deleted.length === 0 ? ['Nothing to delete.'] : [head, ...deleted.map((one) => line(one, plan))]),
    ...(reported.length === 0 ? [] : ['Left to the agent that made them:', ...reported.map((one) => line(one, plan))]),
    ...(kept === 0
      ? []
      : [
          paint(
            output,
            'dim',
            `${counted(kept, 'other file')} of these forms may be in use or ${kept === 1 ? 'is' : 'are'} too young.`,
          ),
        ]),
    ...plan.passedOver.map((why) => paint(output, 'dim', `Not looked into: ${why}.`)),
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
  files: plan.found.map(({ file, decision }) => {
    const result = results.get(file.path);
    return {
      kind: decision.candidate.kind,
      path: file.path,
      bytes: file.bytes,
      changedAt: new Date(file.changedMs).toISOString(),
      action: decision.action,
      reason: decision.reason,
      text: saySweepReason(decision, plan.nowMs),
      deleted: result?.kind === 'deleted',
      problem: result === undefined ? null : problemOf(result),
    };
  }),
  passedOver: plan.passedOver,
});

/**
 * `curfew sweep`: lists what dead sessions left in files, and deletes it unless it is a dry run.
 * Status 1 when something could not be deleted.
 */
export const sweep = async (options: SweepOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({ uid: null, warn: output.warn });
  try {
    await engine.source.refresh?.();
    const configured = process.env['CLAUDE_CONFIG_DIR'] ?? null;
    const plan = planSweep(engine, configured);
    if (!options.json) await output.write(`${planLines(plan, options, output).join('\n')}\n`);
    await engine.source.refresh?.();
    const done = options.dryRun ? [] : carryOutSweep(engine, plan, configured);
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
    if (options.json) await writeJson(output, documentOf(plan, results, options.dryRun));
    return done.some(({ result }) => result.kind === 'failed') ? exitStatus.notDone : exitStatus.done;
  } finally {
    engine.close();
  }
};
