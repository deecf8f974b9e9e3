import { useCallback, type ReactElement } from 'react';
import { endsByItself } from '../../../app/contract/views/ends-by-itself.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { Chip, Chips } from '../../parts/display/chip.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useClock } from '../../state/clock.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { chipsOf } from './chips-of.ts';

/** The short reasons of a card. They count in seconds only shortly before an end. */
export const ReasonChips = ({ job }: { readonly job: SnapshotJob }): ReactElement | null => {
  const language = useLanguage();
  const snapshot = useSnapshot();
  const settings = snapshot.settings.values;
  const atMs = job.verdict.at === null ? null : Date.parse(job.verdict.at);
  const nowMs = useClock(
    useCallback(
      (now: number) => {
        const soon = atMs !== null && Math.abs(atMs - now) < 120_000;
        const step = soon ? 1000 : 15_000;
        return Math.floor(now / step) * step;
      },
      [atMs],
    ),
  );
  const chips = chipsOf({ job, settings, nowMs, endsByItself: endsByItself(snapshot), language });
  if (chips.length === 0) return null;
  return (
    <Chips label={language.texts.popover.details.evidence}>
      {chips.map((chip) => (
        <Chip key={chip.key} tone={chip.tone} {...(chip.title === undefined ? {} : { title: visibleText(chip.title) })}>
          {visibleText(chip.text)}
        </Chip>
      ))}
    </Chips>
  );
};
