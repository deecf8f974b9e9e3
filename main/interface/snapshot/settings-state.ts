import { settingsView } from '../../../app/contract/views/settings-view-of.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import type { LoadedSettings } from '../../store/settings/settings-file.ts';

/** Returns the settings as windows see them. */
export const settingsState = ({ settings, fallback, notices, readAtMs }: LoadedSettings): Snapshot['settings'] => ({
  values: settingsView(settings),
  defaults: settingsView(fallback),
  notices: notices.map(({ field, said }) => ({ field, text: said })),
  readAt: moment(readAtMs),
});
