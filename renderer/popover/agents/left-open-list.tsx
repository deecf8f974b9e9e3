import { useId, type ReactElement } from 'react';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { AgentMark } from '../../parts/display/agent-mark.tsx';
import { Heading } from '../../parts/display/heading.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { AgeSince } from '../../parts/text/times.tsx';
import { useSnapshot } from '../../state/store-context.ts';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { EndQuestion } from './end-question.tsx';
import styles from './agent-list.module.css';

/** One of them: what it is and runs, and its end, which asks first and shows the command. */
const LeftOpenItem = ({ one }: { readonly one: Snapshot['leftOpen'][number] }): ReactElement => {
  const { texts, format, voice } = useLanguage();
  const words = texts.popover.leftOpen;
  const text = voice.said(one.named);
  const end = useAction('leftOpen.end');
  const [first] = one.processes;
  return (
    <li className={styles.agent}>
      <AgentMark agent={one.agent} />
      <div className={styles.what}>
        <span>
          <ForeignText text={text} />, {agentName(one.agent)}, <AgeSince at={one.startedAt} />
        </span>
        {one.image === null ? null : (
          <span className={styles.quiet}>
            {words.image} <ForeignText text={one.image} />
          </span>
        )}
        <span className={styles.quiet}>
          {first === undefined ? null : (
            <code>
              <ForeignText text={first.args} />
            </code>
          )}{' '}
          {texts.common.processes(one.processes.length)} · {format.bytes(one.rssBytes)}
        </span>
        <span className={styles.quiet}>
          <ForeignText text={voice.said(one.why)} />
        </span>
        <FailureNote failure={end.failure} />
      </div>
      {!one.canEnd || one.endWith === null ? null : (
        <EndQuestion
          endName={words.endName(text)}
          title={words.askTitle(text)}
          body={words.askBody}
          busy={end.busy}
          onEnd={() => void end.run({ id: one.id })}
        >
          <p>
            <code>
              <ForeignText text={one.endWith} />
            </code>
          </p>
          <ul className={styles.tree}>
            {one.processes.map((process) => (
              <li key={process.pid}>
                <code>
                  <ForeignText text={process.args} />
                </code>
              </li>
            ))}
          </ul>
        </EndQuestion>
      )}
    </li>
  );
};

/** What tool calls opened and what goes on without them. Empty without any. */
export const LeftOpenList = (): ReactElement | null => {
  const { texts } = useLanguage();
  const { leftOpen } = useSnapshot();
  const id = useId();
  if (leftOpen.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Heading id={id}>{texts.popover.leftOpen.heading}</Heading>
      <ul className={styles.agents}>
        {leftOpen.map((one) => (
          <LeftOpenItem key={one.id} one={one} />
        ))}
      </ul>
    </section>
  );
};
