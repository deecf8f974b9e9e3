import { useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './command.module.css';
import { ForeignText } from './foreign-text.tsx';

interface CommandProps {
  readonly text: string;
}

/** The command of a card: two lines, and the rest on demand in a scrolling box. */
export const Command = ({ text }: CommandProps): ReactElement => {
  const { texts } = useLanguage();
  const [whole, setWhole] = useState(false);
  const [cut, setCut] = useState(false);
  const line = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = line.current;
    if (element === null || whole) return undefined;
    const measure = (): void => setCut(element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, whole]);
  return (
    <div className={styles.command}>
      {/* A box that scrolls must be reachable without a pointer. */}
      <code ref={line} className={whole ? styles.whole : styles.clamped} {...(whole ? { tabIndex: 0 } : {})}>
        <ForeignText text={text} />
      </code>
      {cut || whole ? (
        <button
          type="button"
          className={whole ? styles.less : styles.toggle}
          title={whole ? undefined : texts.common.whole}
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          <span aria-hidden={!whole}>{whole ? texts.common.less : '⋯'}</span>
          {whole ? null : <span className="visually-hidden">{texts.common.whole}</span>}
        </button>
      ) : null}
    </div>
  );
};
