import { z } from 'zod';
import { boundingModes, guardModes } from '../../guard/settings.ts';
import { firstSignalNames } from '../../process/signal.ts';
import { momentSchema } from './view.ts';

/**
 * An exemption of the user, which spares jobs below the hard cap, see app/settings. `createdAt`
 * identifies it.
 */
const exemptionViewSchema = z.object({
  project: z.string().exactOptional(),
  command: z.string().exactOptional(),
  port: z.number().int().exactOptional(),
  note: z.string().exactOptional(),
  createdAt: z.string(),
});

/** See `exemptionViewSchema`. */
export type ExemptionView = z.infer<typeof exemptionViewSchema>;

/** A rule of the user: which further programs are jobs, see app/agents. */
export const userRuleViewSchema = z.object({
  name: z.string(),
  argv0: z.string(),
  argv: z.array(z.string()),
  project: z.string().exactOptional(),
});

/** See `userRuleViewSchema`. */
export type UserRuleView = z.infer<typeof userRuleViewSchema>;

const guardMode = z.enum(guardModes);
const boundingMode = z.enum(boundingModes);

/** The guard of agents' commands, see app/guard. */
const guardViewSchema = z.object({
  enabled: z.boolean(),
  timeoutSeconds: z.number(),
  unjoinedLines: guardMode,
  noTimeout: boundingMode,
  neverEnds: boundingMode,
  swallowedCommand: guardMode,
  waitsOnInput: guardMode,
  waitsForItself: guardMode,
  killsAgent: guardMode,
  sudoInBackground: guardMode,
});

/** Settings as windows see them: parsed and complete, never the raw file. */
export const settingsViewSchema = z.object({
  schemaVersion: z.number().int(),
  backgroundMaxElapsedSeconds: z.number(),
  backgroundMaxElapsedSecondsHardCap: z.number(),
  backgroundKillSignal: z.enum(firstSignalNames),
  backgroundKillGraceSeconds: z.number(),
  orphanGraceSeconds: z.number(),
  noticeSeconds: z.number(),
  scanIntervalSeconds: z.number(),
  mode: z.enum(['enforce', 'observe']).nullable(),
  atMaxElapsed: z.enum(['reap-silent', 'reap', 'notify']),
  exemptions: z.array(exemptionViewSchema),
  rules: z.array(userRuleViewSchema),
  hosts: z.array(z.string()),
  historyDays: z.number(),
  notifications: z.object({
    overdue: z.boolean(),
    beforeReap: z.boolean(),
    afterReap: z.boolean(),
    sound: z.boolean(),
  }),
  appearance: z.enum(['system', 'light', 'dark']),
  guard: guardViewSchema,
});

/** See `settingsViewSchema`. */
export type SettingsView = z.infer<typeof settingsViewSchema>;

/** An invalid setting in the file, and the value used instead. */
const settingsNoticeSchema = z.object({ field: z.string().nullable(), text: z.string() });

/** Settings with the faults of their file, and when those were found. */
export const settingsStateSchema = z.object({
  values: settingsViewSchema,
  defaults: settingsViewSchema,
  notices: z.array(settingsNoticeSchema),
  readAt: momentSchema.nullable(),
});
