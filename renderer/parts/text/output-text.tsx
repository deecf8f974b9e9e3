import Anser from 'anser';
import { memo, type ReactElement } from 'react';
import { ForeignText } from './foreign-text.tsx';
import styles from './output-text.module.css';

/**
 * Sequences that move the cursor, clear lines or set titles: a terminal obeys them, and here there
 * is nothing to move. Colours (`m`) are left; everything else that is invisible is shown as a mark.
 */
// eslint-disable-next-line no-control-regex -- these are the characters that are looked for
const withoutText = /\u001B\[[0-9;?]*[A-Za-ln-z]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)/gu;

/** The 16 colours of a terminal by Anser's names; of others only the letters are shown. */
const colourOf = (name: string | null): string | undefined => {
  const plain = name?.replace(/^ansi-(?:bright-)?/u, '') ?? '';
  return Object.hasOwn(styles, plain) ? styles[plain] : undefined;
};

/** The output of a process, with the colours that it has in a terminal. Untrusted text. */
export const OutputText = memo(({ text }: { readonly text: string }): ReactElement => {
  // Most output has no colours.
  if (!text.includes('\u001B')) return <ForeignText text={text} lines />;
  const pieces = Anser.ansiToJson(text.replaceAll(withoutText, ''), { use_classes: true, remove_empty: true });
  return (
    <>
      {pieces.map(({ content, fg, decorations }, index) => (
        <span
          key={index}
          className={[
            colourOf(fg),
            ...(decorations.includes('bold') ? [styles.bold] : []),
            ...(decorations.includes('dim') ? [styles.dim] : []),
          ]
            .filter((name) => name !== undefined)
            .join(' ')}
        >
          <ForeignText text={content} lines />
        </span>
      ))}
    </>
  );
});
OutputText.displayName = 'OutputText';
