import type { ReactElement } from 'react';
import type { IncidentView } from '../../../app/contract/views/incident-view.ts';
import { Button } from '../../parts/input/button.tsx';
import { Centred } from '../../parts/display/centred.tsx';
import { Command } from '../../parts/text/command.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { OutputText } from '../../parts/text/output-text.tsx';
import { Icon } from '../../parts/display/icon.tsx';
import { OutcomeIcon } from '../../parts/display/outcome-icon.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useAnswer } from '../../state/use-answer.ts';
import { endingSaid, endingSentence } from '../../../app/text/outcomes.ts';
import { alone } from '../../texts/word-of.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { IncidentActions } from './incident-actions.tsx';
import { IncidentFacts } from './incident-facts.tsx';
import { IncidentTimeline } from './incident-timeline.tsx';
import styles from './incident-detail.module.css';

interface IncidentDetailProps {
  readonly id: string;
  readonly onClose: () => void;
}

const Sentences = ({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul className={styles.sentences}>
        {sentences.map((sentence) => (
          <li key={sentence}>{visibleText(sentence)}</li>
        ))}
      </ul>
    </section>
  );

const Processes = ({ title, list }: { readonly title: string; readonly list: IncidentView['processes'] }) => {
  const { format } = useLanguage();
  return list.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul className={styles.processes}>
        {list.map((process) => (
          <li key={process.pid}>
            <span>{process.pid}</span>
            <code>
              <ForeignText text={process.args} />
            </code>
            <span>{format.bytes(process.rssBytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** One incident in full: what, why, what happened, what was freed, its last output. */
export const IncidentDetail = ({ id, onClose }: IncidentDetailProps): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.history;
  // While it is in progress its record grows.
  const progress = useSnapshot().incidents.find((one) => one.id === id)?.outcome ?? '';
  const { value: incident, failure, loading, again } = useAnswer('history.incident', { id }, progress);
  return (
    <article className={styles.detail} aria-busy={loading}>
      <Button size="small" look="plain" className={styles.back} onClick={onClose}>
        <Icon name="back" />
        {words.detail.back}
      </Button>
      <FailureNote failure={failure} again={again} />
      {incident === null ? (
        failure === null && <Centred title={texts.common.loading} />
      ) : (
        <>
          <header className={styles.head}>
            <OutcomeIcon outcome={incident.outcome} />
            <div>
              <h2>{alone(voice.said(endingSaid(incident.outcome)))}</h2>
              <p>{voice.said(endingSentence(incident.outcome))}</p>
            </div>
          </header>
          <Command text={incident.command} />
          <IncidentActions key={incident.id} incident={incident} />
          <IncidentFacts incident={incident} />
          <Sentences
            title={words.detail.reasons}
            sentences={incident.reasons.map((reason) => voice.reason(reason, incident.ownerSaid))}
          />
          <IncidentTimeline incident={incident} />
          <Sentences
            title={words.detail.evidence}
            sentences={[
              voice.owner(incident.owner, incident.ownerEvidence, incident.ownerSaid),
              ...(incident.evidenceSaid ?? incident.evidence).map(voice.said),
            ].filter((sentence) => sentence !== '')}
          />
          <Processes title={words.detail.survivors} list={incident.survivors} />
          <Processes title={words.detail.processes} list={incident.processes} />
          {incident.outputTail === null ? null : (
            <section>
              <h3>{words.detail.output}</h3>
              <pre className={styles.output} tabIndex={0} role="region" aria-label={words.detail.output}>
                <OutputText text={incident.outputTail} />
              </pre>
            </section>
          )}
        </>
      )}
    </article>
  );
};
