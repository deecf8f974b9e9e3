import { say, inEnglish, saidOf } from '../../app/text/say.ts';
import type { Said } from '../../app/format/said.ts';
import { dirname, isAbsolute } from 'node:path';
import { agentIds, type AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { decideFile } from '../../app/sweep/decide.ts';
import type { RemovableForm } from '../../app/sweep/left-form.ts';
import type { FileOwner, StaleCandidate, SweepDecision, SweepWorld } from '../../app/sweep/stale-file.ts';
import type { MarkerEnvironment } from '../../app/process/facts.ts';
import type { RunId } from '../../app/process/identity.ts';
import { mayHoldUnseenSockets } from '../os/bound-sockets.ts';
import { mountPoints } from '../os/files/mount-points.ts';
import { mayBeOnServer } from '../os/process-uses.ts';
import { seenFolders, seenTranscripts } from '../store/seen-list.ts';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';
import { removeRunLock, deadHolderOf } from '../run/record/lock.ts';
import { type FormMatch, type FormSearch, findForm } from './find-forms.ts';
import { type SeenFile, seeFile, isInMemory } from '../os/files/found-file.ts';
import { findHeaps, type Heap } from './heaps.ts';
import { keptDaysOf } from './kept-days.ts';
import { placesAt, type PlacesInput, placesOf, possibleAgentFolders } from './places.ts';
import { type Removal, removeEmptied, removeFile } from '../os/files/remove-file.ts';
import { sessionOwner } from './session-owner.ts';
import { type SeenBefore, transcriptsAt } from './transcripts.ts';
import { type Agents, agentsOf, commonWorld, worldOf } from './world.ts';
import type { IdentityReader } from '../os/processes/signaller.ts';
import type { RunRecord } from '../run/record/record.ts';
import { RunFolder } from '../run/record/run-folder.ts';
import { runIdsIn } from '../run/record/unfinished.ts';

/** A lock file left by a run of this Curfew. */
interface RunLockFile {
  readonly candidate: StaleCandidate;
  readonly file: SeenFile;
  readonly run: RunRecord['id'];
}

/**
 * Returns lock files of `curfew run --lock` whose holder is dead: they contain its pid, start time,
 * boot and machine. Found through the records of ended runs; unfinished ones are ended with their
 * locks by the next start. Skips what can't be read.
 */
const staleRunLocks = (runs: string, reader: IdentityReader, uid: number): readonly RunLockFile[] =>
  runIdsIn(runs).flatMap((id): RunLockFile[] => {
    const record = new RunFolder(runs, id).read();
    if (record?.lock == null || record.end === null) return [];
    try {
      if (deadHolderOf(record.lock, id, reader) === null) return [];
      const file = seeFile(record.lock, record.lock, uid);
      if (file === null) return [];
      return [
        {
          run: id,
          file,
          candidate: { kind: 'lock-file', file, owner: { kind: 'holder', state: 'dead' }, mayDelete: true },
        },
      ];
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return [];
    }
  });

/** At most this many files are deleted at once. */
const maxDeletions = 20_000;

interface SweepEngine extends Pick<Engine, 'observer' | 'source' | 'places' | 'home' | 'startedMs' | 'putForwardMs'> {
  readonly temporary?: readonly string[];
}

const ofAgents = <Value>(valueOf: (agent: AgentId) => Value): Readonly<Record<AgentId, Value>> =>
  Object.fromEntries(agentIds.map((agent) => [agent, valueOf(agent)])) as Record<AgentId, Value>;

/** A file of a known form, with what is to become of it. */
export interface Found {
  readonly file: SeenFile;
  /** The agent that left it; null: `curfew run`. */
  readonly agent: AgentId | null;
  /** It lies on a tmpfs, so it takes memory. */
  readonly inMemory: boolean;
  /** How many folders above it are removed once they are empty. */
  readonly emptied: 0 | 1 | 2;
  readonly decision: SweepDecision;
  /** The lock of this run is removed as such. */
  readonly run: RunId | null;
}

/** What a sweep would do, and what it skipped. */
export interface SweepPlan {
  readonly nowMs: number;
  /** Those in memory first, then the largest. */
  readonly found: readonly Found[];
  /** What piles up and is never deleted by Curfew, the largest first. */
  readonly heaps: readonly Heap[];
  /** Folders that were skipped, and why, in words. */
  readonly passedOver: readonly Said[];
}

export type SweepResult = Removal | { readonly kind: 'in-use-again' };

/** What files are looked for with. */
interface Search extends FormSearch {
  readonly agents: Readonly<Record<AgentId, Agents>>;
  readonly seen: SeenBefore;
  readonly noteTranscript: (one: { readonly agent: AgentId; readonly seen: string }) => void;
  readonly places: PlacesInput;
  readonly pidNamespace: string | null;
  readonly putForwardMs: (changedMs: number) => number;
}

const ownersOf = (
  { dead, place }: RemovableForm,
  base: string,
  agent: AgentId,
  search: Search,
): ((match: FormMatch) => FileOwner) => {
  switch (dead.ended) {
    case 'session': {
      const agents = search.agents[agent];
      const transcripts = transcriptsAt(agent, dead.transcript, { ...search, nowMs: agents.look.table.takenAtMs });
      return ({ file, groups }) => {
        const session = groups['session'] ?? '';
        if (transcripts.found.has(session)) search.noteTranscript({ agent, seen: session });
        return sessionOwner(agent, session, file.changedMs, transcripts, agents);
      };
    }
    case 'process':
      return ({ groups }) => ({ kind: 'process', pid: Number(groups['pid']) });
    case 'agent':
      return ({ groups }) => ({ kind: 'some-session', notBeforeMs: Number(groups['atMs'] ?? 0) });
    case 'kept': {
      // Outside of its own folder a log may be of any that the agent has.
      const folders = place === 'agent-folder' ? [base] : possibleAgentFolders(agent, search.places);
      const keptMs = keptDaysOf(agent, folders, search.places) * 86_400_000;
      return ({ file }) => ({ kind: 'kept', untilMs: file.changedMs + keptMs });
    }
    case 'holders':
      return () => ({ kind: 'holders' });
  }
};

/** A process holds a file by its name, or by a folder that only its session has. */
const heldAs = ({ file, groups, parts }: FormMatch, emptied: 0 | 1 | 2): readonly string[] => {
  const session = groups['session'];
  if (session !== undefined) return [file.name, session, `${session}.jsonl`];
  return emptied === 1 ? parts.slice(-2, -1) : [file.name];
};

interface Judged {
  readonly agent: AgentId | null;
  readonly candidate: StaleCandidate;
  readonly file: SeenFile;
  readonly emptied: 0 | 1 | 2;
  readonly run: RunId | null;
}

const filesOf = (agent: AgentId, form: RemovableForm, search: Search): readonly Judged[] =>
  placesOf(form.place, agent, search.places).flatMap((base) => {
    const matches = findForm(base, form.path, search);
    if (matches.length === 0) return [];
    const isShared = form.place === 'temporary' || form.place === 'runtime';
    if (isShared && mayHoldUnseenSockets(base, search.pidNamespace)) {
      search.passOver(say("{base}: processes that can't be seen from here may use it too", { base }));
      return [];
    }
    const ownerOf = ownersOf(form, base, agent, search);
    return matches.map((match) => ({
      agent,
      run: null,
      emptied: form.emptied ?? 0,
      file: match.file,
      candidate: {
        kind: form.kind,
        file: match.file,
        owner: ownerOf(match),
        mayDelete: true,
        heldAs: heldAs(match, form.emptied ?? 0),
      },
    }));
  });

/** Returns the files in which agents keep an ended session, which the agents clear away. */
const sessionFiles = (look: Look, uid: number): readonly Judged[] =>
  look.sessions.flatMap(({ agent, state, source }): Judged[] => {
    if (state !== 'gone' || !isAbsolute(source)) return [];
    const file = seeFile(source, source, uid);
    if (file === null) return [];
    const kind = source.endsWith('.lock') ? 'lock-file' : 'session-file';
    const owner: FileOwner = { kind: 'holder', state: 'dead' };
    return [{ agent, run: null, emptied: 0, file, candidate: { kind, file, owner, mayDelete: false } }];
  });

const removable = (agent: AgentId): readonly RemovableForm[] => {
  const { leftFiles } = dossiers[agent];
  return leftFiles === 'none' ? [] : leftFiles.filter((form) => form.may === 'remove');
};

/**
 * Searches once for stale files of dead sessions. Deletes nothing.
 * @param caller the caller's environment, which may move an agent's folder
 * @throws ProcessTableUnreadable
 */
export const planSweep = (
  engine: SweepEngine,
  caller: MarkerEnvironment,
  look: Look = engine.observer.look(),
): SweepPlan => {
  const { source } = engine;
  const { uid } = look.table;
  const common = commonWorld(source, look);
  const passedOver = new Map<string, Said>();
  const seenFile = seenTranscripts(engine.places);
  const seen = { folders: seenFolders(engine.places).read(), transcripts: seenFile.read() };
  const places = placesAt(engine, look, caller, seen.folders ?? []);
  const passOver = (why: Said): void => void passedOver.set(inEnglish(why), why);
  const agents = ofAgents((agent) => agentsOf(agent, look, possibleAgentFolders(agent, places), engine.startedMs));
  const found: { readonly agent: AgentId; readonly seen: string }[] = [];
  const search: Search = {
    uid,
    agents,
    places,
    seen,
    noteTranscript: (one) => void found.push(one),
    mounts: mountPoints(),
    pidNamespace: source.pidNamespace,
    putForwardMs: engine.putForwardMs,
    passOver,
  };
  const judged: readonly Judged[] = [
    ...agentIds.flatMap((agent) => removable(agent).flatMap((form) => filesOf(agent, form, search))),
    ...sessionFiles(look, uid),
    ...staleRunLocks(engine.places.runs, source, uid).map(({ candidate, file, run }): Judged => ({
      agent: null,
      candidate,
      file,
      run,
      emptied: 0,
    })),
  ];
  seenFile.add(found);
  const worlds: Readonly<Record<AgentId, SweepWorld>> = ofAgents((agent) => worldOf(agent, common, agents[agent]));
  const files = judged.map(({ agent, candidate, file, run, emptied }): Found => {
    const world = worlds[agent ?? 'curfew-run'];
    const usedElsewhere = world.usedElsewhere || mayBeOnServer(file.path);
    const nowMs = world.nowMs - engine.putForwardMs(file.changedMs);
    const decision = decideFile(candidate, { ...world, nowMs, usedElsewhere });
    return { file, agent, run, emptied, inMemory: isInMemory(file.path), decision };
  });
  return {
    nowMs: common.nowMs,
    found: files.toSorted(
      (one, other) => Number(other.inMemory) - Number(one.inMemory) || other.file.bytes - one.file.bytes,
    ),
    heaps: findHeaps(places),
    passedOver: [...passedOver.values()],
  };
};

const removed = ({ file, run, emptied }: Found, uid: number): Removal => {
  if (run === null) {
    const removal = removeFile(file, uid);
    if (removal.kind === 'deleted') removeEmptied(dirname(file.path), emptied, uid);
    return removal;
  }
  try {
    removeRunLock(file.path, run);
    return seeFile(file.path, file.path, uid) === null ? { kind: 'deleted' } : { kind: 'changed' };
  } catch (error) {
    return { kind: 'failed', why: saidOf(error) };
  }
};

/**
 * Deletes what a plan found to be stale, after a second search found the same: a file that came
 * into use meanwhile, or another in its place, stays.
 * @throws ProcessTableUnreadable; then nothing was deleted
 */
export const carryOutSweep = (
  engine: SweepEngine,
  plan: SweepPlan,
  caller: MarkerEnvironment,
): readonly { readonly found: Found; readonly result: SweepResult }[] => {
  const due = plan.found.filter(({ decision }) => decision.action === 'delete').slice(0, maxDeletions);
  if (due.length === 0) return [];
  const again = planSweep(engine, caller);
  const still = new Set(
    again.found.filter(({ decision }) => decision.action === 'delete').map(({ file }) => `${file.path} ${file.stamp}`),
  );
  const uid = process.getuid?.() ?? 0;
  return due.map((found) => ({
    found,
    result: still.has(`${found.file.path} ${found.file.stamp}`) ? removed(found, uid) : { kind: 'in-use-again' },
  }));
};
