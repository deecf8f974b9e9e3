import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingKeys } from '../../../app/settings/keys.ts';
import { withSettingsTable } from '../../../build/scripts/settings-table.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/settings.md'), 'utf8');

test('the table of docs/settings.md is up to date (npm run docs writes it)', () => {
  expect(page).toBe(withSettingsTable(page));
  expect(page.match(/^\| `/gmu)).toHaveLength(settingKeys.length);
});

test('a page without the markers is refused', () => {
  expect(() => withSettingsTable('# Settings\n')).toThrow(/needs the lines/u);
});
