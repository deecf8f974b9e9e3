import { z } from 'zod';
import { outcomes } from '../../../app/history/incident.ts';
import { firstSignalNames } from '../../../app/process/signal.ts';
import { asRunId, runIdPattern } from '../../../app/process/run-id.ts';

const mark = z.object({ bootId: z.string(), pid: z.int().positive(), startTicks: z.number() });

/** Why a run ended. `command`: by itself; `signal`: its `curfew run` was told to end; `abandoned`: its `curfew run` was killed. */
export const endCauses = ['command', 'max-elapsed', 'hard-cap', 'idle', 'signal', 'abandoned', 'not-started'] as const;

/** See `endCauses`. */
export type EndCauseName = (typeof endCauses)[number];

const ending = z.object({
  at: z.iso.datetime(),
  cause: z.enum(endCauses),
  /** The signal that `curfew run` was told to end with. */
  signal: z.string().nullable(),
  /** What `curfew run` passed on: the command's own, 124 after a limit, 128 + n after signal n. */
  status: z.int(),
  /** What stands in `exit_code`: the command's own, or 143 and 137 when it was ended. */
  exitCode: z.int(),
  /** False when nobody saw the command end. */
  observed: z.boolean(),
  /** As in the history: what became of what had to be ended; null when nothing was left. */
  outcome: z.enum(outcomes).nullable(),
  survivors: z.array(z.int()),
  /** Left alone, and why. */
  spared: z.array(
    z.object({ pid: z.int(), program: z.string().default(''), code: z.string().default(''), why: z.string() }),
  ),
});

/** How a run ended. */
export type RunEnding = z.infer<typeof ending>;

const limits = z.object({
  /** Null: none. */
  maxElapsedSeconds: z.number().nullable(),
  /** `always` when it was asked for; from the settings: what they say should happen at it. */
  atMaxElapsed: z.enum(['always', 'reap', 'reap-silent', 'notify']),
  hardCapSeconds: z.number(),
  signal: z.enum(firstSignalNames),
  graceSeconds: z.number(),
  idleAfter: z.string().nullable(),
  idleGraceSeconds: z.number(),
});

/** The limits of a run. */
export type RunLimits = z.infer<typeof limits>;

const inForce = z.object({
  /** Its own kernel session; on a terminal it keeps the terminal's. */
  session: z.boolean(),
  group: z.boolean(),
  cookie: z.literal(true),
  /** Orphans become children of `curfew run`. */
  subreaper: z.boolean(),
  /** Path of the control group (and the scope of the user's service manager that it lies in), or why there is none. */
  cgroup: z.union([z.object({ path: z.string(), scope: z.string().optional() }), z.object({ reason: z.string() })]),
  /** How signals are sent. */
  signals: z.string(),
});

/** By what means a run is held together. */
export type InForce = z.infer<typeof inForce>;

/** `meta.json` of a run. */
export const runRecord = z.object({
  schema: z.literal(1),
  id: z.string().regex(runIdPattern).transform(asRunId),
  name: z.string().nullable(),
  /** Redacted, for people. */
  command: z.string(),
  folder: z.string(),
  workspace: z.string().nullable(),
  background: z.boolean(),
  startedAt: z.iso.datetime(),
  /** The `curfew run` that watches over it. */
  supervisor: mark,
  /** Name of the machine that it runs on; null in records of older versions. */
  host: z.string().nullable().default(null),
  /** What had started that one, nearest first: one of them adopts what it leaves when it is killed. */
  ancestors: z.array(z.object({ pid: z.int(), startTicks: z.number() })),
  /** Nothing that started before belongs to the run: ticks since the boot. */
  sinceTicks: z.number(),
  /** The command itself; null until it is started. */
  root: mark.nullable(),
  /** `curfew run` itself carries CURFEW_KEEP=1, so that the mark says nothing about what it started. */
  keepInherited: z.boolean(),
  /** Everything of it ends, also what the vetoes protect. */
  strict: z.boolean().default(false),
  /** The kernel session in which its command was started; null until then, and in records of older versions. */
  session: z.int().nullable().default(null),
  /** The systemd services that contained its `curfew run`. */
  services: z.array(z.string()).default([]),
  limits,
  lock: z.string().nullable(),
  inForce: inForce.nullable(),
  end: ending.nullable(),
});

/** What is known of a run. */
export type RunRecord = z.infer<typeof runRecord>;

/** `seen.json`: who belonged to the run at the last look, for the case that nobody is left to say. */
export const membersNote = z.object({
  members: z.array(
    z.object({
      pid: z.int(),
      startTicks: z.number(),
      pgid: z.int(),
      sid: z.int(),
      /** Pid of the spared process that started it. */
      spared: z.int().optional(),
      /** It carried CURFEW_KEEP=1. */
      kept: z.boolean().optional(),
    }),
  ),
});

/** See `membersNote`. */
export type MembersNote = z.infer<typeof membersNote>;

/** `keep.json`: the person has put the limits of the run off, wall clock in milliseconds. */
export const runKeep = z.object({ untilMs: z.number() });
