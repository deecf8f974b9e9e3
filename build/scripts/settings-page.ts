// npm run docs: writes the table of settings into docs/settings.md. A test holds that it is up to
// date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSettingsTable } from './settings-table.ts';

const page = join(import.meta.dirname, '../../docs/settings.md');
writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8')));
