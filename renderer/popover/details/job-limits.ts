import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';

/** Returns a job's limits, seconds: its own from `curfew run`, else the settings'. */
export const jobLimits = (
  { run }: Pick<SnapshotJob, 'run'>,
  settings: SettingsView,
): { readonly softSeconds: number; readonly capSeconds: number } =>
  run === undefined
    ? {
        softSeconds: settings.backgroundMaxElapsedSeconds,
        capSeconds: settings.backgroundMaxElapsedSecondsHardCap,
      }
    : { softSeconds: run.maxElapsedSeconds ?? run.hardCapSeconds, capSeconds: run.hardCapSeconds };
