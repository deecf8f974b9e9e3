import { defaultGuard } from '../guard/settings.ts';
import type { Settings } from './settings.ts';

/** The version of the settings that this Curfew writes. */
export const currentSchemaVersion = 1;

/** The longest hard cap there can be, in seconds: 24 h. Compiled in, so that no file can make a limit unlimited. */
export const hardCapCeilingSeconds = 86_400;

/**
 * What holds where neither Curfew's own file nor the `bash` block of Claude Code's settings says anything. The first four are the
 * defaults of the original proposal (anthropics/claude-code#51932).
 */
export const defaultSettings: Settings = {
  schemaVersion: currentSchemaVersion,
  backgroundMaxElapsedSeconds: 1800,
  backgroundMaxElapsedSecondsHardCap: 14_400,
  backgroundKillSignal: 'TERM',
  backgroundKillGraceSeconds: 10,
  orphanGraceSeconds: 600,
  noticeSeconds: 60,
  scanIntervalSeconds: 5,
  mode: null,
  atMaxElapsed: 'reap-silent',
  exemptions: [],
  rules: [],
  hosts: [],
  historyDays: 90,
  notifications: { overdue: true, beforeReap: true, afterReap: true, sound: false },
  appearance: 'system',
  guard: defaultGuard,
};
