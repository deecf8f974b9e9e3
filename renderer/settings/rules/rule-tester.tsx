import { useState, type ReactElement } from 'react';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { TextField } from '../../parts/input/text-field.tsx';
import type { RuleTest } from '../../../app/contract/settings-questions.ts';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './rules.module.css';

const Result = ({ result }: { readonly result: RuleTest }): ReactElement => {
  const { texts, format, voice } = useLanguage();
  const words = texts.settings.rules;
  return (
    <div className={styles.result} role="status">
      <p>{voice.said(result.summary)}</p>
      {result.matches.length === 0 ? <p className={styles.none}>{words.noMatches}</p> : null}
      <ul>
        {result.matches.map((match) => (
          <li key={match.rule}>
            <strong>{match.own ? `${match.rule} (${words.own})` : `${agentName(match.agent)}, ${match.rule}`}</strong>
            {match.command === null ? null : (
              <code className={styles.code}>
                <ForeignText text={match.command} />
              </code>
            )}
          </li>
        ))}
      </ul>
      {result.exemptions.length === 0 ? null : (
        <p>
          {words.sparedBy} {format.list(result.exemptions)}
        </p>
      )}
    </div>
  );
};

/** Paste a command line, see what matches. Nothing is changed by it. */
export const RuleTester = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.rules;
  const { rules } = useSnapshot().settings.values;
  const test = useAction('settings.testRule');
  const [commandLine, setCommandLine] = useState('');
  const [result, setResult] = useState<RuleTest | null>(null);
  return (
    <div className={styles.tester}>
      <TextField
        label={words.testerLabel}
        placeholder={words.testerPlaceholder}
        value={commandLine}
        onChange={setCommandLine}
        rows={3}
        mono
      />
      <Button
        disabled={commandLine.trim() === '' || test.busy}
        onClick={() => void test.run({ commandLine, rules }).then(setResult)}
      >
        {words.test}
      </Button>
      {result === null ? null : <Result result={result} />}
      <FailureNote failure={test.failure} />
    </div>
  );
};
