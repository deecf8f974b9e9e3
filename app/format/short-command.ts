import { visibleText } from './visible.ts';

/**
 * Returns a command as one line of at most `length` characters for a menu or a notification.
 * Control and direction characters are made visible: command lines are untrusted text.
 */
export const shortCommand = (command: string, length: number): string => {
  const text = visibleText(command.trim());
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};
