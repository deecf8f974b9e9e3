import { settingsView } from '../../../app/contract/views/settings-view.ts';
import { moment } from '../../../app/format/moment.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { lookMs } from './samples.ts';

const values = settingsView(defaultSettings);

/** A snapshot of a machine on which nothing runs. */
export const snapshot: Snapshot = {
  revision: 1,
  at: moment(lookMs),
  platform: { system: 'linux', version: '0.1.0', canReap: true, surface: 'page' },
  mode: 'observe',
  modeChosen: false,
  pausedUntil: null,
  settings: { values, defaults: values, notices: [], readAt: null },
  health: { lastLookAt: moment(lookMs), tookMs: 3.1, processes: 312, journalWritable: true, problems: [] },
  watched: [],
  agents: [],
  leftOpen: [],
  freedThisWeek: { processes: 0, rssBytes: 0, since: null },
  jobs: [],
  reapings: [],
  incidents: [],
};
