import { isMac } from '../state/is-mac.ts';

/** True for the key that opens the palette: ⌘K on a Mac, where Ctrl-K deletes text; else Ctrl-K. */
export const isPaletteKey = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  !event.altKey &&
  !event.shiftKey &&
  !event.repeat &&
  (isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey);

const elementOf = (job: string): HTMLElement | null => document.querySelector<HTMLElement>(`#job-${CSS.escape(job)}`);

/** Puts the focus on the card or row of a job; false: it is not shown here. */
export const goToJob = (job: string): boolean => {
  const element = elementOf(job);
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
  return element !== null;
};

/** Focuses a job's End button, which ends nothing by itself; false: it has none here. */
export const goToEnd = (job: string): boolean => {
  const element = elementOf(job);
  // A row has its buttons once it is open; a press on it replaces it by its card.
  if (element instanceof HTMLButtonElement) {
    element.click();
    requestAnimationFrame(() => elementOf(job)?.querySelector<HTMLElement>('[data-act="end"]')?.focus());
    return true;
  }
  const end = element?.querySelector<HTMLElement>('[data-act="end"]') ?? null;
  end?.focus();
  return end !== null;
};

/** Opens the preview of what the end of all leftovers would end; false: this view has none. */
export const previewLeftovers = (): boolean => {
  const button = document.querySelector<HTMLButtonElement>('main [data-act="end-all"]');
  button?.focus();
  button?.click();
  return button !== null;
};
