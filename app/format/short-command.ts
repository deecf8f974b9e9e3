import { visibleText } from './visible.ts';

/**
 * A command as one short line for a menu or a notification: control characters and turned directions made visible, at most `length`
 * characters. Command lines are other people's text.
 */
export const shortCommand = (command: string, length: number): string => {
  const text = visibleText(command.trim());
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};
