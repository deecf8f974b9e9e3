import type { ReactElement } from 'react';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { Row, Rows } from '../../parts/display/section.tsx';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './rules.module.css';

/** The user's own rules, each with a button to take it out. */
export const RuleList = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.rules;
  const { rules } = useSnapshot().settings.values;
  const change = useAction('settings.change');
  if (rules.length === 0) return <p className={styles.none}>{words.noRules}</p>;
  return (
    <>
      <Rows>
        {rules.map((rule, index) => (
          <Row
            key={`${rule.name}-${rule.argv0}-${rule.argv.join('\n')}`}
            label={rule.name}
            body={
              <code className={styles.code}>
                <ForeignText text={[rule.argv0, ...rule.argv].join(' ')} />
              </code>
            }
          >
            <Button
              size="small"
              look="plain"
              disabled={change.busy}
              aria-label={words.removeRule(rule.name)}
              onClick={() => void change.run({ changes: { rules: rules.toSpliced(index, 1) } })}
            >
              {texts.common.remove}
            </Button>
          </Row>
        ))}
      </Rows>
      <FailureNote failure={change.failure} />
    </>
  );
};
