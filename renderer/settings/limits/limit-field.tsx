import type { KeyboardEvent, ReactElement } from 'react';
import { TextField } from '../../parts/input/text-field.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import type { limitFields } from './fields.ts';
import { readDuration, writeDuration } from './read-duration.ts';

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
  const { key, low, high, step } = field;
  const move = (event: KeyboardEvent): void => {
    const seconds = readDuration(text);
    if (seconds === null || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const next = seconds + (event.key === 'ArrowUp' ? step : -step);
    onChange(writeDuration(Math.min(high, Math.max(low, next))));
  };
  const hint = [
    words[`${key}Body`],
    words.range(format.duration(low), format.duration(high)),
    texts.settings.default(format.duration(standard)),
  ].join(' ');
  return (
    <TextField
      label={words[key]}
      hint={hint}
      value={text}
      onChange={onChange}
      problem={problem}
      width="short"
      onKeyDown={move}
    />
  );
};
