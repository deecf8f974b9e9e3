import type { Language } from '../texts/texts-context.ts';

/** Hour of the next day at which a pause until tomorrow ends. */
const tomorrowHour = 8;

export interface PauseLength {
  readonly label: string;
  /** null: until resumed. */
  readonly seconds: number | null;
}

const tomorrowMs = (nowMs: number): number => {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + 1);
  return at.setHours(tomorrowHour, 0, 0, 0);
};

/** Returns the lengths of a pause that begins at a moment, the shortest first. */
export const pauseLengths = (nowMs: number, { texts, format }: Language): readonly PauseLength[] => {
  const words = texts.popover.pause;
  const tomorrow = tomorrowMs(nowMs);
  return [
    { label: words.quarter, seconds: 900 },
    { label: words.hour, seconds: 3600 },
    { label: words.tomorrow(format.time(tomorrow)), seconds: Math.round((tomorrow - nowMs) / 1000) },
    { label: words.forever, seconds: null },
  ];
};
