import { useEffect } from 'react';

/** What single keys do outside of text fields. */
export interface KeyActions {
  readonly search: () => void;
  readonly help: () => void;
  /** Returns false if there was nothing to leave. */
  readonly leave: () => boolean;
}

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
/** While one is open, keys belong to it. */
const popups = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

const places = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main article, main button[data-row]'),
];

/** What belongs to the job at which the focus is: its card, or its line of the table. */
const around = (): HTMLElement | null => {
  const focused = document.activeElement;
  return focused?.closest<HTMLElement>('article, tr[data-line]') ?? focused?.closest<HTMLElement>('[data-row]') ?? null;
};

const current = (): HTMLElement | null => {
  const here = around();
  return here?.matches('tr') === true ? here.querySelector<HTMLElement>('button[data-row]') : here;
};

const move = (by: 1 | -1): void => {
  const all = places();
  const here = current();
  const at = here === null ? -1 : all.indexOf(here);
  const next = all[here === null ? (by === 1 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

const control = (name: 'end' | 'keep' | 'more' | 'choose'): HTMLElement | null =>
  around()?.querySelector<HTMLElement>(`[data-act="${name}"]`) ?? null;

/** Returns whether the key did something. */
const press = (key: string, { search, help, leave }: KeyActions): boolean => {
  switch (key) {
    case 'j':
      move(1);
      return true;
    case 'k':
      move(-1);
      return true;
    case 'e':
    // What it was before.
    case 'r':
      // Ends nothing: Enter does, on the button that says what it hits.
      control('end')?.focus();
      return true;
    case 'K':
      control('keep')?.click();
      return true;
    case 'x':
      control('choose')?.click();
      return true;
    case 'E':
    case 'R':
      document.querySelector<HTMLElement>('[data-act="end-chosen"]')?.focus();
      return true;
    case 'Enter':
      if (document.activeElement?.tagName !== 'ARTICLE') return false;
      control('more')?.click();
      return true;
    case '/':
      search();
      return true;
    case '?':
      help();
      return true;
    case 'Escape':
      return leave();
    default:
      return false;
  }
};

/** Makes the keys of the job list work, wherever the focus is. Held down, only j and k repeat. */
export const useKeys = (actions: KeyActions): void =>
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.repeat && event.key !== 'j' && event.key !== 'k') return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.matches(typing) === true && event.key !== 'Escape') return;
      if (document.querySelector(popups) !== null) return;
      if (press(event.key, actions)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actions]);
