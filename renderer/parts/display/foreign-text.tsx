import { memo, type ReactElement } from 'react';
import styles from './foreign-text.module.css';
import { visiblePieces } from './visible-characters.ts';

interface ForeignTextProps {
  readonly text: string;
  /** Line breaks and tabs stay what they are (output), instead of being shown as marks (command lines). */
  readonly lines?: boolean;
}

/**
 * Text that a process wrote about itself. It is shown as text, never as HTML; what can't be seen or would turn the direction is shown
 * as a mark, and its own direction ends with it.
 */
export const ForeignText = memo(({ text, lines = false }: ForeignTextProps): ReactElement => (
  <bdi className={styles.foreign} dir="ltr">
    {visiblePieces(text).map((piece, index) => {
      if (piece.kind === 'plain') return piece.text;
      if (lines && (piece.code === 'U+000A' || piece.code === 'U+0009')) return piece.code === 'U+000A' ? '\n' : '\t';
      return (
        <span key={index} className={styles.mark} title={piece.code} data-code={piece.code}>
          {piece.shown}
        </span>
      );
    })}
  </bdi>
));
ForeignText.displayName = 'ForeignText';
