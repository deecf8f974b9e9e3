import type { ReactElement } from 'react';
import type { IncidentView } from '../../../app/contract/views/incident-view.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { endingSaid, targetSaid } from '../../../app/text/outcomes.ts';
import { alone } from '../../texts/word-of.ts';
import { useLanguage, type Language } from '../../texts/texts-context.ts';
import styles from './incident-detail.module.css';

type Event = IncidentView['events'][number];

const eventWords = (event: Event, { texts, voice }: Language): string => {
  const words = texts.history.detail;
  switch (event.kind) {
    case 'signal': {
      const { signal, target, result, note, said = note } = event.signal;
      const outcome = [words.results[result], ...(said === null ? [] : [voice.said(said)])].join(', ');
      return `${words.signal(signal, voice.said(targetSaid(target)))}: ${outcome}`;
    }
    case 'veto':
      return event.vetoes.map((veto) => words.veto(voice.veto(veto))).join('; ');
    case 'died':
      return words.died(event.pids.join(', '));
    case 'note':
      return voice.said(event.said ?? event.text);
    case 'ended':
      return alone(voice.said(endingSaid(event.outcome)));
  }
};

/** Below a second in milliseconds, above in seconds: the reaction time matters. */
const offsetWords = (ms: number, { texts, format }: Language): string =>
  `+${ms < 1000 ? `${format.number(ms)}\u00A0${texts.common.units.ms}` : format.duration(ms / 1000)}`;

/** Every signal with its result, in order, timed from the decision. */
export const IncidentTimeline = ({ incident }: { readonly incident: IncidentView }): ReactElement => {
  const language = useLanguage();
  const words = language.texts.history.detail;
  const startMs = Date.parse(incident.at);
  return (
    <section>
      <h3>{words.timeline}</h3>
      <ol className={styles.timeline}>
        <li>
          <time dateTime={incident.at} title={language.format.moment(startMs)}>
            {offsetWords(0, language)}
          </time>
          <span>{words.began}</span>
        </li>
        {incident.events.map((event, index) => (
          <li key={index} data-kind={event.kind}>
            <time dateTime={event.at} title={language.format.moment(Date.parse(event.at))}>
              {offsetWords(Math.max(0, Date.parse(event.at) - startMs), language)}
            </time>
            <span>{visibleText(eventWords(event, language))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
};
