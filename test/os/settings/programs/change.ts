// node change.ts HOME CHANGES: changes settings in a separate process; CHANGES is JSON.
import { join } from 'node:path';
import { SettingsFile } from '../../../../main/store/settings/settings-file.ts';

const [home = '', changes = '{}'] = process.argv.slice(2);
const file = new SettingsFile({
  path: join(home, 'settings.json'),
  claudePath: join(home, 'claude.json'),
  machinePath: null,
  home,
  now: Date.now,
});
const result = file.change(JSON.parse(changes) as Record<string, unknown>);
process.exitCode = result.ok ? 0 : 1;
