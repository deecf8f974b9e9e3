import { useLayoutEffect, useRef, type ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { OutputText } from '../../parts/text/output-text.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './details.module.css';
import { useOutput } from './use-output.ts';

/** The last lines of the output, live. It stays at the end unless the user scrolled up. */
export const OutputTail = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.details;
  const { text, failure, read } = useOutput(job);
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [text]);
  if (job.output === null) return <p className={styles.quiet}>{words.outputNone}</p>;
  if (failure !== null) return <FailureNote failure={failure} />;
  if (read && text === '') return <p className={styles.quiet}>{words.outputEmpty}</p>;
  return (
    <pre
      ref={box}
      className={styles.output}
      tabIndex={0}
      role="region"
      aria-label={words.outputFollow}
      onScroll={({ currentTarget: element }) => {
        atEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - 8;
      }}
    >
      <OutputText text={text} />
    </pre>
  );
};
