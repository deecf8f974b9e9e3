import { relationsOf } from '../../process/tree.ts';
import type { Steps } from '../../process/steps.ts';
import { findingAgentJobs, plainCommand, type AgentJobsInput, type FoundJobs } from './agent-jobs.ts';
import { findRunJobs, type RunJobsInput } from './run-jobs.ts';
import { serversOf } from '../../agents/signatures.ts';
import { helperName } from '../../helpers/helpers.ts';
import type { Pid } from '../../process/identity.ts';
import { jobIdOf } from '../ledger/job-id.ts';
import { indexLedger, type LedgerIndex } from '../ledger/ledger-index.ts';
import { goneBefore, type LedgerEntry } from '../ledger/ledger.ts';
import type { ServerWitness } from '../lineage/witness.ts';
import type { Owner, Provenance } from '../../model/job.ts';
import { proofOfServer } from './proof-of.ts';
import { findServers, type FoundServer, type ServersInput } from '../servers/find-servers.ts';
import type { Suspect } from '../servers/suspects.ts';
import type { Draft } from './draft.ts';

export type ServerJobsInput = ServersInput;

interface ServerJobs {
  readonly drafts: readonly Draft[];
  readonly owned: ReadonlySet<Pid>;
  readonly witnesses: readonly ServerWitness[];
}

const provenanceOf = (suspects: readonly Suspect[], entry: LedgerEntry | null): readonly Provenance[] => {
  const rules = suspects.flatMap(({ agent, marks, witness }) => [
    ...marks.flatMap(({ mark }) => (mark.role === 'weak' || mark.role === 'configured' ? [] : [mark.rule])),
    ...(witness === null ? [] : [serversOf(agent)?.rule ?? agent]),
  ]);
  const proofs: Provenance[] = [...new Set(rules)].map((rule) => ({ code: 'marker', rule }));
  if (suspects.some(({ witness }) => witness !== null) && entry !== null)
    proofs.push({ code: 'ledger', firstSeenMs: entry.firstSeenMs });
  return proofs;
};

const withSince = (owner: Owner, entry: LedgerEntry | null): Owner => {
  const since = entry?.ownerGoneSinceMs ?? null;
  return owner.state === 'gone' && since !== null && since !== goneBefore ? { ...owner, sinceMs: since } : owner;
};

const draftOf = (input: ServerJobsInput, ledger: LedgerIndex, { unit, owner, server }: FoundServer): Draft | null => {
  const roots = unit.roots.toSorted(
    (left, right) => left.row.startTicks - right.row.startTicks || left.row.pid - right.row.pid,
  );
  const [main] = roots;
  if (main === undefined) return null;
  const { row, agent } = main;
  const entry = ledger.byIdentity(row);
  const members = [...unit.members.values()];
  const marks = roots.flatMap((one) => one.marks);
  const session = marks.map(({ mark }) => mark.session).find((one) => one !== null) ?? entry?.session ?? null;
  const ownerPid = marks.map(({ mark }) => mark.ownerPid).find((one) => one !== null) ?? main.witness?.owner.pid;
  const id = entry?.id ?? jobIdOf(input.table.bootId, row, new Set(input.ledger.map((one) => one.id)));
  return {
    id,
    agent,
    rule: marks[0]?.mark.rule ?? serversOf(agent)?.rule ?? agent,
    command: plainCommand(row),
    script: null,
    name: helperName(row),
    run: null,
    session,
    task: null,
    output: null,
    projectSlug: null,
    project:
      marks.map(({ mark }) => mark.project).find((one) => one !== null) ??
      input.directory.sessions.find((one) => one.agent === agent && (one.id === session || one.pid === ownerPid))
        ?.project ??
      entry?.project ??
      null,
    root: row,
    members: [...members.filter((one) => one.row === row), ...members.filter((one) => one.row !== row)],
    // The group and the kernel session are the agent's.
    groups: [],
    kernelSessions: [],
    provenance: provenanceOf(roots, entry),
    proof: proofOfServer(input, roots, entry),
    owner: withSince(owner, entry),
    couldOwn: [],
    startTicks: row.startTicks,
    entry: entry?.server === undefined ? null : entry,
    server,
  };
};

const findServerJobs = (input: ServerJobsInput): ServerJobs => {
  const { servers, living, witnesses } = findServers(input);
  if (servers.length === 0) return { drafts: [], owned: living, witnesses };
  const ledger = indexLedger(input.table, relationsOf(input.table.rows), input.ledger);
  const drafts = servers.flatMap((one) => draftOf(input, ledger, one) ?? []);
  const members = drafts.flatMap((draft) => draft.members.map(({ row }) => row.pid));
  return { drafts, owned: new Set([...living, ...members]), witnesses };
};

export interface FindInput extends Omit<AgentJobsInput, 'isOfRun'>, Pick<RunJobsInput, 'runs' | 'cookie'> {
  /** Servers of living sessions are jobs too: all, or those with these roots. */
  readonly allServers?: boolean | ReadonlySet<Pid>;
  /** Helpers that detached themselves are jobs too, to be shown. */
  readonly showsDetached?: boolean;
}

/** Everything that was found in a table. */
export interface FoundHere extends FoundJobs {
  /** Processes of servers of sessions, those of living ones too, which mostly are no jobs. */
  readonly serving: ReadonlySet<Pid>;
}

/**
 * Finds the jobs of one process table, in steps: those of runs, the servers of sessions, and those
 * of agents among what is left. Pure but for what `evidence` and `cookie` look up.
 */
export function* findingJobs(input: FindInput): Steps<FoundHere> {
  const ofRuns = findRunJobs({ ...input, tree: relationsOf(input.table.rows) });
  yield;
  // A run is known by its record; what is left of one whose `curfew run` was killed is ended in
  // another way.
  const ledger = input.ledger.filter(({ agent }) => agent !== 'curfew-run');
  const servers = findServerJobs({
    ...input,
    ledger,
    isOfRun: (row) => ofRuns.owned.has(row.pid),
    all: input.allServers ?? false,
    showsDetached: input.showsDetached === true,
  });
  yield;
  const { drafts, witnesses } = yield* findingAgentJobs({
    ...input,
    // What was a server is never taken for a command, whatever of it can be seen at this look.
    ledger: ledger.filter(({ server }) => server === undefined),
    isOfRun: (row) => ofRuns.owned.has(row.pid) || servers.owned.has(row.pid),
  });
  return {
    drafts: [...drafts, ...ofRuns.drafts, ...servers.drafts],
    witnesses: [...witnesses, ...servers.witnesses],
    serving: servers.owned,
  };
}
