import { codeOf } from '../../app/format/error-message.ts';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { once } from '../../app/format/once.ts';
import type { PathStep } from '../../app/sweep/left-form.ts';
import { furtherFolders, type SeenList } from '../store/seen-list.ts';
import { keptDaysOf, ownFolders } from './kept-days.ts';
import { findForm, type FormSearch } from './find-forms.ts';
import { type PlacesInput, possibleAgentFolders } from './places.ts';
import type { Transcripts } from './session-owner.ts';
import { basename } from 'node:path';
import { readBoundedFile } from '../os/files/bounded-read.ts';

/** At most this much is read: some seconds. Bytes. */
const maxFile = 256 * 1024 * 1024;
const maxAll = 1024 * 1024 * 1024;

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

/**
 * Returns the sessions that transcripts of other sessions name: a fork is told the paths of its
 * parent's outputs, and reads them when it is resumed. null: unknown, because there is too much to
 * read, or one can't be read.
 */
const mentionedSessions = (transcripts: readonly string[]): ReadonlySet<string> | null => {
  const found = new Set<string>();
  let left = maxAll;
  for (const path of transcripts) {
    try {
      const file = readBoundedFile(path, Math.min(maxFile, left));
      if (file.kind !== 'read') return null;
      left -= file.bytes.length;
      const own = basename(path, '.jsonl');
      for (const [one] of file.bytes.toString('latin1').matchAll(id)) if (one !== own) found.add(one);
    } catch (error) {
      if (codeOf(error) !== null) return null;
      throw error;
    }
  }
  return found;
};

const dayMs = 86_400_000;

/** What looks saw, of all agents; null: unknown. */
export interface SeenBefore {
  readonly folders: ReturnType<SeenList['read']>;
  readonly transcripts: ReturnType<SeenList['read']>;
}

interface TranscriptSearch extends Pick<FormSearch, 'uid' | 'mounts'> {
  readonly places: PlacesInput;
  readonly seen: SeenBefore;
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  /** How far that clock may have been put forward since a file was changed, milliseconds. */
  readonly putForwardMs: (changedMs: number) => number;
}

/**
 * Returns the transcripts that lie in the agent's folders at this path. What lies in a folder that
 * only a process names, or did, can keep an output and never lets one go: that process may be in a
 * sandbox, and write there what it likes.
 */
export const transcriptsAt = (agent: AgentId, path: readonly PathStep[], search: TranscriptSearch): Transcripts => {
  const { uid, mounts, places, seen, nowMs, putForwardMs } = search;
  const clearedMs = new Map<string, number>();
  const kept: string[] = [];
  const before = seen.transcripts?.filter((one) => one.agent === agent) ?? [];
  const areAllSeen = seen.folders?.every((one) => one.agent !== agent || one.seen !== furtherFolders) === true;
  let complete = areAllSeen && seen.transcripts !== null;
  const tools: FormSearch = { uid, mounts, passOver: () => (complete = false) };
  const folders = possibleAgentFolders(agent, places);
  const own = ownFolders(agent, places);
  const found = new Set<string>();
  for (const folder of folders) {
    const isOwn = own.includes(folder);
    const keptMs = keptDaysOf(agent, [folder], places) * dayMs;
    const all = findForm(folder, path, tools);
    const lastMs = all.reduce((latest, { file }) => Math.max(latest, file.changedMs), 0);
    for (const { file, groups } of all) {
      const session = groups['session'] ?? '';
      if (isOwn) found.add(session);
      const dueMs = file.changedMs + keptMs;
      // One that is there although the agent ran a day after that is kept by what Curfew does not
      // read, as settings of a command line.
      const isKept = lastMs > dueMs + dayMs;
      const untilMs = isKept ? Number.POSITIVE_INFINITY : dueMs + putForwardMs(file.changedMs);
      clearedMs.set(session, Math.max(untilMs, clearedMs.get(session) ?? 0));
      if (nowMs < untilMs) kept.push(file.path);
    }
  }
  const mentioned = once(() => mentionedSessions(kept));
  return { clearedMs, mentioned, seen: new Set(before.map((one) => one.seen)), found, own, complete };
};
