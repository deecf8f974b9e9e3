import type { ReactElement } from 'react';
import { type BoundingMode, type GuardRuleId, guardRuleIds, modesOf } from '../../../app/guard/settings.ts';
import { Choice } from '../../parts/input/choice.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { Row, Rows, Section } from '../../parts/display/section.tsx';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { SwitchRow } from '../../parts/input/switch-row.tsx';

interface GuardProps {
  /** Called after the guard was switched: the agents need other hooks now. */
  readonly onSwitch: () => void;
}

/** Time limits to choose from, seconds. */
const limits = [300, 600, 1800, 3600, 14_400] as const;

/** The guard of commands: on or off, and what each rule does. Each holds at once. */
export const Guard = ({ onSwitch }: GuardProps): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.settings.guard;
  const { guard } = useSnapshot().settings.values;
  const change = useAction('settings.change');
  const set = (name: keyof typeof guard, value: boolean | number | BoundingMode): Promise<unknown> =>
    change.run({ changes: { [`guard.${name}`]: value } });
  const seconds = [...new Set([...limits, guard.timeoutSeconds])].toSorted((left, right) => left - right);
  const rule = (id: GuardRuleId): ReactElement => {
    const { label, body } = words.rules[id];
    return (
      <Row key={id} label={label} body={body}>
        <Choice
          label={label}
          value={guard[id]}
          options={modesOf(id).map((value) => ({ value, label: words.modes[value] }))}
          onChange={(mode) => void set(id, mode)}
        />
      </Row>
    );
  };
  return (
    <Section title={words.title} body={words.body}>
      <Rows>
        <SwitchRow
          label={words.enabled}
          body={guard.enabled ? words.enabledBody : words.disabledBody}
          checked={guard.enabled}
          disabled={change.busy}
          onChange={(on) =>
            void set('enabled', on).then((done) => {
              if (done !== null) onSwitch();
            })
          }
        />
        {guardRuleIds.map(rule)}
        <Row label={words.timeoutSeconds} body={words.timeoutSecondsBody}>
          <Choice
            label={words.timeoutSeconds}
            value={String(guard.timeoutSeconds)}
            options={seconds.map((value) => ({ value: String(value), label: format.limit(value) }))}
            onChange={(value) => void set('timeoutSeconds', Number(value))}
          />
        </Row>
      </Rows>
      <FailureNote failure={change.failure} />
    </Section>
  );
};
