import { parseJson } from '../../../app/format/json.ts';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { sameValue } from '../../../app/contract/difference/same-value.ts';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { asCallGroupKey } from '../../../app/agents/common/call-group.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { IoCounts } from '../../../app/process/facts.ts';
import type { BootId } from '../../../app/process/identity.ts';
import { textCell, type Connection } from '../database/sqlite.ts';
import { otherBootsMs } from './ledger-awake.ts';

/** Bytes and system calls of a process. */
export const ioCounts = once((): z.ZodType<IoCounts> =>
  z.object({
    readBytes: z.number().int().nonnegative(),
    writtenBytes: z.number().int().nonnegative(),
    reads: z.number().int().nonnegative(),
    writes: z.number().int().nonnegative(),
  }),
);

const mark = once(() => ({ pid: z.number().int().min(1), startTicks: z.number().nonnegative() }));
const sid = once(() => z.number().int().nonnegative());
const endedTicks = once(() => z.number().nonnegative().nullable());

const moment = once(() => z.number().nonnegative());
/** The longest path that the kernel takes, and a hierarchy. */
const callGroup = once(() => z.string().max(4200).transform(asCallGroupKey));
const totals = once(() => z.object({ atTicks: moment(), cpuMs: moment(), ioBytes: moment().nullable() }));

const witness = once((): z.ZodType<Witness> =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('user'), ...mark(), sid: sid() }),
    z.object({ kind: z.literal('doubtful'), ...mark(), sid: sid() }),
    z.object({
      kind: z.literal('opened'),
      ...mark(),
      claims: z.array(z.string()),
      callGroup: callGroup().exactOptional(),
      endedTicks: endedTicks(),
    }),
    z.object({ kind: z.literal('daemon'), ...mark(), sid: sid(), callGroup: callGroup(), endedTicks: endedTicks() }),
    z.object({
      kind: z.literal('agent'),
      ...mark(),
      agent: z.enum(agentIds),
      number: z.number().int().nonnegative().exactOptional(),
      launcher: z.object(mark()).exactOptional(),
      terminal: z.array(z.string()).nullable(),
      unit: z.string().nullable(),
      callGroup: callGroup().exactOptional(),
      adopts: z.literal(true).exactOptional(),
      followsTicks: moment().exactOptional(),
      endedTicks: endedTicks(),
    }),
    z.object({
      kind: z.literal('reach'),
      ...mark(),
      ends: z.enum(['hung-up', 'client-gone', 'other']),
      sinceTicks: moment(),
      workTicks: moment().nullable(),
      busyTicks: moment().nullable(),
      measured: totals(),
      still: totals(),
    }),
    z.object({
      kind: z.literal('server'),
      ...mark(),
      sid: z.number().int().nonnegative().exactOptional(),
      agent: z.enum(agentIds),
      inner: z.boolean(),
      owner: z.object(mark()),
      still: z
        .object({
          sinceTicks: moment(),
          counts: ioCounts(),
          ran: z.string().exactOptional(),
          folder: z.string().exactOptional(),
          environment: z.string().exactOptional(),
          computed: z.object({ atTicks: moment(), cpuMs: moment() }).exactOptional(),
        })
        .exactOptional(),
    }),
    z.object({
      kind: z.literal('service'),
      ...mark(),
      command: z.string().max(16),
      ports: z.array(z.number().int().min(1).max(65_535)),
    }),
    z.object({
      kind: z.literal('container'),
      ...mark(),
      container: z.string().regex(/^[0-9a-f]{64}$/u),
      name: z.string(),
      image: z.string().nullable(),
      agent: z.enum(agentIds),
      session: z.string().nullable(),
      project: z.string().nullable(),
      wrapper: z.object(mark()),
      owner: z.union([z.object(mark()), z.literal('gone'), z.null()]),
    }),
  ]),
);

const idOf = ({ kind, pid, startTicks }: Witness): string => `${kind}:${pid}:${startTicks}`;

/** Returns the witness in a stored text, or null if any part is invalid. */
export const storedWitness = (body: string): Witness | null => witness().safeParse(parseJson(body)).data ?? null;

export interface WitnessChange {
  readonly written: readonly Witness[];
  readonly gone: readonly string[];
}

/** What is known of witnesses, and what of that is on disk; by kind and identity. */
export class RememberedWitnesses {
  #known: ReadonlyMap<string, { readonly witness: Witness; readonly onDisk: Witness | null }> = new Map();
  /** Ids on disk that have to be deleted. */
  #gone: ReadonlySet<string> = new Set();

  all(): readonly Witness[] {
    return [...this.#known.values()].map((one) => one.witness);
  }

  /** Forgets everything, for another boot. */
  clear(): void {
    this.#known = new Map();
    this.#gone = new Set();
  }

  /** The file is a new one: nothing is on disk. */
  loseDisk(): void {
    this.#known = new Map([...this.#known].map(([id, one]) => [id, { ...one, onDisk: null }]));
    this.#gone = new Set();
  }

  /** Merges the disk's state: what is unwritten stays; what another process deleted goes. */
  takeOver(rows: ReadonlyMap<string, Witness | null>): void {
    const known = new Map([...this.#known].filter(([id, { onDisk }]) => onDisk === null || rows.has(id)));
    const gone = new Set([...this.#gone].filter((id) => rows.has(id)));
    for (const [id, onDisk] of rows) {
      // An invalid entry, or one under a wrong id, is removed.
      if (onDisk === null || idOf(onDisk) !== id) gone.add(id);
      else if (!gone.has(id)) {
        const before = known.get(id);
        const isNewer = before !== undefined && before.witness !== before.onDisk;
        known.set(id, { witness: isNewer ? before.witness : onDisk, onDisk });
      }
    }
    this.#known = known;
    this.#gone = gone;
  }

  /** Replaces all witnesses by those of a scan. */
  replace(witnesses: readonly Witness[]): void {
    const before = this.#known;
    this.#known = new Map(
      witnesses.map((one) => {
        const known = before.get(idOf(one));
        const same = known !== undefined && sameValue(known.witness, one);
        return [idOf(one), { witness: same ? known.witness : one, onDisk: known?.onDisk ?? null }];
      }),
    );
    const missing = [...before].filter(([id, { onDisk }]) => onDisk !== null && !this.#known.has(id));
    this.#gone = new Set([...this.#gone, ...missing.map(([id]) => id)].filter((id) => !this.#known.has(id)));
  }

  change(): WitnessChange {
    return {
      written: [...this.#known.values()].filter((one) => one.onDisk !== one.witness).map((one) => one.witness),
      gone: [...this.#gone],
    };
  }

  wrote({ written, gone }: WitnessChange): void {
    const known = new Map(this.#known);
    for (const one of written) if (known.has(idOf(one))) known.set(idOf(one), { witness: one, onDisk: one });
    this.#known = known;
    this.#gone = new Set([...this.#gone].filter((id) => !gone.includes(id)));
  }
}

export const readWitnesses = (connection: Connection, boot: BootId): ReadonlyMap<string, Witness | null> =>
  new Map(
    connection
      .prepare('SELECT id, body FROM witness WHERE boot = ?')
      .all(boot)
      .map((row) => [textCell(row['id']), storedWitness(textCell(row['body']))]),
  );

/** Writes a boot's changed witnesses, in a transaction. `now`: wall clock milliseconds. */
export const writeWitnesses = (connection: Connection, boot: BootId, change: WitnessChange, now: number): void => {
  const put = connection.prepare(
    `INSERT INTO witness (boot, id, written_ms, body) VALUES (:boot, :id, :now, :body)
     ON CONFLICT (boot, id) DO UPDATE SET written_ms = excluded.written_ms, body = excluded.body`,
  );
  for (const one of change.written) put.run({ boot, id: idOf(one), now, body: JSON.stringify(one) });
  const remove = connection.prepare('DELETE FROM witness WHERE boot = ? AND id = ?');
  for (const id of change.gone) remove.run(boot, id);
  connection.prepare('DELETE FROM witness WHERE boot <> ? AND written_ms < ?').run(boot, now - otherBootsMs);
};
