import { diagnose } from '../../diagnose/diagnose.ts';
import type { JobProbe } from '../../diagnose/probe.ts';
import type { MemberFacts } from '../../process/facts.ts';
import type { Steps } from '../../process/steps.ts';
import { type ProcessTable, awakeAge, awakeSeconds, startedAtMs, ticksAt } from '../../process/table.ts';
import { type ProcessTree, relationsOf } from '../../process/tree.ts';
import type { Draft } from '../find/draft.ts';
import { keepMemory, nothingKept } from '../ledger/kept.ts';
import { type ImageMark, type LedgerEntry, type ProcessRef, goneBefore, readPipe } from '../ledger/ledger.ts';
import { restartedService } from '../lineage/services.ts';
import type { Witness } from '../lineage/witness.ts';
import type { Diagnosis, Holdings, Job, JobBasis, JobId, Member, Owner } from '../../model/job.ts';
import { claimed } from '../../model/proof.ts';
import { usersDoubtNoted } from '../../model/users-doubt.ts';
import { type Keep, keptSeconds } from '../spared/spared.ts';
import { type Exchange, cpuPercentOf, observeActivity, silentSecondsOf } from './activity.ts';
import { observeServer } from './observe-server.ts';

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

/** What the members hold. Shared ports and locks are counted once. */
export const holdingsOf = (
  members: readonly Member[],
  facts: ReadonlyMap<number, MemberFacts>,
  cpuPercent: number,
  outputBytes: number | null,
): Holdings => {
  const known = members.map(({ row }) => facts.get(row.pid)).filter((one) => one !== undefined);
  return {
    rssBytes: members.reduce((sum, { row }) => sum + row.rssBytes, 0),
    cpuPercent,
    fds: known.reduce((sum, one) => sum + (one.openFiles?.length ?? 0), 0),
    ports: distinct(known.flatMap((one) => one.ports)).toSorted((left, right) => left - right),
    locks: distinct(known.flatMap((one) => one.locks)).toSorted(),
    sockets: known.reduce((sum, one) => sum + one.sockets, 0),
    outputBytes,
  };
};

/**
 * The folder that an agent's name for a project stands for: the working folder or the nearest
 * folder above it whose path, with everything but letters and digits as `-`, is that name. The name
 * alone can't be turned back (`/a-b` and `/a/b` are one). null when none fits.
 */
const folderOfSlug = (slug: string, workingFolder: string): string | null => {
  let folder = workingFolder;
  while (folder !== '') {
    if (folder.replaceAll(/[^A-Za-z0-9]/g, '-') === slug) return folder;
    folder = folder.slice(0, folder.lastIndexOf('/'));
  }
  return null;
};

export interface AssemblyInput {
  readonly table: ProcessTable;
  readonly drafts: readonly Draft[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
  /** Size of an output file in bytes; null when it can't be read or is no regular file. */
  readonly outputBytes: (path: string) => number | null;
  /** The service that a living owner runs in, for the ledger; null for none. */
  readonly ownerService: (owner: ProcessRef) => string | null;
  readonly diagnosing: Diagnosing;
  readonly keptElsewhere?: readonly ImageMark[];
  /** What earlier looks of this boot gave; left out: nothing. */
  readonly witnesses?: readonly Witness[];
  /** What is put off, by job. */
  readonly keeps?: ReadonlyMap<JobId, Keep>;
  /** By job, of those that are old enough for their silence to end them. */
  readonly exchanges?: ReadonlyMap<JobId, Exchange>;
}

export interface Diagnosing {
  /** By job; those that are young, or that can't be looked into, are not in it. */
  readonly probes: ReadonlyMap<JobId, JobProbe>;
  /** What was found in jobs at the look before. */
  readonly latest: ReadonlyMap<JobId, readonly Diagnosis[]>;
  /** See `Subject`. Seconds. */
  readonly patienceSeconds: number;
  readonly limitSeconds: number;
  readonly hardCapSeconds: number;
}

export interface AssembledJob {
  readonly job: Job;
  readonly entry: LedgerEntry;
}

/** A session first seen gone now ended now; one gone at first sight, at an unknown time. */
const ownerSince = (owner: Owner, entry: LedgerEntry | null, nowMs: number): Owner =>
  owner.state === 'gone' && owner.sinceMs === null && entry !== null && entry.ownerGoneSinceMs === null
    ? { ...owner, sinceMs: nowMs }
    : owner;

/** Ticks of its session's end; null: unknown. The wall clock, which users set, is asked once. */
const goneAtTicks = (owner: Owner, entry: LedgerEntry | null, table: ProcessTable): number | null => {
  if (owner.state !== 'gone' || owner.sinceMs === null) return null;
  return (entry?.ownerGoneSinceMs === owner.sinceMs ? entry.ownerGoneAtTicks : null) ?? ticksAt(table, owner.sinceMs);
};

/** An owner's service is read once: it rarely changes, and reading costs as much as a member. */
const isKnownOwner = (owner: ProcessRef, before: LedgerEntry | null): boolean =>
  before?.owner?.pid === owner.pid && before.owner.startTicks === owner.startTicks;

/** Seconds awake since its start, which is that of a process that may have ended. */
const ageOf = ({ startTicks, members }: Draft, table: ProcessTable): number =>
  awakeAge(table, members.find(({ row }) => row.startTicks === startTicks)?.row ?? { startTicks });

/** How long it is put off, by the clock that is never set. */
const keptOf = (keep: Keep | undefined, table: ProcessTable): Pick<Job, 'keptUntilMs' | 'keptBy' | 'capSeconds'> => {
  const leftSeconds = keptSeconds(keep, table);
  return {
    keptUntilMs: leftSeconds > 0 ? Math.round(table.takenAtMs + leftSeconds * 1000) : null,
    ...(keep === undefined || leftSeconds === 0 ? {} : { keptBy: keep.by }),
    ...(keep?.capSeconds == null ? {} : { capSeconds: keep.capSeconds }),
  };
};

const assembleOne = (draft: Draft, input: AssemblyInput, tree: ProcessTree): AssembledJob => {
  const { table, facts } = input;
  const { entry: before, members, root } = draft;
  const outputBytes = draft.output === null ? null : input.outputBytes(draft.output);
  const activity = observeActivity(
    table,
    members,
    facts,
    outputBytes,
    before?.activity ?? null,
    input.exchanges?.get(draft.id),
  );
  const own = new Map(
    members.flatMap(({ row }) => {
      const fact = facts.get(row.pid);
      return fact === undefined ? [] : [[Number(row.pid), fact] as const];
    }),
  );
  const holds = holdingsOf(members, own, cpuPercentOf(table, activity, before?.activity ?? null), outputBytes);
  const cwd = own.get(root.pid)?.cwd ?? null;
  const project =
    draft.project ?? (draft.projectSlug === null || cwd === null ? cwd : (folderOfSlug(draft.projectSlug, cwd) ?? cwd));
  const again = draft.server === undefined ? restartedService(members, own, input.witnesses ?? []) : null;
  const users = again ?? draft.users ?? null;
  const owner =
    users === null
      ? ownerSince(draft.owner, before, table.takenAtMs)
      : { state: 'unknown' as const, ...usersDoubtNoted(users) };
  const ownerGoneAtTicks = goneAtTicks(owner, before, table);
  const announcedAtTicks = before?.announcedAtTicks ?? null;
  const silentSeconds = holds.ports.length > 0 ? 0 : silentSecondsOf(table, activity);
  const { probes, latest, ...patience } = input.diagnosing;
  const { diagnoses, watch } = diagnose(
    {
      table,
      tree,
      members,
      facts: own,
      command: draft.command,
      cpuMs: activity.cpuMs,
      ioBytes: activity.ioBytes,
      outputBytes,
      serves: draft.server !== undefined,
      silentSeconds,
      probe: probes.get(draft.id) ?? null,
      ...patience,
    },
    before?.watch ?? null,
    latest.get(draft.id),
  );
  const server =
    draft.server === undefined
      ? null
      : observeServer(draft.server, {
          table,
          tree,
          members,
          facts: own,
          before: before?.server ?? null,
          quietSeconds: patience.patienceSeconds,
        });
  const { id, agent, rule, command, session, task, output, provenance, proof } = draft;
  const basis: JobBasis = { id, agent, rule, command, project, session, task, output, provenance, proof };
  const job: Job = {
    ...basis,
    ...(draft.name === null ? {} : { name: draft.name }),
    ...(draft.run === null ? {} : { run: draft.run }),
    ...(draft.reach === undefined ? {} : { reach: draft.reach }),
    root,
    members,
    facts: own,
    // Whatever witnessed that a tool call started it, it is the user's.
    proof: users === null ? proof : claimed,
    owner,
    ageSeconds: ageOf(draft, table),
    startedAtMs: startedAtMs(table, draft.startTicks),
    silentSeconds,
    kind: server === null ? (holds.ports.length > 0 ? 'service' : 'task') : 'server',
    ...(server === null ? {} : { server: server.state }),
    holds,
    diagnoses,
    ...keptOf(input.keeps?.get(draft.id), table),
    noticedAtMs: before?.noticedAtMs ?? null,
    goneSeconds: ownerGoneAtTicks === null ? null : awakeSeconds(table, ownerGoneAtTicks),
    announcedSeconds: announcedAtTicks === null ? null : awakeSeconds(table, announcedAtTicks),
  };
  const refs = members.map(({ row }) => ({ pid: row.pid, startTicks: row.startTicks }));
  const pipeReaders = refs.filter((one) => own.get(one.pid)?.readsPipe === true || readPipe(before, one));
  const ownerMark = owner.state === 'live' && owner.claimant !== true ? owner.process : null;
  return {
    job,
    entry: {
      ...basis,
      bootId: table.bootId,
      root: before?.root ?? { pid: root.pid, startTicks: draft.startTicks },
      groups: draft.groups,
      kernelSessions: draft.kernelSessions,
      members: refs,
      owner: ownerMark === null ? (before?.owner ?? null) : { pid: ownerMark.pid, startTicks: ownerMark.startTicks },
      ...((draft.numbers ?? []).length === 0 ? {} : { numbers: draft.numbers ?? [] }),
      ...(draft.couldOwn.length === 0 ? {} : { couldOwn: draft.couldOwn }),
      ownerService:
        ownerMark === null || isKnownOwner(ownerMark, before)
          ? (before?.ownerService ?? null)
          : input.ownerService(ownerMark),
      ownerGoneSinceMs: owner.state === 'gone' ? (owner.sinceMs ?? goneBefore) : null,
      ownerGoneAtTicks,
      ...(pipeReaders.length === 0 ? {} : { pipeReaders }),
      ...(users === null ? {} : { users }),
      firstSeenMs: before?.firstSeenMs ?? table.takenAtMs,
      lastSeenMs: table.takenAtMs,
      lastSeenTicks: table.nowTicks,
      activity,
      watch,
      keep: keepMemory({
        ...draft,
        table,
        facts: own,
        before: before?.keep ?? nothingKept,
        keptElsewhere: input.keptElsewhere ?? [],
      }),
      noticedAtMs: before?.noticedAtMs ?? null,
      announcedAtTicks,
      ...(server === null ? {} : { server: server.memory }),
    },
  };
};

/** Completes a look's drafts with what members hold and do, and the ledger keeps; a step a job. */
export function* assemblingJobs(input: AssemblyInput): Steps<readonly AssembledJob[]> {
  const assembled: AssembledJob[] = [];
  const tree = relationsOf(input.table.rows);
  for (const draft of input.drafts) {
    assembled.push(assembleOne(draft, input, tree));
    yield;
  }
  return assembled;
}
