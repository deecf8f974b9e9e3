import { parseJson } from '../../../app/format/json.ts';
import { agentIds, asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { Watch } from '../../../app/diagnose/watch.ts';
import { once } from '../../../app/format/once.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import type { ImageMark, KeepMemory, LedgerEntry, ProcessRef, SeenAgent } from '../../../app/jobs/ledger/ledger.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import { asJobId } from '../../../app/model/job.ts';
import { type Proof, claimed, witnessKinds } from '../../../app/model/proof.ts';
import type { ServerMemory } from '../../../app/model/server-state.ts';
import type { AwakeStretch } from '../../../app/process/awake.ts';
import { type BootId, asBootId } from '../../../app/process/identity.ts';
import { numberCell, textCell, type Connection, inTransaction } from '../database/sqlite.ts';
import { otherBootsMs, readAwake, writeAwake } from './ledger-awake.ts';
import { type WitnessChange, ioCounts, readWitnesses, writeWitnesses } from './ledger-witnesses.ts';
import { z } from 'zod';

/**
 * Reads entries back from the ledger's database. Strict: an entry is evidence for ending processes,
 * so one that is invalid in any part proves nothing.
 */

const count = once(() => z.number().int().nonnegative());
const moment = once(() => z.number());
const textOrNull = once(() => z.string().nullable());
/** Process 1 is no job's, and 0 and negative numbers mean groups or all processes to kill(2). */
const processId = once(() => z.number().int().min(2));
const processMark = once((): z.ZodType<ProcessRef> =>
  z.object({ pid: processId(), startTicks: z.number().nonnegative() }),
);

const seenAgent = once((): z.ZodType<SeenAgent> =>
  z.object({
    agent: z.enum(agentIds),
    pid: processId(),
    startTicks: z.number().nonnegative(),
    claims: z.literal(true).exactOptional(),
    starts: z.literal(true).exactOptional(),
  }),
);

const provenance = once(() =>
  z.discriminatedUnion('code', [
    z.object({ code: z.literal('wrapper'), rule: z.string() }),
    z.object({ code: z.literal('marker'), rule: z.string() }),
    z.object({ code: z.literal('output'), path: z.string() }),
    z.object({ code: z.literal('ledger'), firstSeenMs: moment() }),
    z.object({ code: z.literal('parent'), agent: z.enum(agentIds) }),
    z.object({ code: z.literal('rule'), rule: z.string() }),
    z.object({ code: z.literal('run'), run: z.string() }),
    z.object({ code: z.literal('agent'), agent: z.enum(agentIds) }),
  ]),
);

const proof = once((): z.ZodType<Proof> =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('claimed') }),
    z.object({
      kind: z.enum(witnessKinds),
      agent: z.enum(agentIds),
      process: processMark().nullable(),
      atMs: moment(),
    }),
  ]),
);

const activity = once(() =>
  z.object({
    cpuMs: z.number().nonnegative(),
    ioBytes: z.number().nonnegative().nullable(),
    outputBytes: z.number().nonnegative().nullable(),
    membership: z.string(),
    exchange: z.string().exactOptional(),
    changedAtTicks: z.number().nonnegative(),
    observedAtTicks: z.number().nonnegative(),
    quietLooks: count(),
  }),
);

const ticks = once(() => z.number().nonnegative());
const ticksByKey = once(() => z.record(z.string(), ticks()));

/** Only for diagnoses, no evidence for ending anything: if invalid, it counts as never seen. */
const watch = once((): z.ZodType<Watch | null> =>
  z
    .object({
      waits: ticksByKey(),
      spin: z
        .object({
          sinceTicks: ticks(),
          cpuMs: z.number(),
          lastTicks: ticks(),
          lastCpuMs: z.number(),
          lastSwitches: z.number().nullable(),
          lastFirstMs: z.number().nullable(),
          greedy: z.boolean(),
          still: z.string(),
        })
        .nullable(),
      poll: z
        .object({
          sinceTicks: ticks(),
          cpuMs: z.number(),
          outputBytes: z.number().nullable(),
          pause: z.string(),
          pauses: count(),
          written: z.number().nonnegative().nullable(),
          wrote: z.boolean(),
        })
        .nullable(),
      leak: z
        .object({
          process: z.string(),
          sinceTicks: ticks(),
          first: count(),
          last: count(),
          stepTicks: ticks(),
          stepCount: count(),
          rises: count(),
        })
        .nullable(),
      flood: z
        .object({
          path: z.string(),
          fromTicks: ticks(),
          fromBytes: count(),
          stepTicks: ticks(),
          stepBytes: count(),
          lastBytes: count(),
        })
        .nullable(),
      zombies: ticksByKey(),
      connections: ticksByKey(),
      growth: z
        .record(
          z.string(),
          z.object({
            fromTicks: ticks(),
            fromBytes: count(),
            stepTicks: ticks(),
            stepBytes: count(),
            taken: z.object({ bytes: count(), seconds: count() }).nullable(),
          }),
        )
        .default({}),
    })
    .nullable()
    .default(null)
    .catch(null),
);

const imageMark = once((): z.ZodType<ImageMark> =>
  z.object({
    pid: processId(),
    startTicks: z.number().nonnegative(),
    image: textOrNull(),
  }),
);
const keep = once((): z.ZodType<KeepMemory> =>
  z.object({
    assigned: z.boolean(),
    kept: z.array(imageMark()),
    plain: z.array(imageMark()),
  }),
);

const server = once((): z.ZodType<ServerMemory> =>
  z.object({
    bytes: z.record(z.string(), z.number().nonnegative()),
    counts: z.record(z.string(), ioCounts()).exactOptional(),
    movedAtTicks: ticks().nullable(),
    looks: count(),
    free: z
      .object({
        seconds: z.number().nonnegative(),
        atTicks: ticks(),
        cpuMs: z.number().nonnegative().exactOptional(),
        idle: z
          .object({ bytesPerSecond: z.number().nonnegative(), cpuMsPerSecond: z.number().nonnegative() })
          .exactOptional(),
      })
      .exactOptional(),
  }),
);

const entrySchema = once((): z.ZodType<Earlier> =>
  z.object({
    id: z.string().regex(jobIdPattern).transform(asJobId),
    bootId: z.string().min(1).transform(asBootId),
    agent: z.enum(agentIds),
    rule: z.string(),
    command: z.string().transform(redactCommand),
    project: textOrNull(),
    session: z.string().transform(asAgentSessionId).nullable(),
    task: textOrNull(),
    output: textOrNull(),
    root: processMark(),
    groups: z.array(processId()),
    kernelSessions: z.array(processId()),
    members: z.array(processMark()),
    numbers: z.array(count()).exactOptional(),
    owner: processMark().nullable(),
    couldOwn: z.array(seenAgent()).exactOptional(),
    ownerService: textOrNull(),
    ownerGoneSinceMs: moment().nullable(),
    // An earlier release stored no ticks.
    ownerGoneAtTicks: ticks().nullable().default(null),
    provenance: z.array(provenance()),
    proof: proof().optional(),
    pipeReaders: z.array(processMark()).exactOptional(),
    users: z.string().exactOptional(),
    firstSeenMs: moment(),
    lastSeenMs: moment(),
    lastSeenTicks: z.number().nonnegative(),
    activity: activity(),
    watch: watch(),
    keep: keep().exactOptional(),
    noticedAtMs: moment().nullable(),
    announcedAtTicks: ticks().nullable().default(null),
    server: server().exactOptional(),
  }),
);

/** An entry as any release wrote it: earlier ones stored no proof. */
type Earlier = Omit<LedgerEntry, 'proof'> & { readonly proof?: Proof | undefined };

/**
 * What the entry of an earlier release truly proves. `parent` was noted only of what was seen below
 * its living agent, `run` and `agent` by Curfew itself; the grammar of a shell without its group,
 * and the name of a file, are claims.
 */
const proofOfEarlier = ({ provenance: noted, agent, owner, firstSeenMs, root }: Earlier): Proof => {
  const codes = new Set(noted.map(({ code }) => code));
  const isOwn = codes.has('agent');
  if (!isOwn && !codes.has('parent') && !codes.has('run')) return claimed;
  return { kind: 'look', agent, process: isOwn ? root : owner, atMs: firstSeenMs };
};

/** Returns the ledger entry in a stored text, or null if any part is invalid. */
export const storedLedgerEntry = (body: string): LedgerEntry | null => {
  const { data } = entrySchema().safeParse(parseJson(body));
  return data === undefined ? null : { ...data, proof: data.proof ?? proofOfEarlier(data) };
};

export interface LedgerRows {
  readonly entries: readonly LedgerEntry[];
  /** What was drawn when this ledger was made, so that another one is known for another. */
  readonly identity: string;
  /** When the machine was awake in this boot, the oldest first. */
  readonly awake: readonly AwakeStretch[];
  /** Ids of invalid entries. */
  readonly bad: readonly string[];
  /** By id; null for an invalid one. */
  readonly witnesses: ReadonlyMap<string, Witness | null>;
}

/** A change of the ledger. Without the name of a boot's rows nothing is written. */
export interface LedgerChange {
  readonly boot: BootId | null;
  readonly written: readonly LedgerEntry[];
  /** Ids whose jobs have ended, or whose entries are invalid. */
  readonly gone: readonly string[];
  /** All stretches in which the machine was awake in this boot; empty: nothing new. */
  readonly awake: readonly AwakeStretch[];
  readonly witnesses: WitnessChange;
}

/**
 * Returns a number that changes whenever another connection has written.
 * https://www.sqlite.org/pragma.html#pragma_data_version
 */
export const dataVersion = (connection: Connection): number =>
  numberCell(connection.prepare('PRAGMA data_version').get()?.['data_version']);

/** Returns what is remembered of a boot. @param rows the name under which its rows stand */
export const readLedger = (connection: Connection, boot: BootId, rows: BootId): LedgerRows => {
  const entries: LedgerEntry[] = [];
  const bad: string[] = [];
  for (const row of connection.prepare('SELECT id, body FROM entry WHERE boot = ?').all(rows)) {
    const id = textCell(row['id']);
    const entry = storedLedgerEntry(textCell(row['body']));
    if (entry !== null && entry.id === id && entry.bootId === boot) entries.push(entry);
    else bad.push(id);
  }
  const identity = textCell(connection.prepare('SELECT id FROM origin').get()?.['id']);
  return { entries, identity, awake: readAwake(connection, rows), bad, witnesses: readWitnesses(connection, rows) };
};

/** Of two processes that scan the same job, the later scan wins. */
const upsert = `
INSERT INTO entry (boot, id, seen_ticks, written_ms, body) VALUES (:boot, :id, :ticks, :now, :body)
ON CONFLICT (boot, id) DO UPDATE SET seen_ticks = excluded.seen_ticks, written_ms = excluded.written_ms, body = excluded.body
WHERE excluded.seen_ticks >= entry.seen_ticks`;

const writeEntries = (
  connection: Connection,
  boot: BootId,
  { written, gone }: Pick<LedgerChange, 'written' | 'gone'>,
  now: number,
): void => {
  const put = connection.prepare(upsert);
  for (const entry of written) {
    put.run({ boot, id: entry.id, ticks: entry.lastSeenTicks, now, body: JSON.stringify(entry) });
  }
  const remove = connection.prepare('DELETE FROM entry WHERE boot = ? AND id = ?');
  for (const id of gone) remove.run(boot, id);
  connection.prepare('DELETE FROM entry WHERE boot <> ? AND written_ms < ?').run(boot, now - otherBootsMs);
};

/** Writes a change in one transaction, and deletes what is out of date. */
export const writeLedger = (connection: Connection, change: LedgerChange, nowMs: number): void => {
  const now = Math.round(nowMs);
  inTransaction(connection, () => {
    if (change.boot !== null) {
      writeEntries(connection, change.boot, change, now);
      writeAwake(connection, change.boot, change.awake, now);
      writeWitnesses(connection, change.boot, change.witnesses, now);
    }
  });
};
