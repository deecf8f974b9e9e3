import { kept } from '../../app/format/kept.ts';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { resumeOf } from '../../app/agents/names.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import { jobIdOf } from '../../app/jobs/ledger/job-id.ts';
import type { Evidence } from '../../app/jobs/lineage/evidence.ts';
import type { ReachWitness, Totals, Witness } from '../../app/jobs/lineage/witness.ts';
import type { Job } from '../../app/model/job.ts';
import type { AgentEnds, AgentWork, Idle, Reach, TurnState } from '../../app/model/reach.ts';
import type { AgentSession } from '../../app/model/session.ts';
import { type IdentityKey, type Pid, identityKey } from '../../app/process/identity.ts';
import { type ProcessRow, hasEnded, isSameLivingProcess } from '../../app/process/row.ts';
import { type ProcessTable, awakeSeconds, identityOf, startedAtMs } from '../../app/process/table.ts';
import { descendants, parentsOf, relationsOf } from '../../app/process/tree.ts';
import {
  type AgentUnit,
  agentUnits,
  canEnd,
  isUsed,
  reachActions,
  sessionsOf,
  togetherOf,
} from '../../app/reach/units.ts';
import { agentDraft } from '../../app/reach/ending.ts';
import { idleOf, isResting } from '../../app/reach/idle.ts';
import { cannotHaveStarted, observeReach } from '../../app/reach/memory.ts';
import { proofOf, reachOf } from '../../app/reach/reach.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { AgentHolders } from './agent-holders.ts';
import { type AgentLook, commandsOf, isConnected, readAround, workOf } from './agent-work.ts';
import type { OwnServiceEnd, RunningAgent } from '../../app/model/running-agent.ts';

const latestOf = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known);
};

const timeOf = (ends: AgentEnds, which: 'usedMs' | 'typedMs'): number | null =>
  latestOf([ends.input, ends.output].flatMap((end) => (end.kind === 'terminal' ? (end[which] ?? []) : [])));
const usedMsOf = (ends: AgentEnds): number | null => timeOf(ends, 'usedMs');
const typedMsOf = (ends: AgentEnds): number | null => timeOf(ends, 'typedMs');

export interface AgentWatchTools {
  readonly source: Pick<ProcessSource, 'read' | 'facts' | 'sockets' | 'ends'>;
  readonly evidence: Pick<Evidence, 'program' | 'mayBeRelinked'>;
  /** When a session's transcript was written last: wall clock, milliseconds; null: not known. */
  readonly transcriptMs?: (session: AgentSession) => number | null;
  /** Whether a session wakes by itself at some time; null: not known. */
  readonly wakes?: (session: AgentSession) => boolean | null;
  /** Whether the last turn of a session has ended; null: not known. */
  readonly turn?: (session: AgentSession) => TurnState | null;
  /** The same of a teammate, by what its team notes. */
  readonly turnInTeam?: (agent: AgentId, row: ProcessRow) => TurnState | null;
}

interface Read {
  readonly unit: AgentUnit;
  readonly ends: AgentEnds | null;
  /** Of an agent that no input reaches. */
  readonly memory: ReachWitness | null;
  /** The same of one that a user may reach. */
  readonly use: ReachWitness | null;
}

/** An idle agent as it was offered, so that what ends goes on to be what is ended. */
interface Offered {
  readonly reach: Extract<Reach, { readonly state: 'idle' }>;
  readonly atTicks: number;
}

/** Seconds between two measures of an agent that a user can reach: it costs as much as a member. */
const useEverySeconds = 60;
/** Seconds for which an agent that was offered can be seen through to its end. */
const offeredSeconds = 600;

/**
 * Watches the agents that run: whether a user can reach them, and since when not. Signals nothing.
 */
export class AgentWatch {
  readonly #tools: AgentWatchTools;
  readonly #holders: AgentHolders | null;
  /** What each agent's totals are compared with next. */
  #totals: ReadonlyMap<IdentityKey, Totals> = new Map();
  #processor: ReadonlyMap<IdentityKey, Totals> = new Map();
  #reads: readonly Read[] = [];
  readonly #folders = new Map<IdentityKey, string | null>();
  readonly #offered = new Map<IdentityKey, Offered>();

  constructor(tools: AgentWatchTools) {
    this.#tools = tools;
    const { ends } = this.#tools.source;
    this.#holders = ends === undefined ? null : new AgentHolders(ends, tools.source);
  }

  /**
   * Reads where the input and output of every agent lead; gives back what was remembered. Throws
   * ProcessTableUnreadable.
   */
  begin(table: ProcessTable, before: readonly Witness[]): readonly Witness[] {
    const { ends } = this.#tools.source;
    if (ends === undefined) return before;
    const found = new Map<Pid, AgentEnds | null>();
    const endsOf = (row: ProcessRow): AgentEnds | null => kept(found, row.pid, () => ends.read(row));
    const known = new Map(
      before.flatMap((one) => (one.kind === 'reach' ? [[`${one.pid}:${one.startTicks}`, one]] : [])),
    );
    const totals = new Map<IdentityKey, Totals>();
    this.#reads = agentUnits(table, this.#agents(table), (parent, child) => ends.sameInput(parent, child)).map(
      (unit) => {
        const { top } = unit;
        const read = this.#endsOf(endsOf, unit);
        const earlier = known.get(`${top.pid}:${top.startTicks}`) ?? null;
        if (read === null) return { unit, ends: read, memory: null, use: null };
        const proof = proofOf(read);
        const key = identityKey(identityOf(table, top));
        const latestTotals = this.#totals.get(key) ?? null;
        if (proof === 'other' && earlier?.ends === 'other' && latestTotals !== null)
          if (awakeSeconds(table, latestTotals.atTicks) < useEverySeconds) {
            totals.set(key, latestTotals);
            return { unit, ends: read, memory: null, use: earlier };
          }
        const measure = {
          pid: top.pid,
          startTicks: top.startTicks,
          ends: proof,
          totals: this.#totalsOf(table, unit, endsOf),
        };
        const { witness, latest } = observeReach(earlier, latestTotals, measure, table);
        totals.set(key, latest);
        return proof === 'other'
          ? { unit, ends: read, memory: null, use: witness }
          : { unit, ends: read, memory: witness, use: null };
      },
    );
    this.#totals = totals;
    return before;
  }

  /** See `OwnerInput`. Of the agents as they were read last. */
  readonly cannotOwn = (row: ProcessRow, begunTicks: number): boolean =>
    this.#reads.some(
      ({ unit, memory }) =>
        memory !== null &&
        unit.parts.some(({ pid, startTicks }) => pid === row.pid && startTicks === row.startTicks) &&
        cannotHaveStarted(memory, begunTicks),
    );

  witnesses(): readonly ReachWitness[] {
    return this.#reads.flatMap(({ memory, use }) => memory ?? use ?? []);
  }

  /** Processes that the next scan is to read closely. */
  watched(): readonly Pid[] {
    return this.#reads.flatMap(({ unit, memory }) => (memory === null ? [] : unit.parts.map(({ pid }) => pid)));
  }

  /** Says of every agent whether a user can reach it. Throws ProcessTableUnreadable. */
  finish(look: AgentLook): { readonly agents: readonly RunningAgent[]; readonly drafts: readonly Draft[] } {
    const processor = new Map<IdentityKey, Totals>();
    const drafts: Draft[] = [];
    const out = this.#reads.flatMap(({ unit, memory }) => (memory === null ? [] : [unit]));
    const around = readAround(this.#tools.source, look.table, out);
    const used = new Set<Pid>();
    // What was started by another is younger: whether that is used is known before.
    const reads = this.#reads.toSorted((one, other) => other.unit.top.startTicks - one.unit.top.startTicks);
    const seen = new Map<Read, RunningAgent>();
    for (const read of reads) {
      const { unit } = read;
      const sessions = sessionsOf(unit, look.sessions);
      const [session = null] = sessions;
      const written = sessions.map((one) => this.#tools.transcriptMs?.(one) ?? null);
      const transcriptMs = latestOf(written);
      const said = togetherOf(sessions);
      const work = read.memory === null ? null : workOf({ ...look, unit, session: said, transcriptMs, around });
      const reach = this.#reachOf(look.table, read, work);
      const isShown = reachActions[reach.state].shown;
      const tree = [unit.top, ...descendants(relationsOf(look.table.rows), unit.top.pid)].filter(
        (row) => !hasEnded(row),
      );
      const cpuPercent = this.#cpuPercent(look.table, unit, processor);
      // One that is being ended works to end itself, and stays what is being ended.
      const isOut = canEnd(reach) || reach.state === 'finishing';
      const isTold = said?.statusAtMs !== undefined || !written.includes(null);
      // A daemon keeps idle workers: those alone are no work of it.
      const isAgent = (row: ProcessRow): boolean =>
        reach.state === 'service' ? used.has(row.pid) : this.#tools.evidence.program(row) !== null;
      const idle = this.#idleOf({ ...look, isAgent }, read, sessions, isTold ? transcriptMs : null);
      const inUse = isUsed({ reach, idle, session: session?.id ?? null });
      if (inUse) for (const { pid } of unit.parts) used.add(pid);
      const offered = isOut || reach.state === 'service' ? null : this.#offeredAs(look.table, unit, idle, session);
      const ends = isOut ? reach : (offered?.reach ?? null);
      const draft =
        this.#tools.source.ends?.isCurrent === true && ends !== null
          ? agentDraft(unit, ends, session, look.entries, look.table, look.taken)
          : null;
      if (draft !== null) drafts.push(draft);
      seen.set(read, {
        agent: unit.agent,
        process: identityOf(look.table, unit.top),
        parts: unit.parts,
        reach,
        session: session?.id ?? null,
        project: session?.project ?? (isShown ? this.#folderOf(look.table, unit.top) : null),
        lastWriteMs: transcriptMs,
        idleSinceMs: said?.statusAtMs ?? transcriptMs,
        tree,
        cpuPercent,
        ownEnd:
          reach.state === 'service' && !inUse && this.#tools.source.ends?.isCurrent === true
            ? this.#ownEnd(look.table, unit, session)
            : null,
        job: (canEnd(reach) && !inUse) || offered?.atTicks === look.table.nowTicks ? (draft?.id ?? null) : null,
        idle,
      });
    }
    const agents = this.#reads.flatMap((read) => seen.get(read) ?? []);
    this.#processor = processor;
    for (const [key, { atTicks }] of this.#offered)
      if (awakeSeconds(look.table, atTicks) > offeredSeconds) this.#offered.delete(key);
    for (const key of this.#folders.keys()) if (!processor.has(key)) this.#folders.delete(key);
    return { agents, drafts };
  }

  /** Before signals depend on it: what holds the ends of agents is searched anew. */
  forgetHolders(): void {
    this.#holders?.forget();
  }

  /**
   * Whether a process is, at this very moment, a part of an agent that may be ended for the same
   * reason as the job says. Asked immediately before each signal. Throws ProcessTableUnreadable.
   */
  confirms(row: ProcessRow, job: Pick<Job, 'agent' | 'members' | 'reach'>, table: ProcessTable): boolean {
    const { ends } = this.#tools.source;
    const { reach } = job;
    const isPart = job.members.some((one) => one.row.pid === row.pid && one.row.startTicks === row.startTicks);
    if (ends?.isCurrent !== true || reach === undefined || !isPart) return false;
    const now = ends.read(row);
    if (now === null || this.#tools.evidence.program(row) !== job.agent) return false;
    if (reach.state === 'unreachable' || reach.state === 'finishing') return proofOf(now) === reach.why;
    if (!canEnd(reach)) return false;
    // What was typed since is in its input, whether it is sent yet or not.
    if (reach.state === 'idle') return proofOf(now) === 'other' && (typedMsOf(now) ?? 0) <= reach.idle.sinceMs;
    const unit = { agent: job.agent, top: row, parts: [row] };
    return this.#reachOf(table, { unit, ends: now, memory: null, use: null }, null).state === reach.state;
  }

  #idleOf(
    look: AgentLook & { readonly isAgent: (row: ProcessRow) => boolean },
    { unit, ends, use }: Read,
    sessions: readonly AgentSession[],
    transcriptMs: number | null,
  ): Idle {
    const wakes = (): boolean | null => {
      const told = sessions.map((session) => this.#tools.wakes?.(session) ?? null);
      if (told.includes(true)) return true;
      return told.length === 0 || told.includes(null) ? null : false;
    };
    return idleOf({
      table: look.table,
      session: togetherOf(sessions),
      transcriptMs,
      startedMs: startedAtMs(look.table, unit.top.startTicks),
      terminalMs: ends === null ? null : usedMsOf(ends),
      memory: use,
      stopped: unit.parts.every(({ state }) => state === 'T'),
      commands: commandsOf({ ...look, unit }, look.isAgent),
      wakes,
      turn: () => {
        const told = sessions.map((session) => this.#tools.turn?.(session) ?? null);
        if (told.includes('open')) return 'open';
        return told.length === 0 || told.includes(null) ? null : 'ended';
      },
      team: () => this.#tools.turnInTeam?.(unit.agent, unit.top) ?? null,
      isConnected: () => isConnected(this.#tools.source, look.table, unit),
    });
  }

  /** As what an idle agent may be ended, also while it ends: then it is idle no more. */
  #offeredAs(table: ProcessTable, { agent, top }: AgentUnit, idle: Idle, session: AgentSession | null): Offered | null {
    const key = identityKey(identityOf(table, top));
    if (!isResting(idle)) {
      const earlier = this.#offered.get(key);
      if (earlier === undefined) return null;
      const { reach, atTicks } = earlier;
      return { reach: { ...reach, idle: { ...reach.idle, dueSeconds: null } }, atTicks };
    }
    const reach = { state: 'idle', idle, resume: resumeOf(agent, session?.id ?? null) } as const;
    const offered = { reach, atTicks: table.nowTicks };
    this.#offered.set(key, offered);
    return offered;
  }

  #agents(table: ProcessTable): readonly { readonly agent: AgentId; readonly row: ProcessRow }[] {
    return [...table.rows.values()].flatMap((row) => {
      if (row.kernelThread || row.uid !== table.uid || hasEnded(row)) return [];
      const agent = this.#tools.evidence.program(row);
      const isNone = agent === null || agent === 'curfew-run' || this.#tools.evidence.mayBeRelinked?.(row) === true;
      return isNone ? [] : [{ agent, row }];
    });
  }

  /** Those of the top process; null also where a part below it has others to speak of. */
  #endsOf(endsOf: (row: ProcessRow) => AgentEnds | null, { top, parts }: AgentUnit): AgentEnds | null {
    const [own, ...rest] = [top, ...parts.filter(({ pid }) => pid !== top.pid)].map(endsOf);
    if (own === undefined || own === null) return null;
    return rest.every((one) => one !== null && proofOf(one) === proofOf(own)) ? own : null;
  }

  #totalsOf(table: ProcessTable, { parts }: AgentUnit, endsOf: (row: ProcessRow) => AgentEnds | null): Totals {
    const rows = parts.map((part) => {
      const row = this.#tools.source.read(part.pid);
      return isSameLivingProcess(row, part) ? row : part;
    });
    const bytes = rows.map((row) => endsOf(row)?.ioBytes ?? null);
    return {
      atTicks: table.nowTicks,
      cpuMs: rows.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      ioBytes: bytes.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    };
  }

  #reachOf(table: ProcessTable, { unit, ends, memory }: Read, work: AgentWork | null): Reach {
    const { service } = dossiers[unit.agent];
    const above = parentsOf(unit.top, table.rows);
    return reachOf({
      table,
      row: unit.top,
      ends,
      isService:
        service !== 'none' && [unit.top, ...above].some((row) => this.#isOf(unit.agent, row) && service.is(row.argv)),
      holdersOf: (end) => this.#holders?.of(table, unit.top, end) ?? null,
      hasClient: (row) => this.#holders?.hasClient(row) ?? true,
      memory,
      work,
    });
  }

  #isOf(agent: AgentId, row: ProcessRow): boolean {
    return this.#tools.evidence.program(row) === agent;
  }

  #ownEnd(table: ProcessTable, { agent, top, parts }: AgentUnit, session: AgentSession | null): OwnServiceEnd | null {
    const { service } = dossiers[agent];
    const end = service === 'none' ? null : service.end(top.argv, session?.id ?? null);
    if (end === null) return null;
    const target = end.ends === 'process' ? top : parts.find(({ pid }) => pid === session?.pid);
    if (target === undefined) return null;
    return { id: jobIdOf(table.bootId, target, new Set()), command: end.command, target };
  }

  /** Where it was found to work when it was first shown. */
  #folderOf(table: ProcessTable, top: ProcessRow): string | null {
    const key = identityKey(identityOf(table, top));
    return kept(this.#folders, key, () => this.#tools.source.facts([top]).get(top.pid)?.cwd ?? null);
  }

  /** Share of one core since the look before, of the agent itself; null at the first. */
  #cpuPercent(table: ProcessTable, { top, parts }: AgentUnit, next: Map<IdentityKey, Totals>): number | null {
    const key = identityKey(identityOf(table, top));
    const cpuMs = parts.reduce((sum, row) => sum + row.cpuMs, 0);
    next.set(key, { atTicks: table.nowTicks, cpuMs, ioBytes: null });
    const before = this.#processor.get(key);
    const seconds = before === undefined ? 0 : (table.nowTicks - before.atTicks) / table.ticksPerSecond;
    return before === undefined || seconds <= 0 ? null : Math.max(0, (cpuMs - before.cpuMs) / 10 / seconds);
  }
}
