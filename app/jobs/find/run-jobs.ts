import { knownBy } from '../../model/owner-sign.ts';
import type { SafeText } from '../../format/secrets/safe-text.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { Pid } from '../../process/identity.ts';
import { type ProcessRow, hasEnded, mayStillLive } from '../../process/row.ts';
import { startedAtMs, type ProcessTable } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import { isAdopter } from '../lineage/adopter.ts';
import { sameClaim } from '../lineage/claims.ts';
import type { Draft } from './draft.ts';
import type { Evidence } from '../lineage/evidence.ts';
import type { JobId, Member, MembershipEvidence, Owner, RunTerms } from '../../model/job.ts';
import { jobIdOf } from '../ledger/job-id.ts';
import type { LedgerEntry, ProcessRef } from '../ledger/ledger.ts';

/** What the record of a run that has not ended says, as far as a job is made of it. */
export interface RunSubject {
  readonly terms: RunTerms;
  readonly name: string | null;
  /** Redacted. */
  readonly command: SafeText;
  readonly folder: string;
  readonly output: string | null;
  /** The command itself. */
  readonly root: ProcessRef;
  /** Nothing that started before belongs to the run, ticks. */
  readonly sinceTicks: number;
  /** Whether its `curfew run` adopts everything that the run leaves behind. */
  readonly subreaper: boolean;
  /** Its members at the latest scan of its own `curfew run`. */
  readonly seen: readonly ProcessRef[];
}

export interface RunJobsInput {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly runs: readonly RunSubject[];
  readonly evidence: Pick<Evidence, 'claims' | 'program'>;
  /** The run whose cookie a process carries. */
  readonly cookie: (row: ProcessRow) => string | null;
  readonly ledger: readonly LedgerEntry[];
}

/** The jobs of the runs, and the processes that therefore belong to no other job. */
interface RunJobs {
  readonly drafts: readonly Draft[];
  readonly owned: ReadonlySet<Pid>;
}

const isProcess = (row: ProcessRow | undefined, mark: ProcessRef): row is ProcessRow =>
  row !== undefined && row.pid === mark.pid && mayStillLive(row, mark);

const makesJob = ({ shell, marker }: Claim): boolean =>
  shell !== null || (marker !== null && marker.kind !== 'harness');

/**
 * Looks for the processes of one run from outside, by less than its own `curfew run` knows: it says
 * what is shown, never what is ended.
 */
class MembersOfRun {
  readonly #input: RunJobsInput;
  readonly #subject: RunSubject;
  readonly #supervisor: ProcessRow | null;
  /** Claims from what started the run: an agent that calls `curfew run` in a tool shell. */
  readonly #inherited: readonly Claim[];
  readonly #apart: (row: ProcessRow) => boolean;
  readonly found = new Map<Pid, Member>();

  constructor(
    input: RunJobsInput,
    subject: RunSubject,
    supervisor: ProcessRow | null,
    apart: (row: ProcessRow) => boolean,
  ) {
    this.#input = input;
    this.#subject = subject;
    this.#supervisor = supervisor;
    this.#inherited = supervisor === null ? [] : input.evidence.claims(supervisor);
    this.#apart = apart;
    for (const row of this.#seeds()) this.#add(row, ['tree']);
    if (this.#adopts) return;
    for (const row of input.table.rows.values()) if (this.#carriesCookie(row)) this.#add(row, ['env']);
  }

  get #adopts(): boolean {
    return this.#supervisor !== null && this.#subject.subreaper;
  }

  #seeds(): readonly ProcessRow[] {
    const { tree, table } = this.#input;
    const { root, seen } = this.#subject;
    const known = [root, ...seen].map((mark) => ({ mark, row: table.rows.get(mark.pid as Pid) }));
    const children = this.#adopts && this.#supervisor !== null ? tree.children(this.#supervisor.pid) : [];
    return [...known.flatMap(({ mark, row }) => (isProcess(row, mark) ? [row] : [])), ...children];
  }

  /** Not below a living stranger, which handed the cookie on: main/run/members/membership.ts. */
  #carriesCookie(row: ProcessRow): boolean {
    const { tree, cookie } = this.#input;
    if (cookie(row) !== this.#subject.terms.id) return false;
    const parent = tree.row(row.ppid);
    return parent === undefined || isAdopter(parent);
  }

  /**
   * Started by an agent in the run, or left by what that started: it names this agent, which what
   * started the run does not.
   */
  #isAnAgents(row: ProcessRow): boolean {
    return this.#input.evidence
      .claims(row)
      .some((claim) => makesJob(claim) && !this.#inherited.some((one) => sameClaim(one, claim)));
  }

  #add(row: ProcessRow, ways: readonly MembershipEvidence[]): void {
    const { table, tree, evidence } = this.#input;
    if (row.uid !== table.uid || row.startTicks < Math.floor(this.#subject.sinceTicks) || hasEnded(row)) return;
    if (row.pid === 1 || row.kernelThread || this.found.has(row.pid) || this.#apart(row) || this.#isAnAgents(row))
      return;
    this.found.set(row.pid, { row, by: ways });
    if (evidence.program(row) !== null) return;
    for (const child of tree.children(row.pid)) this.#add(child, ['tree']);
  }
}

const ownerOf = ({ terms }: RunSubject, supervisor: ProcessRow | null): Owner =>
  supervisor === null
    ? {
        state: 'gone',
        sinceMs: null,
        evidence: knownBy('its `curfew run` (process {pid}) was killed', { pid: terms.supervisor.pid }),
      }
    : {
        state: 'live',
        process: terms.supervisor,
        evidence: knownBy('its `curfew run` (process {pid}) is running', { pid: supervisor.pid }),
      };

const draftOf = (
  subject: RunSubject,
  members: readonly Member[],
  owner: Owner,
  input: RunJobsInput,
  taken: ReadonlySet<JobId>,
): Draft | null => {
  const root = members.find(({ row }) => isProcess(row, subject.root)) ?? members[0];
  if (root === undefined) return null;
  const { terms } = subject;
  const entry = input.ledger.find((one) => one.agent === 'curfew-run' && one.task === terms.id) ?? null;
  return {
    id: entry?.id ?? jobIdOf(input.table.bootId, subject.root, taken),
    agent: 'curfew-run',
    rule: 'curfew-run',
    command: subject.command,
    script: null,
    name: subject.name,
    run: terms,
    session: null,
    task: terms.id,
    output: subject.output,
    projectSlug: null,
    project: subject.folder,
    root: root.row,
    members: [root, ...members.filter((one) => one !== root)],
    groups: [],
    kernelSessions: [],
    provenance: [{ code: 'run', run: terms.id }],
    // Its own `curfew run` started it, and wrote that down.
    proof: {
      kind: 'look',
      agent: 'curfew-run',
      process: { pid: terms.supervisor.pid, startTicks: terms.supervisor.startTicks },
      atMs: startedAtMs(input.table, subject.root.startTicks),
    },
    owner,
    couldOwn: [],
    startTicks: subject.root.startTicks,
    entry,
  };
};

/**
 * The jobs of what was started with `curfew run`: one for each run, without the commands of agents
 * inside it, which are the agents', and without the runs inside it. What belongs to a run is no
 * part of an agent's job, also where an agent started the run in a tool call: it has limits of its
 * own, and a `curfew run` that holds it to them.
 */
export const findRunJobs = (input: RunJobsInput): RunJobs => {
  const { table, runs } = input;
  const supervisorOf = ({ terms }: RunSubject): ProcessRow | null => {
    const row = table.rows.get(terms.supervisor.pid);
    return isProcess(row, terms.supervisor) && row.uid === table.uid ? row : null;
  };
  const supervisors = new Set(runs.map(({ terms }) => Number(terms.supervisor.pid)));
  const owned = new Set<Pid>();
  const taken = new Set(input.ledger.map(({ id }) => id));
  const drafts: Draft[] = [];
  // The youngest first: a run inside another one takes what is its own.
  for (const subject of runs.toSorted((left, right) => right.root.startTicks - left.root.startTicks)) {
    const supervisor = supervisorOf(subject);
    const isApart = (row: ProcessRow): boolean => owned.has(row.pid) || supervisors.has(row.pid);
    const members = [...new MembersOfRun(input, subject, supervisor, isApart).found.values()];
    // One in the foreground stays a part of the tool call that waits for it, and its veto protects
    // that call.
    if (supervisor !== null && subject.terms.background) owned.add(supervisor.pid);
    for (const { row } of members) owned.add(row.pid);
    const draft = draftOf(subject, members, ownerOf(subject, supervisor), input, taken);
    if (draft === null) continue;
    taken.add(draft.id);
    drafts.push(draft);
  }
  return { drafts, owned };
};
