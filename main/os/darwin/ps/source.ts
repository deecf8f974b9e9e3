import type { MarkerEnvironment, MemberFacts, OpenFile } from '../../../../app/process/facts.ts';
import type { BootId, Pid } from '../../../../app/process/identity.ts';
import { asBootId, asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import type { MarkerNames } from '../../processes/environ.ts';
import { markerNames } from '../../processes/environ.ts';
import { sameRow } from '../../processes/same-row.ts';
import type { ProcessSource } from '../../processes/source.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { HeldFiles } from './held-files.ts';
import type { ProcessArguments } from '../kernel/arguments.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';
import { argumentReader, openSessionOf, type DarwinCalls } from './process-arguments.ts';
import { darwinProbing } from '../common/probing.ts';
import { shortName, splitArguments, unvis } from './ps-arguments.ts';
import { lookColumns, psRowsIn, type PsRow } from './ps-rows.ts';
import type { PsDialect, PsFields } from './ps-fields.ts';
import { applePs } from './ps-fields.ts';
import { ofAll, ofOne, runQuery } from './ps.ts';
import { momentOf } from '../common/clock.ts';
import { upSeconds } from '../common/up-seconds.ts';

/** What a DarwinSource is made with. */
export interface DarwinSourceOptions {
  /** The allow-list: only these environment variables are ever decoded. */
  readonly environmentNames: Iterable<string>;
  /** The user whose processes are candidates. */
  readonly uid: number;
  /** Replaces Apple's ps; for tests. */
  readonly dialect?: PsDialect;
  /** Replaces Apple's boot id; for tests. */
  readonly readBootId?: () => string;
  /** Reads arguments and environments, where the self-check found it right. Left out: unknown. */
  readonly kernel?: DarwinKernel;
  /** What processes hold; for tests. */
  readonly held?: HeldFiles;
  /** Runs ps and gives its output; for tests. */
  readonly runPs?: (args: readonly string[]) => string;
}

/** Returns Apple's own boot id. */
const appleBootId = (): string => runQuery('sysctl', ['-n', 'kern.bootsessionuuid']).trim();

/**
 * The process table of macOS where the kernel's own answers can't be had, or failed the self-check:
 * one call of ps for a look, and lsof beside the looks (see `HeldFiles`). Nothing is ended
 * automatically by it. Start times have a resolution of one second, within which no pid is reused.
 */
export class DarwinSource implements ProcessSource {
  readonly name = 'ps';
  readonly canReap = true;
  readonly pidNamespace = null;
  readonly cgroups = null;
  readonly probing = darwinProbing;
  readonly bootId: BootId;
  readonly #uid: number;
  readonly #dialect: PsDialect;
  readonly #calls: DarwinCalls;
  readonly #held: HeldFiles;
  readonly #runPs: (args: readonly string[]) => string;
  #rows: ReadonlyMap<Pid, ProcessRow> = new Map();
  #environments = new WeakMap<ProcessRow, MarkerEnvironment>();

  /** @throws ProcessTableUnreadable when the machine does not report its boot */
  constructor(options: DarwinSourceOptions) {
    const { environmentNames, uid, dialect = applePs, readBootId = appleBootId, kernel, held } = options;
    this.#held = held ?? new HeldFiles();
    this.#runPs = options.runPs ?? ((args) => runQuery('ps', args));
    const names: MarkerNames = markerNames(environmentNames);
    this.#uid = uid;
    this.#dialect = dialect;
    this.#calls = {
      readArguments: kernel === undefined ? null : argumentReader(kernel, names),
      sessionOf: openSessionOf(),
    };
    const boot = readBootId();
    if (boot === '') throw new ProcessTableUnreadable('This machine does not identify its boots.');
    this.bootId = asBootId(boot);
  }

  scan(_watched: ReadonlySet<Pid>): ProcessTable {
    const takenAtMs = Date.now();
    const up = upSeconds();
    this.#held.begin(this.#rows);
    const found = psRowsIn(this.#runPs(ofAll(lookColumns(this.#dialect))));
    const rows = new Map<Pid, ProcessRow>();
    for (const fields of found.rows) if (fields.pid > 0) rows.set(asPid(fields.pid), this.#row(fields));
    if (!rows.has(asPid(process.pid)))
      throw new ProcessTableUnreadable('ps does not show this very process, so what it shows is not the whole table.');
    this.#rows = rows;
    return {
      bootId: this.bootId,
      ...momentOf(takenAtMs, rows.get(asPid(1))?.startTicks ?? null, up),
      uid: this.#uid,
      self: asPid(process.pid),
      rows,
      complete: found.unread === 0 && rows.has(asPid(1)),
      unread: found.unread,
    };
  }

  read(pid: Pid): ProcessRow | null {
    const [fields, ...others] = psRowsIn(this.#runPs(ofOne(pid, lookColumns(this.#dialect)))).rows;
    return fields?.pid === pid && others.length === 0 ? this.#build(fields) : null;
  }

  environment(row: ProcessRow): MarkerEnvironment | null {
    const known = this.#environments.get(row);
    if (known !== undefined) return known;
    const environment = this.readEnvironment(row.pid);
    if (environment !== null) this.#environments.set(row, environment);
    return environment;
  }

  readEnvironment(pid: Pid): MarkerEnvironment | null {
    return this.#calls.readArguments?.(pid)?.environment ?? null;
  }

  outputs(row: ProcessRow): readonly OpenFile[] | null {
    return this.#held.of(row)?.openFiles.filter(({ fd }) => fd === 1 || fd === 2) ?? null;
  }

  facts(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts> {
    const facts = new Map<number, MemberFacts>();
    for (const row of rows) {
      const of = this.#held.of(row);
      facts.set(row.pid, {
        environment: this.readEnvironment(row.pid),
        cwd: of?.cwd ?? null,
        cwdDeleted: false,
        executable: of?.executable ?? null,
        openFiles: of?.openFiles ?? null,
        cgroups: null,
        pidNamespace: null,
        ioBytes: null,
        ports: of?.ports ?? [],
        sockets: of?.sockets ?? 0,
        // macOS does not show the system call of a process.
        blockedReading: null,
        locks: of?.locks ?? [],
      });
    }
    return facts;
  }

  /** Returns the row; the same object as before if nothing changed. */
  #row(fields: PsRow): ProcessRow {
    const row = this.#build(fields);
    const before = this.#rows.get(row.pid);
    return before !== undefined && sameRow(before, row) ? before : row;
  }

  #build(fields: PsRow): ProcessRow {
    const text = unvis(fields.text);
    const exact: ProcessArguments | null =
      fields.uid === this.#uid ? (this.#calls.readArguments?.(fields.pid) ?? null) : null;
    return {
      pid: asPid(fields.pid),
      ppid: asPid(fields.ppid),
      pgid: asGroupId(fields.pgid),
      sid: asKernelSessionId(this.#sessionOf(fields)),
      tty: fields.tty,
      state: fields.state,
      startTicks: fields.startMs * 1_000,
      cpuMs: fields.cpuMs,
      rssBytes: fields.rssBytes,
      uid: fields.uid,
      comm: shortName(text),
      argv: fields.state === 'Z' ? [] : (exact?.argv ?? splitArguments(text)),
      kernelThread: false,
    };
  }

  /**
   * If the session is unknown, the group stands for it. A group never spans two sessions, so this
   * never joins what is separate.
   */
  #sessionOf({ pid, pgid, session, sessionLeader }: PsFields): number {
    if (sessionLeader) return pid;
    if (session > 0) return session;
    const told = this.#calls.sessionOf?.(pid) ?? 0;
    return told > 0 ? told : pgid;
  }
}
