import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { outcomes } from '../../../app/history/incident.ts';
import { firstSignalNames } from '../../../app/process/signal.ts';
import { asRunId, runIdPattern } from '../../../app/process/identity.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';

const mark = once(() => z.object({ bootId: z.string(), pid: z.int().positive(), startTicks: z.number() }));

/**
 * Why a run ended. `command`: it ended on its own; `signal`: its `curfew run` got a signal;
 * `memory`: it reached its bound of memory; `abandoned`: its `curfew run` was killed.
 */
export const endCauses = [
  'command',
  'max-elapsed',
  'hard-cap',
  'idle',
  'signal',
  'memory',
  'abandoned',
  'not-started',
] as const;

export type EndCauseName = (typeof endCauses)[number];

const ending = once(() =>
  z.object({
    at: z.iso.datetime(),
    cause: z.enum(endCauses),
    /** The signal that ended `curfew run`. */
    signal: z.string().nullable(),
    /** The status of `curfew run`: the command's own, 124 after a limit, 128 + n after signal n. */
    status: z.int(),
    /** The content of `exit_code`: the command's own status, or 143 or 137 if it was ended. */
    exitCode: z.int(),
    /** False if the end of the command was not seen. */
    observed: z.boolean(),
    /** The outcome as in the history; null if nothing had to be ended. */
    outcome: z.enum(outcomes).nullable(),
    /** How often the kernel held it to its bounds. */
    met: z.object({ memoryKills: z.int(), refusedTasks: z.int() }).exactOptional(),
    survivors: z.array(z.int()),
    /** Nothing tells whether all that it started was known: others may live. */
    unproved: z.literal(true).exactOptional(),
    spared: z.array(
      z.object({ pid: z.int(), program: z.string().default(''), code: z.string().default(''), why: z.string() }),
    ),
  }),
);

export type RunEnding = z.infer<ReturnType<typeof ending>>;

const limits = once(() =>
  z.object({
    /** Null: no limit. */
    maxElapsedSeconds: z.number().nullable(),
    /** `always` if the limit was asked for; else the action of the settings. */
    atMaxElapsed: z.enum(['always', 'reap', 'reap-silent', 'notify']),
    hardCapSeconds: z.number(),
    signal: z.enum(firstSignalNames),
    graceSeconds: z.number(),
    idleAfter: z.string().nullable(),
    idleGraceSeconds: z.number(),
    /** Bounds of all its processes together; null: none. */
    memoryBytes: z.int().nullable().default(null),
    tasks: z.int().nullable().default(null),
  }),
);

export type RunLimits = z.infer<ReturnType<typeof limits>>;

const inForce = once(() =>
  z.object({
    /** The command has its own kernel session; on a terminal it keeps the terminal's. */
    session: z.boolean(),
    group: z.boolean(),
    cookie: z.literal(true),
    /** Orphans become children of `curfew run`. */
    subreaper: z.boolean(),
    /** The control group's path (and its scope of the service manager), or why there is none. */
    cgroup: z.union([
      z.object({
        path: z.string(),
        scope: z.string().optional(),
        /** Groups of version 1 with the same processes, which bound them. */
        beside: z.array(z.string()).exactOptional(),
      }),
      z.object({ reason: z.string() }),
    ]),
    /** A job object of Windows: what is left inside ends with its `curfew run`. */
    job: z.boolean().default(false),
    signals: z.string(),
  }),
);

export type InForce = z.infer<ReturnType<typeof inForce>>;

export const runRecord = once(() =>
  z.object({
    schema: z.literal(1),
    id: z.string().regex(runIdPattern).transform(asRunId),
    name: z.string().nullable(),
    /** For people; redacted again, for an older version wrote it. */
    command: z.string().transform(redactCommand),
    folder: z.string(),
    workspace: z.string().nullable(),
    background: z.boolean(),
    startedAt: z.iso.datetime(),
    /** The `curfew run` that supervises it. */
    supervisor: mark(),
    /** The name of its machine; null in records of older versions. */
    host: z.string().nullable().default(null),
    /** That `curfew run`'s ancestors, nearest first; one adopts what it leaves when killed. */
    ancestors: z.array(z.object({ pid: z.int(), startTicks: z.number() })),
    /** Start of the run in ticks since the boot; an older process is no member. */
    sinceTicks: z.number(),
    /** The command itself; null until it is started. */
    root: mark().nullable(),
    /** `curfew run` itself has CURFEW_KEEP=1, so an inherited one proves nothing. */
    keepInherited: z.boolean(),
    /** Also ends what the vetoes protect. */
    strict: z.boolean().default(false),
    /** The kernel session of the command's start; null until then and in older records. */
    session: z.int().nullable().default(null),
    /** The systemd services that contained its `curfew run`. */
    services: z.array(z.string()).default([]),
    limits: limits(),
    lock: z.string().nullable(),
    inForce: inForce().nullable(),
    end: ending().nullable(),
  }),
);

export type RunRecord = z.infer<ReturnType<typeof runRecord>>;

/** `seen.json`: the members at the last scan, in case `curfew run` is killed. */
export const membersNote = once(() =>
  z.object({
    members: z.array(
      z.object({
        pid: z.int(),
        startTicks: z.number(),
        pgid: z.int(),
        sid: z.int(),
        /** Pid of the spared process that started this one. */
        spared: z.int().optional(),
        /** It has CURFEW_KEEP=1. */
        kept: z.boolean().optional(),
      }),
    ),
  }),
);

export type MembersNote = z.infer<ReturnType<typeof membersNote>>;

/** `keep.json`: until when the limits of the run are put off, by a clock that is never set. */
export const runKeep = once(() => z.object({ untilAwakeSeconds: z.number() }));
