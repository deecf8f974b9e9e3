import type { SettingsNotice, SettingsProblem } from './notice.ts';
import type { RawObject } from './raw.ts';
import type { Settings } from './settings.ts';

/** What has been found out while a file is read. */
export interface ParseState {
  readonly raw: RawObject;
  /** The layer below: what holds where the file is silent. */
  readonly fallback: Settings;
  readonly notices: SettingsNotice[];
  forcesObserve: boolean;
  bad: boolean;
}

/** Notes that something makes no sense and is not used. */
export const addNotice = (state: ParseState, field: string | null, problem: SettingsProblem): void => {
  state.notices.push({ field, problem });
  state.bad = true;
};
