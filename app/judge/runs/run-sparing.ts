import { claimsOf } from '../../agents/signatures.ts';
import { hostsOf } from '../../jobs/lineage/host.ts';
import { type MarkerEnvironment, type MemberFacts, unknownFacts } from '../../process/facts.ts';
import { asPid, type Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { RunSparing, RunSparingMemory, RunSparingQuestion, RunSparings } from './run-sparing-question.ts';
import type { Veto, VetoCode } from '../verdict.ts';
import type { VetoContext } from '../veto-rule.ts';
import { vetoesOfProcess } from '../vetoes/vetoes-of.ts';

/** Left alone even with `--strict`: other users' processes, and what the user marked to stay. */
const alwaysSpared: ReadonlySet<VetoCode> = new Set(['other-user', 'keep-marker']);

/** True for a reason that `--strict` sets aside. */
export const endsWithStrict = (code: string): boolean => !alwaysSpared.has(code as VetoCode);

const isCurfewWord = (word: string): boolean => /(?:^|\/)[Cc]urfew(?:\.js)?$/u.test(word);

/** A `curfew run` inside a run: it ends what it started when it is told to end. */
const isNestedRun = ({ argv }: ProcessRow): boolean => argv[argv.findIndex(isCurfewWord) + 1] === 'run';

const markersOf = (row: ProcessRow, environment: MarkerEnvironment) =>
  claimsOf(row, environment).flatMap(({ agent, marker }) => (marker?.kind === 'tool' ? [{ agent, ...marker }] : []));

/** Returns the sessions of agents that a process names in its environment, each with its agent. */
export const sessionsNamedBy = (row: ProcessRow, environment: MarkerEnvironment): readonly string[] =>
  markersOf(row, environment).flatMap(({ agent, session }) => (session === null ? [] : [`${agent} ${session}`]));

/** Everything in a run descends from its command, however it is tied to the run now. */
const role = { isRoot: false, descendsFromRoot: true, toolShell: null } as const;

/** Answers for one look at the processes of one run. */
class Sparing {
  readonly #asked: RunSparingQuestion;
  readonly #spared = new Map<Pid, RunSparing>();
  readonly #kept = new Map<Pid, number>();
  readonly #context: VetoContext;
  /** Of what ends in any case it is not asked what else the kernel ends with it: that costs. */
  readonly #insideContext: VetoContext;
  readonly #outside: readonly ProcessRow[];
  readonly #facts: ReadonlyMap<number, MemberFacts>;
  readonly #inherited: Set<string>;
  #mayBeLeaving = false;

  constructor(asked: RunSparingQuestion) {
    this.#asked = asked;
    this.#inherited = new Set(asked.memory.inherited);
    // A subreaper adopts in the place of process 1; the vetoes know only that one.
    this.#outside = asked.members.filter((row) => !asked.isInside(row));
    this.#facts = asked.strict ? new Map() : asked.facts(this.#outside);
    const init = asked.context.rows.get(asPid(1));
    const rows = new Map(this.#outside.map((row) => [row.pid, this.#asAdopted(row)]));
    if (init !== undefined) rows.set(init.pid, init);
    this.#context = { ...asked.context, rows };
    const { takenAlong: _, ...inside } = this.#context;
    this.#insideContext = inside;
  }

  answer(): RunSparings {
    const { members, strict } = this.#asked;
    this.#judge();
    if (!strict) this.#judgeTies();
    return { spared: this.#spared, memory: this.#memory(members), mayBeLeaving: this.#mayBeLeaving };
  }

  /** Until nothing is added any more. */
  #judgeTies(): void {
    for (const row of this.#asked.members)
      if (this.#asked.isInside(row)) for (const session of this.#marks(row).sessions) this.#inherited.add(session);
    this.#remembered();
    this.#keepTerminals();
    for (let known = -1; known !== this.#spared.size;) {
      known = this.#spared.size;
      this.#spread();
      this.#startedFromInside();
    }
  }

  #asAdopted(row: ProcessRow): ProcessRow {
    return this.#asked.isAdopted(row) && row.ppid !== 1 ? { ...row, ppid: asPid(1) } : row;
  }

  #protects(row: ProcessRow, veto: Veto): boolean {
    if (veto.code === 'keep-marker' && this.#asked.keepInherited) return false;
    // A run sees its processes from their start on. A program that has rewritten its environment
    // proves nothing.
    if (veto.code === 'keep-unknown') return false;
    // What goes on as new processes all the time leaves only such as have lost their parent.
    const isOfParent = veto.code === 'unread' && veto.figures['what'] === 'parent';
    if (isOfParent && this.#asked.isContained?.(row) === true) return false;
    if (alwaysSpared.has(veto.code)) return true;
    return !this.#asked.strict && !(veto.code === 'curfew' && isNestedRun(row));
  }

  #judge(): void {
    const { members, environment, strict, isInside } = this.#asked;
    for (const row of members) {
      const outside = !strict && !isInside(row);
      const read = outside ? this.#facts.get(row.pid) : undefined;
      const known = read ?? { ...unknownFacts, environment: environment(row) };
      const subject = this.#context.rows.get(row.pid) ?? row;
      const context = outside ? this.#context : this.#insideContext;
      const vetoes = vetoesOfProcess(subject, known, role, context).filter((one) => this.#protects(row, one));
      const veto = outside ? vetoes[0] : vetoes.find(({ code }) => alwaysSpared.has(code));
      if (veto !== undefined) this.#spared.set(row.pid, { kind: 'veto', veto });
      else if (vetoes.some(({ code }) => code !== 'curfew') && this.#asked.isAdopted(row) && this.#asked.isYoung(row))
        this.#mayBeLeaving = true;
      if (vetoes.some(({ code }) => code === 'keep-marker')) this.#kept.set(row.pid, row.startTicks);
    }
    for (const row of members) {
      if (this.#asked.memory.kept.get(row.pid) !== row.startTicks) continue;
      this.#kept.set(row.pid, row.startTicks);
      if (!this.#spared.has(row.pid))
        this.#spared.set(row.pid, { kind: 'veto', veto: { code: 'keep-marker', pid: row.pid, figures: {} } });
    }
  }

  #remembered(): void {
    const { below, sessions } = this.#asked.memory;
    for (const row of this.#outside) {
      const one = below.get(row.pid);
      const origin = one?.startTicks === row.startTicks ? one.origin : this.#rememberedSession(row, sessions);
      if (origin !== undefined) this.#below(row, origin);
    }
  }

  /** An id with a living leader is its session: whether it is spared, the leader tells. */
  #rememberedSession(row: ProcessRow, sessions: RunSparingMemory['sessions']): Pid | undefined {
    const isLed = this.#asked.members.some(({ pid }) => Number(pid) === Number(row.sid));
    return isLed ? undefined : sessions.get(Number(row.sid));
  }

  /**
   * What keeps the terminal of a spared process: the leader of its kernel session, and what has the
   * other end of the terminal open. When either ends, the kernel sends HUP to the processes on it.
   * https://man7.org/linux/man-pages/man4/tty.4.html
   */
  #keepTerminals(): void {
    const rows = new Map(this.#outside.map((row) => [row.pid, row]));
    for (const row of this.#outside) {
      if (row.tty === 0 || this.#spared.get(row.pid)?.kind !== 'veto') continue;
      const leader = rows.get(asPid(row.sid));
      if (leader === undefined) continue;
      this.#keepsTerminalOf(leader, row);
      const holder = rows.get(leader.ppid);
      if (holder !== undefined && this.#mayHoldTerminal(holder)) this.#keepsTerminalOf(holder, row);
    }
  }

  #keepsTerminalOf(keeper: ProcessRow, row: ProcessRow): void {
    if (this.#spared.has(keeper.pid)) return;
    const veto: Veto = { code: 'terminal', pid: keeper.pid, figures: { name: row.comm, holds: row.pid } };
    this.#spared.set(keeper.pid, { kind: 'veto', veto });
  }

  /** https://man7.org/linux/man-pages/man4/ptmx.4.html. Files that can't be read may be one. */
  #mayHoldTerminal(row: ProcessRow): boolean {
    const files = this.#facts.get(row.pid)?.openFiles ?? null;
    return files === null || files.some(({ target }) => target.endsWith('/ptmx'));
  }

  #below(row: ProcessRow, origin: Pid): void {
    if (!this.#spared.has(row.pid)) this.#spared.set(row.pid, { kind: 'below', origin });
  }

  #originOf(pid: Pid): Pid | null {
    const found = this.#spared.get(pid);
    if (found === undefined) return null;
    return found.kind === 'below' ? found.origin : pid;
  }

  /** What a spared process started, by parentage, and the kernel sessions that one leads. */
  #spread(): void {
    for (let known = -1; known !== this.#spared.size;) {
      known = this.#spared.size;
      for (const row of this.#outside) {
        const origin = this.#originOf(row.ppid) ?? this.#originOf(asPid(row.sid));
        if (origin !== null) this.#below(row, origin);
      }
    }
  }

  /**
   * What a spared multiplexer, terminal or agent started and what has left it since: its
   * environment names the pid of that one, or a session of it that nothing else in the run carries,
   * or carried: an agent that began the run passed its session on to all of it.
   */
  #startedFromInside(): void {
    const { members } = this.#asked;
    const sessions = new Map<string, Pid>();
    for (const row of members) {
      const origin = this.#originOf(row.pid);
      if (origin !== null) for (const session of this.#marks(row).sessions) sessions.set(session, origin);
    }
    for (const session of this.#inherited) sessions.delete(session);
    for (const row of this.#outside) {
      if (this.#spared.has(row.pid)) continue;
      const { pids, sessions: own } = this.#marks(row);
      const named = pids.map((pid) => this.#originOf(pid)).find((origin) => origin !== null);
      const origin = named ?? own.map((session) => sessions.get(session)).find((one) => one !== undefined);
      if (origin !== undefined && origin !== null) this.#below(row, origin);
    }
  }

  #marks(row: ProcessRow): { readonly pids: readonly Pid[]; readonly sessions: readonly string[] } {
    const environment = this.#asked.environment(row);
    if (environment === null) return { pids: [], sessions: [] };
    const owners = markersOf(row, environment).flatMap(({ ownerPid }) => ownerPid ?? []);
    return { pids: [...hostsOf(environment), ...owners], sessions: sessionsNamedBy(row, environment) };
  }

  /**
   * The process below which a spared one was started, also where it has a reason of its own: that
   * can be its place below that process, and ends with it (a program in tmux).
   */
  #startedBelow(row: ProcessRow, found: RunSparing): Pid | null {
    if (found.kind === 'below') return found.origin;
    const before = this.#asked.memory.below.get(row.pid);
    return this.#originOf(row.ppid) ?? (before?.startTicks === row.startTicks ? before.origin : null);
  }

  #memory(members: readonly ProcessRow[]): RunSparingMemory {
    const below = new Map<Pid, { readonly startTicks: number; readonly origin: Pid }>();
    const sessions = new Map<number, Pid>();
    for (const row of members) {
      const found = this.#spared.get(row.pid);
      const above = found === undefined ? null : this.#startedBelow(row, found);
      if (above !== null) below.set(row.pid, { startTicks: row.startTicks, origin: above });
      // An id is not handed out again while a process is in its session.
      const remembered = this.#rememberedSession(row, this.#asked.memory.sessions);
      const leads = found !== undefined && Number(row.sid) === Number(row.pid) ? this.#originOf(row.pid) : null;
      const origin = leads ?? remembered;
      if (origin !== undefined) sessions.set(Number(row.sid), origin);
    }
    return { below, kept: this.#kept, sessions, inherited: this.#inherited };
  }
}

/**
 * Returns which processes of a run are left alone when it ends: what contract 5 protects and has
 * left the kernel session of the run, and whatever such a process started. Pure, but for what it
 * asks.
 */
export const sparedInRun = (asked: RunSparingQuestion): RunSparings => new Sparing(asked).answer();
