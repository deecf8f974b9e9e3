import type { FilesView, FileGroup, LockView, WorktreeView } from '../../app/contract/views/files-view.ts';
import type { Said } from '../../app/format/said.ts';
import { agentName } from '../../app/text/agent-name.ts';
import type { Language } from '../texts/texts-context.ts';

/** How an entry may be removed: with all others, only by name, or not. */
export type Leave = 'may-go' | 'by-name' | 'stays';

/** Something that an agent left, as the view shows it. */
export interface Entry {
  /** Holds as long as it is as it was shown. */
  readonly id: string;
  readonly path: string;
  readonly facts: readonly string[];
  /** Since when it is unused, with the word for that; ISO 8601. */
  readonly since: { readonly word: string; readonly at: string };
  readonly leave: Leave;
  readonly reasons: readonly Said[];
  readonly bytes: number;
}

const worktreeLeave = ({ keeps }: WorktreeView): Leave => {
  if (keeps.length === 0) return 'may-go';
  return keeps.every(({ named }) => named) ? 'by-name' : 'stays';
};

/** Returns a worktree as an entry. */
const worktreeEntry = (one: WorktreeView, { texts, format }: Language): Entry => ({
  id: one.id,
  path: one.path,
  facts: [
    ...(one.origin === null ? [] : [texts.files.made(one.origin)]),
    one.branch ?? texts.files.noBranch,
    format.bytes(one.bytes),
  ],
  since: { word: texts.files.used, at: one.usedAt },
  leave: worktreeLeave(one),
  reasons: one.keeps.map(({ said }) => said),
  bytes: one.bytes,
});

/** Returns a lock as an entry. */
const lockEntry = (one: LockView, { texts, voice }: Language): Entry => ({
  id: one.id,
  path: one.path,
  facts: [voice.said(one.what)],
  since: { word: texts.files.changed, at: one.changedAt },
  leave: one.state === 'stale' ? 'may-go' : 'stays',
  reasons: [one.said],
  bytes: one.bytes,
});

/** Returns files of one folder as an entry. */
const groupEntry = (one: FileGroup, { texts, format, voice }: Language): Entry => ({
  id: one.id,
  path: one.path,
  facts: [
    voice.said(one.what),
    ...(one.agent === null ? [] : [agentName(one.agent)]),
    ...(one.bytesInMemory < one.bytes ? [format.bytes(one.bytes)] : []),
    ...(one.bytesInMemory > 0 ? [texts.files.inMemory(format.bytes(one.bytesInMemory))] : []),
  ],
  since: { word: texts.files.changed, at: one.changedAt },
  leave: one.action === 'delete' ? 'may-go' : 'stays',
  reasons: [one.said],
  bytes: one.bytes,
});

/** The entries of the view by section; files that Curfew keeps are only counted. */
export interface Entries {
  readonly worktrees: readonly Entry[];
  readonly locks: readonly Entry[];
  readonly left: readonly Entry[];
  readonly kept: number;
}

/** Returns the entries of a view, what may go first and the largest of it. */
export const entriesOf = ({ worktrees, locks, groups }: FilesView, language: Language): Entries => {
  const order = ['may-go', 'by-name', 'stays'];
  const sorted = (entries: readonly Entry[]): readonly Entry[] =>
    entries.toSorted((one, other) => order.indexOf(one.leave) - order.indexOf(other.leave) || other.bytes - one.bytes);
  return {
    worktrees: sorted(worktrees.map((one) => worktreeEntry(one, language))),
    locks: sorted(locks.map((one) => lockEntry(one, language))),
    left: sorted(groups.filter(({ action }) => action !== 'keep').map((one) => groupEntry(one, language))),
    kept: groups.filter(({ action }) => action === 'keep').reduce((sum, { files }) => sum + files, 0),
  };
};
