import { z } from 'zod';
import { agentIds } from '../../app/agents/common/agent-id.ts';
import { once } from '../../app/format/once.ts';
import { jobKinds } from '../../app/model/job.ts';
import type { LookFacts, Watching } from '../../app/metrics/facts.ts';
import { owners, verdicts } from '../../app/metrics/family.ts';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';

/** While only times and memory change, it is written again after this time, milliseconds. */
const againMs = 30_000;
/** A file that is not written again within this many seconds is of no running supervisor. */
const minValidSeconds = 120;

/** What is on disk: the facts, and until when they are those of a running supervisor. */
const storedSchema = once(() => {
  const count = z.number().nonnegative();
  const moment = z.number().min(0).max(8.64e15);
  const agent = z.enum(agentIds);
  return z.object({
    schema: z.literal(1),
    validUntilMs: moment,
    facts: z.object({
      version: z.string().max(100),
      startedAtMs: moment,
      lastScanMs: moment,
      cost: z.object({ scans: count, seconds: count, cpuSeconds: count.nullable() }),
      processes: count,
      jobs: z
        .array(
          z.object({
            agent,
            kind: z.enum(jobKinds),
            owner: z.enum(owners),
            verdict: z.enum(verdicts),
            isLeftover: z.boolean(),
            jobs: count,
            rssBytes: count,
          }),
        )
        .max(10_000),
      outOfReach: z.array(z.object({ agent, agents: count })).nullable(),
      atWork: count.nullable().default(null),
      quietSinceMs: moment.nullable().default(null),
      mode: z.enum(['enforce', 'observe']).nullable(),
      isPaused: z.boolean(),
      hosts: z
        .array(
          z.discriminatedUnion('reachable', [
            z.object({ host: z.string(), reachable: z.literal(false) }),
            z.object({ host: z.string(), reachable: z.literal(true), leftovers: count, leftoverBytes: count }),
          ]),
        )
        .max(10_000)
        // Prometheus refuses all of an answer in which a series stands twice.
        .refine((hosts) => new Set(hosts.map(({ host }) => host)).size === hosts.length),
    }),
  });
});

/** What of the facts is written at once when it changes. */
const countsOf = ({ jobs, outOfReach, atWork, mode, isPaused, hosts }: LookFacts): string =>
  JSON.stringify([
    jobs.map((one) => ({ ...one, rssBytes: 0 })),
    outOfReach,
    atWork,
    mode,
    isPaused,
    hosts.map((host) => (host.reachable ? { ...host, leftoverBytes: 0 } : host)),
  ]);

/**
 * What `curfew metrics` and the scrape address make numbers of, as a JSON file. Only the supervisor
 * writes it: at once when a count changes, else twice a minute.
 */
export class MetricsFile {
  readonly #path: string;
  #written: { readonly counts: string; readonly atMs: number } | null = null;
  #latest: LookFacts | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Notes what the latest look saw.
   * @throws the file system's error
   */
  note(facts: LookFacts, scanSeconds: number): void {
    this.#latest = facts;
    const before = this.#written;
    const counts = countsOf(facts);
    const nowMs = facts.lastScanMs;
    if (before?.counts === counts && Math.abs(nowMs - before.atMs) < againMs) return;
    // First, so that a disk that takes nothing is asked twice a minute and not at every look.
    this.#written = { counts, atMs: nowMs };
    this.#write(facts, nowMs + Math.max(minValidSeconds, 3 * scanSeconds) * 1000);
  }

  /** Notes that no supervisor watches any more; when it looked last stays. Throws as `note`. */
  end(): void {
    if (this.#latest !== null) this.#write(this.#latest, 0);
  }

  #write(facts: LookFacts, validUntilMs: number): void {
    writeWholeFile(this.#path, `${JSON.stringify({ schema: 1, validUntilMs, facts })}\n`);
  }
}

/** Reads the file at a path. Never throws: what can't be read says nothing. `nowMs`: wall clock. */
export const readMetricsFile = (path: string, nowMs: number): Watching => {
  const file = readJsonFile(path);
  const stored = file.kind === 'value' ? storedSchema().safeParse(file.value).data : undefined;
  if (stored === undefined) return { kind: 'never' };
  const { facts, validUntilMs } = stored;
  // One from the future was written before the clock was set back: a supervisor that runs writes
  // again.
  const isOld = nowMs > validUntilMs || facts.lastScanMs > nowMs + minValidSeconds * 1000;
  return isOld ? { kind: 'ended', lastScanMs: facts.lastScanMs } : { kind: 'watching', facts };
};
