import type { ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './details.module.css';

/** Why it is judged so, and how it is known that an agent started it, in whole sentences. */
export const EvidenceList = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.popover.details;
  const known = new Set(job.evidence.map(voice.evidence));
  const sentences = new Set(job.verdict.reasons.map((reason) => voice.reason(reason, job.ownerSaid)));
  return (
    <>
      {job.vetoes.length === 0 ? null : (
        <section>
          <h4>{texts.popover.details.protectedBy}</h4>
          <ul className={styles.evidence}>
            {job.vetoes.map((veto) => (
              <li key={`${veto.code}-${veto.pid}`}>{visibleText(voice.veto(veto))}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h4>{texts.popover.details.evidence}</h4>
        <ul className={styles.evidence}>
          {[...sentences].map((sentence) => (
            <li key={sentence}>{visibleText(sentence)}</li>
          ))}
        </ul>
      </section>
      <section>
        <h4>{job.proof === 'claimed' ? words.onlyMarks : words.proof}</h4>
        {job.proof === 'claimed' ? <p>{words.onlyMarksBody}</p> : null}
        <ul className={styles.evidence}>
          {[...known].map((sentence) => (
            <li key={sentence}>{visibleText(sentence)}</li>
          ))}
        </ul>
      </section>
    </>
  );
};
