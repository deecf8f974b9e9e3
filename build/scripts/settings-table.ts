import { describedSettings } from '../../app/text/settings/described.ts';

const begin = '<!-- settings: written by build/scripts/settings-page.ts -->';
const end = '<!-- settings: end -->';

const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (): string =>
  [
    '| setting | default | allowed | what it does |',
    '|---|---|---|---|',
    ...describedSettings().map(
      ({ key, standard, allowed, text }) => `| \`${key}\` | ${cell(standard)} | ${cell(allowed)} | ${cell(text)} |`,
    ),
  ].join('\n');

/**
 * Returns a page with the table of all settings between its markers.
 * @throws where the page has no markers
 */
export const withSettingsTable = (page: string): string => {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page needs the lines ${begin} and ${end}`);
  return `${before}${begin}\n\n${table()}\n\n${end}${after}`;
};
