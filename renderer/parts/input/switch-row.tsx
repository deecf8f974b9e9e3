import { useId, type ReactElement } from 'react';
import { Row } from '../display/section.tsx';
import { Switch } from './switch.tsx';

interface SwitchRowProps {
  readonly label: string;
  readonly body?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A setting that is on or off and takes effect at once. */
export const SwitchRow = ({ label, body, checked, disabled = false, onChange }: SwitchRowProps): ReactElement => {
  const id = useId();
  return (
    <Row label={label} labelId={id} {...(body === undefined ? {} : { body, bodyId: `${id}-body` })}>
      <Switch
        labelledBy={id}
        {...(body === undefined ? {} : { describedBy: `${id}-body` })}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
    </Row>
  );
};
