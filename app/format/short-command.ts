import { visibleText } from './visible.ts';

/**
 * Returns a command without the folder of a program that is installed: `/usr/bin/python3 -m x` is
 * `python3 -m x`. In a list of commands the folder is what all have in common. The folder of the
 * user's own program tells it apart, and stays.
 */
export const withoutFolder = (command: string): string =>
  command.replace(/^\/(?:[^\s/]+\/)*(?:s?bin|\.bin)\/(?=[^\s/])/u, '');

/** One character may have any number of accents; this many code units are looked at for each. */
const maxUnits = 16;

/**
 * Returns a command as one line of at most `length` characters for a menu or a notification.
 * Control and direction characters are made visible: command lines are untrusted text.
 */
export const shortCommand = (command: string, length: number): string => {
  const whole = command.trim();
  const start = whole.slice(0, maxUnits * length).toWellFormed();
  const text = visibleText(start);
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  if (characters.length <= length && whole.length <= start.length) return text;
  return `${characters.slice(0, length - 1).join('')}…`;
};
