import { resolve } from 'node:path';
import { type Said, withTexts } from '../../../app/format/said.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { words, worded } from '../common/words.ts';
import { listed, sized, several } from '../../../app/text/form.ts';
import { say, inEnglish } from '../../../app/text/say.ts';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { environmentNames, signatureOf } from '../../../app/agents/signatures.ts';
import { fileGroupView, lockView, removalView, worktreeView } from '../../../app/documents/files.ts';
import { formatAge } from '../../../app/format/age.ts';
import { moment } from '../../../app/format/moment.ts';
import type { Remover } from '../../../app/history/removal.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { lockSaid, sayLockReason } from '../../../app/text/abandoned/locks.ts';
import { sayWorktree } from '../../../app/text/abandoned/worktrees.ts';
import { sweepReasonSaid, staleFilesSaid, heapNames, saySweepReason } from '../../../app/text/sweep.ts';
import {
  type AsShown,
  asShown,
  carryOutCleanUp,
  type CleanUp,
  type Due,
  dueOf,
  latestRemovals,
  type Outcomes,
  planCleanUp,
} from '../../clean-up/clean-up.ts';
import { realPath } from '../../os/files/other-machine.ts';
import { type Engine, withEngine } from '../../engine/engine.ts';
import { foldersOf, totalOf, type FolderOfFiles } from '../../sweep/pile-ups.ts';
import type { Heap } from '../../sweep/heaps.ts';
import type { Found, SweepPlan } from '../../sweep/sweep.ts';
import { agrees } from '../common/agrees.ts';
import { shownPath } from '../common/removal.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { type Output, paint, writeJson } from '../common/output.ts';

/** Options of `curfew sweep`. */
export interface SweepOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** What asked for it, for the record. */
  readonly by: Remover;
  /** Only what has these ids, as it was shown; null: not bound to what was shown. */
  readonly shown: readonly string[] | null;
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
  if (files.length > 1) return `  ${shownPath(path)}/\n      ${kind}, ${words(sizeOf(files))}: ${why}`;
  const bytes = sized(first.file.bytes);
  const size = words(inMemory ? say('{size} in memory', { size: bytes }) : bytes);
  return `  ${shownPath(first.file.path)}\n      ${kind}, ${size}: ${why}`;
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
  return `  ${shownPath(path)}\n      ${said}`;
};

const section = (head: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [head, ...lines];

/** Returns the lines about what was found, before anything is deleted. */
const planLines = (
  { files: plan, worktrees }: CleanUp,
  due: Due,
  deletes: boolean,
  output: Output,
): readonly string[] => {
  const deleted = due.files;
  const [resumable, left] = [
    ofAction(plan, 'report').filter(({ decision }) => decision.reason === 'resumable'),
    ofAction(plan, 'report').filter(({ decision }) => decision.reason !== 'resumable'),
  ];
  const kept = ofAction(plan, 'keep').length;
  const lines = (files: readonly Found[]): readonly string[] => foldersOf(files).map((one) => folderLines(one, plan));
  return [
    ...(deleted.length + due.locks.length + due.worktrees.length === 0
      ? [worded('Nothing to delete.')]
      : [
          worded(deletes ? 'Are deleted:' : 'Would be deleted:'),
          ...lines(deleted),
          ...due.locks.map(
            ({ lock, verdict }) =>
              `  ${shownPath(lock.path)}\n      ${words(lockSaid(lock.kind))}: ${words(sayLockReason(verdict))}`,
          ),
          ...due.worktrees.map(
            ({ facts, keeps }) =>
              `  ${shownPath(facts.path)}\n      ${words(say('worktree'))}, ${words(sayWorktree(facts, keeps, plan.nowMs))}`,
          ),
          worded('Together {files}, {size}.', { files: dueSaid(due).what, size: dueSaid(due).size }),
        ]),
    ...section(worded('Kept for 30 days, because a resumed session may read them again:'), lines(resumable)),
    ...section(worded('Left to the agent that made them:'), lines(left)),
    ...section(
      worded('Also take up space:'),
      plan.heaps.map((heap) => heapLine(heap, plan.nowMs)),
    ),
    ...(worktrees.length === due.worktrees.length
      ? []
      : [
          paint(
            output,
            'dim',
            worded('{worktrees} stay; `curfew worktrees` says why.', {
              worktrees: several(worktrees.length - due.worktrees.length, 'worktree'),
            }),
          ),
        ]),
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
      paint(output, 'dim', worded('Not looked into: {why}.', { why: withTexts(why, shownPath) })),
    ),
  ];
};

/** Removals on record that the document shows. */
const maxRemovals = 20;

const documentOf = (engine: Engine, { plan, changed }: AsShown, outcomes: Outcomes, dryRun: boolean) => {
  const { files, locks, worktrees } = plan;
  return {
    schema: 1,
    host: 'local',
    dryRun,
    files: files.found.map(({ file, agent, inMemory, decision }) => {
      const stayed = outcomes.get(file.path);
      return {
        kind: decision.candidate.kind,
        agent,
        path: safeName(file.path),
        bytes: file.bytes,
        inMemory,
        changedAt: moment(file.changedMs),
        action: decision.action,
        reason: decision.reason,
        text: saySweepReason(decision, files.nowMs),
        deleted: stayed === null,
        problem: stayed == null ? null : safeName(inEnglish(stayed)),
      };
    }),
    groups: foldersOf(files.found).map((one) =>
      fileGroupView(one.id, one.files.length === 1 ? one.first.file.path : one.path, one.files, files.nowMs),
    ),
    heaps: files.heaps.map(({ changedMs, ...heap }) => ({
      ...heap,
      path: safeName(heap.path),
      what: say(heapNames[heap.kind]),
      changedAt: moment(changedMs),
    })),
    locks: locks.map((one) => lockView(one, outcomes.get(one.lock.path))),
    worktrees: worktrees.map((one) => worktreeView(one, outcomes.get(one.facts.path))),
    removals: latestRemovals(engine, maxRemovals).map(removalView),
    problems: [...outcomes].flatMap(([path, said]) =>
      said === null ? [] : [{ path: safeName(path), said: withTexts(said, safeName) }],
    ),
    changed,
    passedOver: files.passedOver.map((why) => safeName(inEnglish(why))),
  };
};

/** Returns what the caller's environment says about agents, and nothing else of it. */
const ownEnvironment = (): MarkerEnvironment =>
  Object.fromEntries(
    [...environmentNames].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Names what is removed, with its size. */
const dueSaid = ({ files, locks, worktrees, bytes }: Due): { readonly what: Said; readonly size: Said } => ({
  what: listed(
    [
      ...(files.length === 0 ? [] : [several(files.length, 'file')]),
      ...(locks.length === 0 ? [] : [several(locks.length, 'lock')]),
      ...(worktrees.length === 0 ? [] : [several(worktrees.length, 'worktree')]),
    ],
    ', ',
  ),
  size: locks.length + worktrees.length === 0 ? sizeOf(files) : sized(bytes),
});

/** Whether what may go is to be removed: by option, or asked for on a terminal. */
const isConfirmed = async (options: SweepOptions, due: Due, output: Output): Promise<boolean> => {
  if (options.dryRun || due.files.length + due.locks.length + due.worktrees.length === 0) return false;
  if (options.yes) return true;
  if (!options.json && output.isTerminal && process.stdin.isTTY) {
    const { what, size } = dueSaid(due);
    return agrees(worded('Delete {files} ({size})? [y/N] ', { files: what, size }));
  }
  output.warn(worded('curfew: nothing was deleted; `curfew sweep --yes` deletes without asking'));
  return false;
};

/**
 * `curfew sweep`: lists what agents left in files, locks and worktrees, and removes what may go
 * with `--yes` or after the user has agreed on the terminal. Status 1 when something stayed.
 */
export const sweep = async (paths: readonly string[], options: SweepOptions, output: Output): Promise<ExitStatus> => {
  return withEngine({ uid: null, warn: output.warn }, async (engine) => {
    await engine.source.refresh?.();
    const caller = ownEnvironment();
    const named = paths.length === 0 ? null : paths.map((path) => realPath(resolve(path)) ?? resolve(path));
    const all = planCleanUp(engine, caller, named);
    const found = options.shown === null ? { plan: all, changed: [] } : asShown(all, options.shown);
    const { plan, changed } = found;
    const due = dueOf(plan);
    const deletesAnyway = options.yes && !options.dryRun;
    if (!options.json) await output.write(`${planLines(plan, due, deletesAnyway, output).join('\n')}\n`);
    const confirmed = await isConfirmed(options, due, output);
    await engine.source.refresh?.();
    const outcomes = confirmed ? carryOutCleanUp(engine, plan, caller, options.by) : new Map<string, Said | null>();
    for (const [path, why] of outcomes)
      if (why !== null)
        output.warn(
          worded('curfew: {path} was left alone: {why}', { path: shownPath(path), why: withTexts(why, safeName) }),
        );
    if (options.json) await writeJson(output, documentOf(engine, found, outcomes, options.dryRun || !options.yes));
    else if (outcomes.size > 0) {
      const isGone = (path: string): boolean => outcomes.get(path) === null;
      const { what, size } = dueSaid(
        dueOf({
          files: { ...plan.files, found: due.files.filter(({ file }) => isGone(file.path)) },
          locks: due.locks.filter(({ lock }) => isGone(lock.path)),
          worktrees: due.worktrees.filter(({ facts }) => isGone(facts.path)),
        }),
      );
      await output.write(`${worded('Deleted {files}, {size}.', { files: what, size })}\n`);
    }
    return changed.length > 0 || [...outcomes.values()].some((why) => why !== null)
      ? exitStatus.notDone
      : exitStatus.done;
  });
};
