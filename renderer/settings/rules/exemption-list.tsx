import type { ReactElement } from 'react';
import type { ExemptionView } from '../../../app/contract/views/settings-view.ts';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { Row, Rows } from '../../parts/display/section.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './rules.module.css';

/** What is spared now, each with a button to take it out. */
export const ExemptionList = (): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.settings.rules;
  const { exemptions } = useSnapshot().settings.values;
  const remove = useAction('settings.unexempt');
  const partsOf = ({ project, command, port }: ExemptionView): readonly string[] => [
    ...(project === undefined ? [] : [project]),
    ...(command === undefined ? [] : [command]),
    ...(port === undefined ? [] : [texts.common.port(port)]),
  ];
  if (exemptions.length === 0) return <p className={styles.none}>{words.noExemptions}</p>;
  return (
    <>
      <Rows>
        {exemptions.map((exemption) => {
          const what = partsOf(exemption).join(' · ');
          const since = Date.parse(exemption.createdAt);
          const note = [
            ...(exemption.note === undefined ? [] : [visibleText(exemption.note)]),
            ...(Number.isNaN(since) ? [] : [format.day(since)]),
          ].join(' · ');
          return (
            <Row
              key={exemption.createdAt}
              label={
                <code className={styles.code}>
                  <ForeignText text={what} />
                </code>
              }
              body={note}
            >
              <Button
                size="small"
                look="plain"
                disabled={remove.busy}
                aria-label={words.removeExemption(visibleText(what))}
                onClick={() => void remove.run({ createdAt: exemption.createdAt })}
              >
                {texts.common.remove}
              </Button>
            </Row>
          );
        })}
      </Rows>
      <FailureNote failure={remove.failure} />
    </>
  );
};
