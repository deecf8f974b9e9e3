import type { Texts } from '../en/index.ts';

/** Texts of the shortcut that opens the popover, in German. */
export const shortcut: Texts['shortcut'] = {
  label: 'Tastenkürzel für das Popover',
  body: 'Öffnet und schließt es, welches Fenster auch vorn ist.',
  off: 'Keines',
  taken: (keys) => `${keys} geht nicht: Ein anderes Programm hat es belegt, oder das System lehnt es ab.`,
};
