import { memo, type ReactElement } from 'react';
import styles from './foreign-text.module.css';
import { visiblePieces } from './visible-characters.ts';

interface ForeignTextProps {
  readonly text: string;
  /** Keeps line breaks and tabs (output) instead of showing them as marks (command lines). */
  readonly lines?: boolean;
}

/**
 * Untrusted text from a process, shown as text, never as HTML. Invisible and direction characters
 * are shown as marks; the text's own direction ends with it.
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
