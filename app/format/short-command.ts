import { visibleText } from './visible.ts';

/**
 * Returns a command without the folder of a program that is installed: `/usr/bin/python3 -m x` is
 * `python3 -m x`. In a list of commands the folder is what all have in common. The folder of the
 * user's own program tells it apart, and stays.
 */
export const withoutFolder = (command: string): string =>
  command.replace(/^\/(?:[^\s/]+\/)*(?:s?bin|\.bin)\/(?=[^\s/])/u, '');

/**
 * Returns a command as one line of at most `length` characters for a menu or a notification.
 * Control and direction characters are made visible: command lines are untrusted text.
 */
export const shortCommand = (command: string, length: number): string => {
  const text = visibleText(command.trim());
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};
