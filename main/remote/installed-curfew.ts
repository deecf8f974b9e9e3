import { utf8Of } from '../os/recorded/utf8.ts';
import { parseJson } from '../../app/format/json.ts';
import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { z } from 'zod';
import { incidentFromView } from '../../app/documents/incident.ts';
import { incidentViewSchema, reapDocumentSchema } from '../../app/contract/views/incident-view.ts';
import { type ScanDocument, scanDocumentSchema } from '../../app/contract/views/scan.ts';
import type { Incident } from '../../app/history/incident.ts';
import { isSameRelease } from '../../app/remote/release.ts';
import { visibleText } from '../../app/format/visible.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Engine } from '../engine/engine.ts';
import type { SshConnection } from './connection.ts';
import { HostFailure } from './host-failure.ts';
import { installedScript } from './scripts/scripts.ts';

/** A reaping over there takes its graces, of at most 300 s each, many at once; milliseconds. */
const maxReapMs = 900_000;

export type LocalRecord = Pick<Engine, 'journal' | 'history'>;

interface Call {
  readonly status: number;
  readonly document: string;
  readonly said: string;
}

/** The Curfew there refused the call (an unknown job, say). The message is its own, for users. */
export class InstalledRefusal extends Error {
  override readonly name = 'InstalledRefusal';
}

/** In a dry run, which records nothing, incidents have no id. */
const reapedSchema = reapDocumentSchema.extend({ incidents: z.array(incidentViewSchema.extend({ id: z.string() })) });

const call = async (connection: SshConnection, args: readonly string[], timeoutMs?: number): Promise<Call | null> => {
  const lines = args.map((argument) => `argument ${Buffer.from(argument, 'utf8').toString('latin1')}`);
  const sections = await connection.ask({
    script: installedScript,
    lines,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const document = sections.get('document')?.[0];
  const status = sections.get('status')?.[0] ?? '';
  if (document === undefined || !/^\d{1,3}$/u.test(status)) return null;
  return { document: utf8Of(document), status: Number(status), said: utf8Of(sections.get('said')?.[0] ?? '') };
};

/**
 * The Curfew that is installed on another machine. It knows more than a look from here (its own
 * settings, ledger and hooks) and ends processes through pidfds, so it is used where it is of the
 * same release.
 */
export class InstalledCurfew {
  readonly #connection: SshConnection;

  private constructor(connection: SshConnection) {
    this.#connection = connection;
  }

  /** Finds it; null when there is none, or one of another release. Throws HostFailure. */
  static async find(connection: SshConnection): Promise<InstalledCurfew | null> {
    const version = await call(connection, ['--version']);
    if (version?.status !== 0 || !isSameRelease(manifest.version, version.document)) return null;
    return new InstalledCurfew(connection);
  }

  /** `curfew scan --json` there, with the machine's name known here. Throws HostFailure. */
  async scan(args: readonly string[]): Promise<ScanDocument> {
    const document = await this.#document(['scan', '--json', ...args], scanDocumentSchema);
    return { ...document, host: this.#connection.host };
  }

  /** The same as text, without what would move a terminal's cursor. Throws HostFailure. */
  async text(args: readonly string[]): Promise<string> {
    const { document } = await this.#call(args);
    return document.split('\n').map(visibleText).join('\n');
  }

  /**
   * `curfew reap --json` over there. It keeps its own record before it signals; a copy is kept here
   * once it has told what it did. Throws HostFailure, InstalledRefusal, and what the journal
   * throws.
   */
  async reap(args: readonly string[], record: LocalRecord): Promise<readonly Incident[]> {
    const { incidents } = await this.#document(['reap', '--json', ...args], reapedSchema, maxReapMs);
    const kept = incidents.map((view) => incidentFromView(view, this.#connection.host));
    if (!args.includes('--dry-run')) for (const incident of kept) keepCopy(incident, record);
    return kept;
  }

  /** Puts a limit off there, or lets it count (null). Throws HostFailure, InstalledRefusal. */
  async keep(job: string, seconds: number | null): Promise<void> {
    await this.#call(seconds === null ? ['unkeep', job] : ['keep', `--for=${Math.ceil(seconds)}s`, job]);
  }

  async #document<Schema extends z.ZodType>(
    args: readonly string[],
    schema: Schema,
    timeoutMs?: number,
  ): Promise<z.infer<Schema>> {
    const { document } = await this.#call(args, timeoutMs);
    const parsed = schema.safeParse(parseJson(document));
    if (parsed.success) return parsed.data;
    throw this.#failed('the curfew that is installed there gave no document that could be understood');
  }

  async #call(args: readonly string[], timeoutMs?: number): Promise<Call> {
    const came = await call(this.#connection, args, timeoutMs);
    if (came === null) throw this.#failed(say('the curfew that is installed there is gone'));
    const said = visibleText(came.said.trim().split('\n').at(-1) ?? '').slice(0, 500);
    if (came.status === 2) throw new InstalledRefusal(`curfew on ${this.#connection.host}: ${said}`);
    if (came.document.trim() === '')
      throw this.#failed(say('the curfew that is installed there says: {said}', { said }));
    return came;
  }

  #failed(detail: Said): HostFailure {
    return new HostFailure(this.#connection.host, { code: 'other', detail });
  }
}

/** One on record here already (both may share a home) is left as it is. */
const keepCopy = (incident: Incident, { journal, history }: LocalRecord): void => {
  if (history.get(incident.id) !== null) return;
  const {
    events,
    signals: _signals,
    outcome: _outcome,
    survivors: _survivors,
    freed: _freed,
    outputTail: _tail,
    tookMs: _took,
    ...intent
  } = incident;
  journal.together(() => {
    journal.begin(intent);
    for (const event of events) journal.append(incident.id, event);
  });
};
