import type { FileGroup, LockView, WorktreeView } from '../contract/views/files-view.ts';
import { type Said, withTexts } from '../format/said.ts';
import { safeName } from '../format/secrets/safe-view.ts';
import { moment } from '../format/moment.ts';
import type { Removal } from '../history/removal.ts';
import type { FoundLock, LockVerdict } from '../locks/lock.ts';
import { lockSaid, sayLockReason } from '../text/abandoned/locks.ts';
import { sayKeep } from '../text/abandoned/worktrees.ts';
import { inEnglish } from '../text/say.ts';
import { staleFilesSaid, sweepReasonSaid } from '../text/sweep.ts';
import type { SweepDecision } from '../sweep/stale-file.ts';
import { givesWay, type KeepReason, type WorktreeFacts } from '../worktrees/worktree.ts';

/** Why something stayed that was to go; null: it went; undefined: it was not to go. */
export type Stayed = Said | null | undefined;

const outcomeOf = (stayed: Stayed) => ({
  removed: stayed === null,
  problem: stayed == null ? null : safeName(inEnglish(stayed)),
  problemSaid: stayed == null ? null : withTexts(stayed, safeName),
});

/** Returns a worktree in the published form. */
export const worktreeView = (
  { id, facts, keeps }: { readonly id: string; readonly facts: WorktreeFacts; readonly keeps: readonly KeepReason[] },
  stayed: Stayed,
): WorktreeView => ({
  id,
  path: safeName(facts.path),
  repository: safeName(facts.repository),
  origin: facts.origin,
  branch: facts.branch === null ? null : safeName(facts.branch),
  head: facts.head,
  bytes: facts.bytes,
  usedAt: moment(facts.usedMs),
  changed: facts.files?.changed ?? null,
  untracked: facts.files?.untracked ?? null,
  ignored: facts.files === null ? null : facts.files.ignored.map(safeName),
  unpushed: facts.unpushed,
  stashes: facts.stashes,
  lock: facts.locked === null ? null : { reason: safeName(facts.locked.reason), state: facts.locked.verdict.state },
  pids: facts.users === null ? null : [...facts.users],
  keeps: keeps.map((code) => {
    const said = sayKeep(code, facts);
    return { code, text: inEnglish(said), said, named: givesWay(code) };
  }),
  ...outcomeOf(stayed),
});

/** Returns a lock in the published form. */
export const lockView = (
  found: {
    readonly id: string;
    readonly lock: FoundLock;
    readonly verdict: LockVerdict;
    readonly incident: string | null;
  },
  stayed: Stayed,
): LockView => {
  const { id, lock, verdict, incident } = found;
  const said = sayLockReason(verdict);
  return {
    id,
    kind: lock.kind,
    what: lockSaid(lock.kind),
    path: safeName(lock.path),
    folder: safeName(lock.folder),
    bytes: lock.bytes,
    changedAt: moment(lock.changedMs),
    state: verdict.state,
    reason: verdict.reason,
    text: inEnglish(said),
    said,
    pids: [...verdict.pids],
    incident,
    ...outcomeOf(stayed),
  };
};

/** A file that a session left, with what is to become of it. */
interface DecidedFile {
  readonly agent: string | null;
  readonly inMemory: boolean;
  readonly decision: SweepDecision;
}

/** Returns files of one folder, of which the same is to become, in the published form. */
export const fileGroupView = (
  id: string,
  path: string,
  files: readonly [DecidedFile, ...DecidedFile[]],
  nowMs: number,
): FileGroup => {
  const [{ agent, decision }] = files;
  const sum = (some: readonly DecidedFile[]): number =>
    some.reduce((bytes, one) => bytes + one.decision.candidate.file.bytes, 0);
  return {
    id,
    kind: decision.candidate.kind,
    what: staleFilesSaid(decision.candidate.kind, files.length),
    agent,
    path: safeName(path),
    files: files.length,
    bytes: sum(files),
    bytesInMemory: sum(files.filter(({ inMemory }) => inMemory)),
    changedAt: moment(Math.max(...files.map((one) => one.decision.candidate.file.changedMs))),
    action: decision.action,
    said: sweepReasonSaid(decision, nowMs),
  };
};

/** Returns the record of a removal in the published form. */
export const removalView = ({ atMs, ...removal }: Removal) => ({ at: moment(atMs), ...removal });
