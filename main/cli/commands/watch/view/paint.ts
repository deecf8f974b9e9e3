import type { TextProps } from 'ink';
import type { Tone } from '../../../../../app/text/states.ts';

/** How a text of this tone is shown; without colour everything has that of the terminal. */
export const styleOf = (tone: Tone, colour: boolean): TextProps => {
  if (!colour) return {};
  switch (tone) {
    case 'red':
      return { color: 'red' };
    case 'amber':
      return { color: 'yellow' };
    case 'green':
      return { color: 'green' };
    case 'quiet':
      return {};
  }
};
