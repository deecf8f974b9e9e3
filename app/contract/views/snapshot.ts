import { z } from 'zod';
import { agentViewSchema } from './agent-view.ts';
import { incidentSummarySchema } from './incident-view.ts';
import { leftOpenViewSchema } from './left-open-view.ts';
import { jobViewSchema, memberViewSchema } from './job-view.ts';
import { reapingViewSchema } from './reaping-view.ts';
import { modeSchema } from './scan.ts';
import { settingsStateSchema } from './settings-view.ts';
import { saidSchema } from './said.ts';
import { agentSchema, countSchema, momentSchema, statementSchema } from './view.ts';

/**
 * A job in a window: the published form plus its machine (`local` or a host name), with times in
 * place of durations. Durations change with every scan; 300 jobs that only grew older were 550 kB
 * each time.
 */
export const snapshotJobSchema = jobViewSchema.omit({ ageSeconds: true, silentSeconds: true }).extend({
  host: z.string(),
  /** How the state of its session is known, for other languages than English. */
  ownerSaid: saidSchema.exactOptional(),
  members: z.array(
    memberViewSchema.omit({ ageSeconds: true }).extend({
      startedAt: momentSchema,
      /** Share of one core since the scan before, whole percent; null: not known yet. */
      cpuPercent: z.number().nonnegative().nullable(),
    }),
  ),
  /** Start of its idle time (no CPU, no I/O); null if active in the last minute, or serving. */
  silentSince: momentSchema.nullable(),
  /** When its session was found to have ended; null if it has not, or the time is unknown. */
  goneSince: momentSchema.nullable(),
});

export type SnapshotJob = z.infer<typeof snapshotJobSchema>;

export type SnapshotMember = SnapshotJob['members'][number];

/** A problem of Curfew itself that the user should know, with advice. */
const problemSchema = statementSchema.extend({
  severity: z.enum(['warning', 'failure']),
  text: saidSchema,
  advice: saidSchema.nullable(),
});

/** Whether the watch itself works. */
const healthSchema = z.object({
  /** null before the first scan. */
  lastLookAt: momentSchema.nullable(),
  tookMs: z.number().nonnegative().nullable(),
  /** Rows in the process table at the last scan. */
  processes: countSchema,
  /** Without a journal nothing is reaped automatically. */
  journalWritable: z.boolean(),
  problems: z.array(problemSchema),
});

/** A seen agent and its number of open sessions, for the empty state. */
const watchedAgentSchema = z.object({ agent: agentSchema, liveSessions: countSchema });

/** Capabilities of this machine, so that windows offer only what works. */
const platformSchema = z.object({
  system: z.enum(['linux', 'darwin', 'win32', 'other']),
  version: z.string(),
  /** False if identities are too coarse for safe signals: then Curfew only reports. */
  canReap: z.boolean(),
  /** `desktop` has a tray and windows; `page` is a browser tab; `terminal` is `curfew watch`. */
  surface: z.enum(['desktop', 'page', 'terminal']),
});

/**
 * The state that windows subscribe to. The main process owns it; windows get it once, then
 * differences. Its parts are replaced, never mutated.
 */
export const snapshotSchema = z.object({
  /** Increases by one with every change; a window that missed one requests the whole again. */
  revision: countSchema,
  /** Wall clock of the sender. Ages count from here, so a browser's wrong clock has no effect. */
  at: momentSchema,
  platform: platformSchema,
  /** Automatic behaviour now; `observe` until the user chooses. */
  mode: modeSchema,
  /** False until the user has chosen a mode once: then windows show the welcome. */
  modeChosen: z.boolean(),
  /** Automatic ends and notices are paused until then; `forever`: till resumed; null: no pause. */
  pausedUntil: z.union([momentSchema, z.literal('forever')]).nullable(),
  settings: settingsStateSchema,
  health: healthSchema,
  watched: z.array(watchedAgentSchema),
  /** Agents of this machine that no user may be able to reach; `said` is `text` by key. */
  agents: z.array(agentViewSchema.extend({ said: saidSchema })),
  /**
   * What tool calls opened on this machine and what goes on without them, the oldest first. By key:
   * `named` is `text`, `why` the refusal or else the evidence.
   */
  leftOpen: z.array(leftOpenViewSchema.extend({ named: saidSchema, why: saidSchema })),
  /** Worst first. */
  jobs: z.array(snapshotJobSchema),
  reapings: z.array(reapingViewSchema),
  /**
   * What endings of the last seven days freed, of processes confirmed dead; later than `since`
   * where earlier records of the week count otherwise.
   */
  freedThisWeek: z.object({ processes: countSchema, rssBytes: countSchema, since: momentSchema.nullable() }),
  /** The latest incidents, newest first. */
  incidents: z.array(incidentSummarySchema),
});

export type Snapshot = z.infer<typeof snapshotSchema>;
