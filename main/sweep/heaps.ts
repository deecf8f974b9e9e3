import { codeOf } from '../../app/format/error-message.ts';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentIds, type AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import type { HeapForm, HeapKind } from '../../app/sweep/left-form.ts';
import { mountPoints } from '../os/files/mount-points.ts';
import { findForm } from './find-forms.ts';
import { isInMemory } from '../os/files/found-file.ts';
import { type PlacesInput, placesOf } from './places.ts';

/** What an agent piles up in one folder. Curfew only tells of it. */
export interface Heap {
  readonly agent: AgentId;
  readonly kind: HeapKind;
  /** `never`: what the agent remembers; `report`: what the user may delete. */
  readonly may: HeapForm['may'];
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  /** Last change of any file in it, epoch milliseconds. */
  readonly changedMs: number;
  readonly inMemory: boolean;
  /** False: it has more files than are counted. */
  readonly complete: boolean;
}

/** At most this many names below one folder are counted: about 1 s. */
const maxEntries = 200_000;

interface Sum {
  bytes: number;
  files: number;
  changedMs: number;
  left: number;
}

const add = (path: string, sum: Sum): void => {
  if (sum.left <= 0) return;
  sum.left -= 1;
  try {
    const status = lstatSync(path);
    if (status.isDirectory()) {
      for (const name of readdirSync(path)) add(join(path, name), sum);
      return;
    }
    sum.bytes += status.size;
    sum.files += 1;
    sum.changedMs = Math.max(sum.changedMs, status.mtimeMs);
  } catch (error) {
    // It is gone by now, or not to be read: then it is not counted.
    if (codeOf(error) === null) throw error;
  }
};

/** Worktrees are judged one by one (`curfew worktrees`). */
const heapForms = (agent: AgentId): readonly HeapForm[] => {
  const { leftFiles } = dossiers[agent];
  return leftFiles === 'none'
    ? []
    : leftFiles.filter((form) => form.may !== 'remove').filter(({ heap }) => heap !== 'worktrees');
};

/**
 * Returns the sizes of what agents pile up and Curfew never deletes, the largest first. Opens no
 * file and follows no link.
 */
export const findHeaps = (places: PlacesInput): readonly Heap[] =>
  agentIds
    .flatMap((agent) =>
      heapForms(agent).flatMap((form) =>
        placesOf(form.place, agent, places)
          .flatMap((base) =>
            findForm(base, form.path, { uid: places.uid, mounts: mountPoints(), passOver: () => undefined }),
          )
          .map(({ file: { path } }): Heap => {
            const sum: Sum = { bytes: 0, files: 0, changedMs: 0, left: maxEntries };
            add(path, sum);
            const { bytes, files, changedMs } = sum;
            const common = { agent, kind: form.heap, may: form.may, path };
            return { ...common, bytes, files, changedMs, inMemory: isInMemory(path), complete: sum.left > 0 };
          }),
      ),
    )
    .filter(({ files }) => files > 0)
    .toSorted((one, other) => other.bytes - one.bytes);
