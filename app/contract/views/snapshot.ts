import { z } from 'zod';
import { incidentSummarySchema } from './incident-view.ts';
import { jobViewSchema, memberViewSchema } from './job-view.ts';
import { reapingViewSchema } from './reaping-view.ts';
import { modeSchema } from './scan.ts';
import { settingsStateSchema } from './settings-view.ts';
import { agentSchema, countSchema, momentSchema, statementSchema } from './view.ts';

/**
 * A job as windows show it: the published form and the machine that it runs on (`local` or the name of a host), with moments in
 * the place of lengths of time. A length is another one at every look, and 300 jobs that only grew older were 550 kB each time.
 */
export const snapshotJobSchema = jobViewSchema.omit({ ageSeconds: true, silentSeconds: true }).extend({
  host: z.string(),
  members: z.array(memberViewSchema.omit({ ageSeconds: true }).extend({ startedAt: momentSchema })),
  /** No processor time, input or output since then; null: it was at work within the last minute, or it serves. */
  silentSince: momentSchema.nullable(),
  /** When the session that it belongs to was found to have ended; null: it has not, or nobody knows when. */
  goneSince: momentSchema.nullable(),
});

/** See `snapshotJobSchema`. */
export type SnapshotJob = z.infer<typeof snapshotJobSchema>;

/** A process of a job as windows show it. */
export type SnapshotMember = SnapshotJob['members'][number];

/** Something about Curfew itself that the person should know, with what to do about it. */
const problemSchema = statementSchema.extend({
  severity: z.enum(['warning', 'failure']),
  advice: z.string().nullable(),
});

/** Whether the watch itself is well. */
const healthSchema = z.object({
  /** null before the first look. */
  lastLookAt: momentSchema.nullable(),
  tookMs: z.number().nonnegative().nullable(),
  /** Processes in the table at the last look. */
  processes: countSchema,
  /** Without a journal nothing is reaped by itself. */
  journalWritable: z.boolean(),
  problems: z.array(problemSchema),
});

/** What is watched, for the empty state: an agent that was seen, and how many of its sessions live. */
const watchedAgentSchema = z.object({ agent: agentSchema, liveSessions: countSchema });

/** What this machine can do, so that windows offer nothing that can't be had. */
const platformSchema = z.object({
  system: z.enum(['linux', 'darwin', 'win32', 'other']),
  version: z.string(),
  /** False where identities are too coarse to signal by: then Curfew only reports. */
  canReap: z.boolean(),
  /** `desktop` has a tray and windows of its own; `page` is a browser tab. */
  surface: z.enum(['desktop', 'page']),
});

/**
 * All that windows subscribe to. The main process owns it; windows get it once, then differences. Its parts are replaced,
 * never changed in place.
 */
export const snapshotSchema = z.object({
  /** Grows by one with every change; a window that missed one asks for the whole again. */
  revision: countSchema,
  /** The wall clock of the process that made it: ages are counted from here, so that a wrong clock in a browser doesn't show. */
  at: momentSchema,
  platform: platformSchema,
  /** What happens by itself now; `observe` while the person has not chosen. */
  mode: modeSchema,
  /** False until the person has chosen a mode once: then windows show the welcome. */
  modeChosen: z.boolean(),
  /** Nothing is reaped or notified by itself until then; `forever` until resumed; null: not paused. */
  pausedUntil: z.union([momentSchema, z.literal('forever')]).nullable(),
  settings: settingsStateSchema,
  health: healthSchema,
  watched: z.array(watchedAgentSchema),
  /** Worst first. */
  jobs: z.array(snapshotJobSchema),
  reapings: z.array(reapingViewSchema),
  /** The latest incidents, newest first. */
  incidents: z.array(incidentSummarySchema),
});

/** See `snapshotSchema`. */
export type Snapshot = z.infer<typeof snapshotSchema>;
