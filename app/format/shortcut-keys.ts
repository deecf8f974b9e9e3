/** How the keys of an accelerator are written on a Mac, in the order that Apple uses. */
const macSigns: readonly (readonly [name: string, sign: string])[] = [
  ['Alt', '⌥'],
  ['Shift', '⇧'],
  ['CommandOrControl', '⌘'],
];

/**
 * Returns a shortcut as it is written on the machine's keys: `Ctrl+Alt+C`, or `⌥⌘C` on a Mac.
 * @param accelerator as Electron writes it: https://www.electronjs.org/docs/latest/tutorial/keyboard-shortcuts
 */
export const shortcutKeys = (accelerator: string, isMac: boolean): string => {
  const parts = accelerator.split('+');
  if (!isMac) return parts.map((part) => (part === 'CommandOrControl' ? 'Ctrl' : part)).join('+');
  const signs = macSigns.filter(([name]) => parts.includes(name)).map(([, sign]) => sign);
  return [...signs, ...parts.filter((part) => !macSigns.some(([name]) => name === part))].join('');
};
