import { blockFor } from '../processes/block-for.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { keepName } from '../../../app/guard/script/keep-assignment.ts';
import { asPid } from '../../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../../app/process/row.ts';
import { askedParts, type CheckedPart, type ReaderCheck, type ReaderPart } from '../../../app/process/reader-check.ts';
import { awakeAge, identityOf, startedAtMs, type ProcessTable } from '../../../app/process/table.ts';
import type { Signaller } from '../processes/signaller.ts';
import type { ProcessSource } from '../processes/source.ts';
import {
  type KnownChild,
  type KnownEnds,
  type MarkedChild,
  openKnownEnds,
  startKnownChild,
  startMarkedChild,
} from './known-child.ts';
import { ownConsole, ownTerminal, type OwnTerminal } from './own-terminal.ts';

export interface CheckInput {
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  /** This process; for tests. */
  readonly self?: { readonly pid: number; readonly ppid: number; readonly uid: number | undefined };
  /** The system hides the environments of its own programs; for tests. */
  readonly hidesEnvironments?: boolean;
  /** The reader may say that it doesn't know an end of a channel, as on Linux without koffi. */
  readonly mayNotKnowChannels?: boolean;
  /** The system has neither process groups nor kernel sessions, as Windows; for tests. */
  readonly noGroups?: boolean;
  /** launchd is process 1, and the reader tells its processes and connections: for tests. */
  readonly onMac?: boolean;
  /** The terminal of this process; null: not asked. For tests. */
  readonly terminal?: OwnTerminal | null;
  /** Whether this process has a console, on Windows; null: not asked. For tests. */
  readonly console?: boolean | null;
  /** Opens a connection and a pipe in this process; for tests. */
  readonly openEnds?: () => KnownEnds | { readonly problem: string };
  /** Starts a program that hides nothing, or says that there is none; for tests. */
  readonly startMarked?: () => MarkedChild | null;
  /** How long the child has to end after its signal, milliseconds; for tests. */
  readonly patienceMs?: number;
  /** Starts the child; for tests. */
  readonly start?: () => KnownChild | { readonly problem: string };
}

/** The wall clock of a start may differ by this from this process's own, milliseconds. */
const clockToleranceMs = 2_000;
/** The child has this long to end after its signal, milliseconds. */
const defaultPatienceMs = 5_000;
const pollMs = 2;

/** Returns what is wrong, empty for nothing. */
type Question = () => string;

const told = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

const differs = (found: unknown, wanted: unknown): string =>
  told(found) === told(wanted) ? '' : `${told(found)} instead of ${told(wanted)}`;

const firstOf = (...problems: readonly string[]): string => problems.find((one) => one !== '') ?? '';

/**
 * Makes a reader and a signaller reproduce known facts: of this process, and of a child that is
 * started for it. Takes milliseconds, and is synchronous. Sends one signal, to that child.
 */
class SelfCheck {
  readonly #source: ProcessSource;
  readonly #signaller: Signaller;
  readonly #child: KnownChild;
  readonly #self: NonNullable<CheckInput['self']>;
  readonly #hides: boolean;
  readonly #mayNotKnowChannels: boolean;
  readonly #noGroups: boolean;
  readonly #patienceMs: number;
  readonly #onMac: boolean;
  readonly #terminal: OwnTerminal | null;
  readonly #console: boolean | null;
  readonly #openEnds: NonNullable<CheckInput['openEnds']>;
  readonly #startMarked: NonNullable<CheckInput['startMarked']>;
  readonly #table: ProcessTable;
  readonly #row: ProcessRow | null;

  constructor(input: CheckInput, child: KnownChild) {
    const { source, signaller, self, hidesEnvironments, patienceMs } = input;
    this.#mayNotKnowChannels = input.mayNotKnowChannels ?? false;
    this.#noGroups = input.noGroups ?? process.platform === 'win32';
    this.#patienceMs = patienceMs ?? defaultPatienceMs;
    this.#self = self ?? { pid: process.pid, ppid: process.ppid, uid: process.geteuid?.() ?? 0 };
    this.#hides = hidesEnvironments ?? process.platform === 'darwin';
    this.#onMac = input.onMac ?? process.platform === 'darwin';
    this.#terminal = input.terminal === undefined ? ownTerminal() : input.terminal;
    this.#console = input.console === undefined ? ownConsole() : input.console;
    this.#openEnds = input.openEnds ?? openKnownEnds;
    this.#startMarked = input.startMarked ?? startMarkedChild;
    this.#source = source;
    this.#signaller = signaller;
    this.#child = child;
    this.#table = source.scan(new Set([child.pid]));
    this.#row = this.#table.rows.get(child.pid) ?? null;
  }

  questions(): Readonly<Record<(typeof askedParts)[number], Question>> {
    return {
      table: () => this.#inTable(),
      parent: () => this.#parent(),
      groups: () => this.#groups(),
      name: () => this.#name(),
      identity: () => this.#identity(),
      launched: () => this.#launched(),
      terminal: () => this.#terminals(),
      arguments: () => differs(this.#row?.argv, this.#child.argv),
      environment: () => this.#environment(),
      files: () => this.#files(),
      connections: () => this.#connections(),
      channels: () => this.#channels(),
      'wrong-signal': () => this.#wrongSignal(),
      signal: () => this.#signal(),
    };
  }

  #inTable(): string {
    const own = this.#table.rows.get(asPid(this.#self.pid));
    return firstOf(
      differs(own?.uid, this.#self.uid),
      differs(own?.ppid, this.#self.ppid),
      differs(this.#row?.uid, this.#self.uid),
      this.#row === null || hasEnded(this.#row) ? 'the child is not among the living' : '',
    );
  }

  #parent(): string {
    const recorded = this.#source.records?.parent(this.#child.pid);
    return firstOf(
      recorded === undefined ? '' : differs(recorded, this.#self.pid),
      differs(this.#row?.ppid, this.#self.pid),
    );
  }

  /** The child leads a group and a session, which no other process has. */
  #groups(): string {
    const own = this.#table.rows.get(asPid(this.#self.pid));
    const { pid } = this.#child;
    if (this.#noGroups) return '';
    return firstOf(
      differs(this.#row?.pgid, pid),
      differs(this.#row?.sid, pid),
      Number(own?.pgid) === Number(pid) || Number(own?.sid) === Number(pid) ? 'this process has the child’s group' : '',
    );
  }

  #name(): string {
    return firstOf(
      differs(this.#row?.comm, this.#child.name),
      this.#noGroups ? differs(this.#programFile(), this.#child.name) : '',
      this.#onMac ? differs(this.#table.rows.get(asPid(1))?.comm, 'launchd') : '',
    );
  }

  /** Windows tells the name in the table, and by another call the path. */
  #programFile(): string | undefined {
    const facts = this.#row === null ? undefined : this.#source.facts([this.#row]).get(this.#child.pid);
    return facts?.executable?.toLowerCase().split('/').at(-1);
  }

  /** launchd is another user’s, and in another coalition than what a user started. */
  #launched(): string {
    if (!this.#onMac) return '';
    const [own, child, launchd] = [this.#self.pid, this.#child.pid, 1].map((pid) =>
      this.#source.records?.coalition(asPid(pid)),
    );
    return firstOf(
      differs(this.#table.rows.get(asPid(1))?.uid, 0),
      own == null ? 'the coalition of this process is not told' : differs(child, own),
      launchd === own ? `launchd is in the coalition ${told(own)} of this process` : '',
    );
  }

  /** The child leads a session, so it has none. */
  #terminals(): string {
    const row = this.#table.rows.get(asPid(this.#self.pid));
    // Without one, a handle may be left that stands for none: -4 under Wine.
    const console = this.#console === true ? differs(row?.windows?.console, true) : '';
    if (console !== '' || this.#terminal === null) return console;
    const own = row?.tty ?? null;
    if (own === null) return 'no row';
    const isRight = this.#terminal === 'some' ? own !== 0 : own === (this.#terminal === 'none' ? 0 : this.#terminal);
    return firstOf(isRight ? '' : `${own} instead of ${this.#terminal}`, differs(this.#row?.tty, 0));
  }

  #identity(): string {
    if (this.#row === null) return 'no row';
    const again = this.#source.read(this.#child.pid);
    const startMs = startedAtMs(this.#table, this.#row.startTicks);
    const [fromMs, toMs] = this.#child.started;
    const inTime = startMs >= fromMs - clockToleranceMs && startMs <= toMs + clockToleranceMs;
    const age = awakeAge(this.#table, this.#row);
    const isYoung = age <= (this.#table.takenAtMs - fromMs + clockToleranceMs) / 1000;
    return firstOf(
      differs(again?.startTicks, this.#row.startTicks),
      isYoung ? '' : `${age} s old`,
      inTime ? '' : `started at ${startMs}, which is not between ${fromMs} and ${toMs}`,
    );
  }

  /** Environments of the system's own programs may be hidden; ours and another one must show. */
  #environment(): string {
    const row = this.#row;
    const found = row === null ? null : this.#source.environment(row);
    if (found !== null) return differs(found[keepName], '1');
    const marked = this.#markedEnvironment();
    if (marked !== '') return marked;
    const hidden = row === null || this.#source.facts([row]).get(row.pid)?.hidden !== undefined;
    if (hidden || !this.#hides) return 'the environment of the child is not shown';
    return this.#source.readEnvironment(asPid(this.#self.pid)) === null ? 'its own environment is not shown' : '';
  }

  /** Another program’s environment, where there is one that no system hides. */
  #markedEnvironment(): string {
    const marked = this.#hides ? this.#startMarked() : null;
    if (marked === null) return '';
    try {
      return differs(this.#source.readEnvironment(marked.pid)?.[keepName], '1');
    } finally {
      marked.remove();
    }
  }

  #files(): string {
    if (this.#row === null) return 'no row';
    const facts = this.#source.facts([this.#row]).get(this.#child.pid);
    const output = { fd: 1, target: this.#child.output, deleted: false };
    const none = facts?.openFiles?.find(({ fd }) => fd === 2);
    return firstOf(
      differs(facts?.cwd, this.#child.folder),
      // A device, where the types of files are told.
      this.#onMac ? differs(none, { fd: 2, target: '/dev/null', deleted: false }) : '',
      differs(
        facts?.openFiles?.find(({ fd }) => fd === 1),
        output,
      ),
      differs(
        this.#source.outputs(this.#row)?.find(({ fd }) => fd === 1),
        output,
      ),
    );
  }

  /** A connection to ourselves has both ends, and a pipe loses one when it is closed. */
  #connections(): string {
    if (!this.#onMac && !this.#noGroups) return '';
    const ends = this.#openEnds();
    if ('problem' in ends) return ends.problem;
    try {
      return firstOf(this.#tcp(ends), ends.pipe === null ? '' : this.#pipe(ends.pipe));
    } finally {
      ends.remove();
    }
  }

  #tcp({ port, client }: KnownEnds): string {
    const own = this.#table.rows.get(asPid(this.#self.pid));
    const facts = own === undefined ? undefined : this.#source.facts([own]).get(own.pid);
    if (facts === undefined || facts.openFiles === null || own === undefined) return 'its own files are not shown';
    const asked = { pid: own.pid, files: facts.openFiles, ports: new Set([port]) };
    const clients = this.#source.sockets?.possibleClients([asked])[0] ?? [];
    // Wine tells no owners; then everything may have a client, and is spared.
    if (this.#noGroups && clients.some(({ by }) => by === 'unknown')) return '';
    if (!facts.ports.includes(port)) return `port ${port} is not among ${told(facts.ports)}`;
    // Where no descriptor tells which one it is, it is one of those that have a number.
    const targets = facts.openFiles.flatMap(({ fd, target }) => {
      if (client !== null) return fd === client ? [target] : [];
      return fd < 0 ? (/^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []) : [];
    });
    const isPeer = (peers: readonly string[] | null): boolean => peers?.some((one) => targets.includes(one)) === true;
    const found = clients.find(({ at, peers }) => at === `port ${port}` && isPeer(peers));
    return found === undefined ? `${told(targets)} are not among ${told(clients)}` : '';
  }

  #pipe({ ends: [reads, writes], closeWriting }: NonNullable<KnownEnds['pipe']>): string {
    const held = (fd: number) =>
      this.#source
        .channels?.()
        .of(asPid(this.#self.pid))
        ?.held.find((one) => one.fd === fd);
    const [read, write] = [held(reads), held(writes)];
    if (read?.far !== 'open' || write?.far !== 'open') return `${told([read, write])} while the pipe is open`;
    if (read.otherEnd !== write.end || write.otherEnd !== read.end) return `${told([read, write])} are no pipe`;
    closeWriting();
    const closed = held(reads);
    return closed?.far === 'closed' ? '' : `${told(closed)} when the pipe is closed`;
  }

  /** Its input is open while this process holds the other side, and closed when none does. */
  #channels(): string {
    const { pid } = this.#child;
    const open = this.#source.channels?.();
    // Where no far end is told, none counts as closed.
    if (open === undefined || open.farEnds === 'untold') return '';
    const input = open.of(pid)?.held.find(({ fd }) => fd === 0);
    if (this.#mayNotKnowChannels && (input?.far ?? 'unknown') === 'unknown') return '';
    if (input?.far !== 'open' || input.otherEnd === null) return `${told(input)} while it is open`;
    if (open.ends(this.#self.pid)?.has(input.otherEnd) !== true) return `${input.otherEnd} is not held by this process`;
    this.#child.closeInput();
    const closed = this.#source
      .channels?.()
      .of(pid)
      ?.held.find(({ fd }) => fd === 0);
    return closed?.far === 'closed' ? '' : `${told(closed)} when it is closed`;
  }

  #wrongSignal(): string {
    if (this.#row === null) return 'no row';
    const identity = identityOf(this.#table, this.#row);
    const another = this.#signaller.open({ ...identity, startTicks: identity.startTicks + 1 });
    another?.close();
    if (another !== null) return 'another identity was taken for it';
    return this.#signaller.refusesWrongVersion?.(identity) === false ? 'a signal to another version was sent' : '';
  }

  #signal(): string {
    if (this.#row === null) return 'no row';
    const handle = this.#signaller.open(identityOf(this.#table, this.#row));
    if (handle === null) return 'it was not found';
    try {
      if (!handle.alive()) return 'it counts as ended while it lives';
      // Windows knows no other signal of which it is sure that the child hears it.
      const sent = handle.send(handle.kind === 'handle' ? 'KILL' : 'TERM');
      if (sent !== 'sent') return sent;
      for (let waited = 0; handle.alive(); waited += pollMs) {
        if (waited >= this.#patienceMs) return `it lives ${this.#patienceMs / 1000} s after its signal`;
        // All of the check is one moment.
        blockFor(pollMs);
      }
      const after = this.#source.read(this.#child.pid);
      return after === null || hasEnded(after) ? '' : 'it counts as ended and is among the living';
    } finally {
      handle.close();
    }
  }
}

const answered = (part: ReaderPart, question: Question): CheckedPart => {
  try {
    const found = question();
    return { part, ok: found === '', found };
  } catch (error) {
    return { part, ok: false, found: messageOf(error) };
  }
};

/** By how much the wall clock is ahead of one that is never set, milliseconds. */
const aheadMs = (): number => Date.now() - performance.now();

/** Checks a reader and a signaller; never throws. See SelfCheck. */
export const selfCheck = (input: CheckInput): ReaderCheck => {
  const before = aheadMs();
  const found = checkOnce(input);
  // The clock was set meanwhile: the start of the child and the table have two wall clocks.
  const wasSet = Math.abs(aheadMs() - before) > clockToleranceMs;
  return wasSet && found.parts.some(({ ok }) => !ok) ? checkOnce(input) : found;
};

const checkOnce = (input: CheckInput): ReaderCheck => {
  const reader = input.source.name;
  const child = (input.start ?? startKnownChild)();
  if ('problem' in child) return { reader, parts: [{ part: 'start', ok: false, found: child.problem }] };
  try {
    const check = new SelfCheck(input, child);
    const questions = check.questions();
    return { reader, parts: askedParts.map((part) => answered(part, questions[part])) };
  } catch (error) {
    return { reader, parts: [{ part: 'table', ok: false, found: messageOf(error) }] };
  } finally {
    child.remove();
  }
};
