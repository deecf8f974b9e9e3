import type { KeyboardEvent, ReactElement } from 'react';
import { durationText, parseWrittenDuration } from '../../../app/settings/duration.ts';
import type { limitFields } from '../../../app/settings/keys.ts';
import { TextField } from '../../parts/input/text-field.tsx';
import { useLanguage } from '../../texts/texts-context.ts';

interface LimitFieldProps {
  readonly field: (typeof limitFields)[number];
  readonly text: string;
  readonly standard: number;
  readonly problem: string | null;
  readonly onChange: (text: string) => void;
}

/** One length of time: written freely, moved in sensible steps with the arrow keys. */
export const LimitField = ({ field, text, standard, problem, onChange }: LimitFieldProps): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.settings.limits;
  const { range, field: shown } = field.row;
  const move = (event: KeyboardEvent): void => {
    const read = parseWrittenDuration(text);
    if (!read.ok || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const next = read.seconds + (event.key === 'ArrowUp' ? shown.step : -shown.step);
    onChange(durationText(Math.min(range.max, Math.max(range.min, next))));
  };
  const { label, body } = words.fields[field.key];
  const hint = [
    body,
    words.range(format.limit(range.min), format.limit(range.max)),
    texts.settings.default(format.limit(standard)),
  ].join(' ');
  return (
    <TextField
      label={label}
      hint={hint}
      value={text}
      onChange={onChange}
      problem={problem}
      width="short"
      onKeyDown={move}
    />
  );
};
