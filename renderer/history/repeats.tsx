import { withoutFolder } from '../../app/format/short-command.ts';
import type { ReactElement } from 'react';
import type { Repeat } from '../../app/contract/history-questions.ts';
import { maxRepeatIncidents } from '../../app/history/repeats.ts';
import { projectName } from '../../app/format/project-name.ts';
import { agentName } from '../../app/text/agent-name.ts';
import { AgentMark } from '../parts/display/agent-mark.tsx';
import { Centred } from '../parts/display/centred.tsx';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useLanguage } from '../texts/texts-context.ts';
import type { FilterInput } from './filter.ts';
import styles from './repeats.module.css';

interface RepeatsProps {
  readonly filter: FilterInput;
  readonly onShow: (repeat: Repeat) => void;
}

/** What happens again and again, the most frequent first, while no incident is selected. */
export const Repeats = ({ filter, onShow }: RepeatsProps): ReactElement | null => {
  const { texts, format } = useLanguage();
  const words = texts.history.repeats;
  const { value } = useAnswer('history.repeats', { filter });
  if (value === null) return null;
  if (value.repeats.length === 0) return <Centred title={texts.history.pick} />;
  const most = Math.max(...value.repeats.map(({ incidents }) => incidents));
  return (
    <section className={styles.repeats} aria-labelledby="repeats">
      <h2 id="repeats">{words.title}</h2>
      <p className={styles.quiet}>{words.body(format.number(maxRepeatIncidents))}</p>
      <ol className={styles.list}>
        {value.repeats.map((repeat) => (
          <li key={repeat.id}>
            <button type="button" className={styles.row} onClick={() => onShow(repeat)}>
              <span className="visually-hidden">{words.show(visibleText(repeat.command))}</span>
              <AgentMark agent={repeat.agent} />
              <code className={styles.command}>
                <ForeignText text={withoutFolder(repeat.command)} />
              </code>
              <span className={styles.times}>{words.times(repeat.incidents)}</span>
              <span className={styles.about}>
                {visibleText(projectName(repeat.project) ?? texts.common.noProject)} · {agentName(repeat.agent)}
              </span>
              <span className={styles.freed}>
                {repeat.freedBytes > 0 ? words.freed(format.bytes(repeat.freedBytes)) : ''}
              </span>
              <span className={styles.share} aria-hidden="true">
                <span style={{ inlineSize: `${((repeat.incidents / most) * 100).toFixed(1)}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
};
