import { useCallback, useState } from 'react';

const storageName = (name: string): string => `curfew.${name}`;

/** Returns what this browser keeps under a name; null: nothing, or it keeps nothing. */
const readKept = (name: string): string | null => {
  try {
    return window.localStorage.getItem(storageName(name));
  } catch {
    // The browser is set to keep nothing for pages: the choice lasts as long as the view.
    return null;
  }
};

const keep = (name: string, text: string): void => {
  try {
    window.localStorage.setItem(storageName(name), text);
  } catch {
    // See `readKept`.
  }
};

/**
 * Returns a text that this browser remembers for the view, and a function that changes it. For how
 * something is shown only: what Curfew does is a setting.
 */
export const useRemembered = (name: string): readonly [string | null, (text: string) => void] => {
  const [text, setText] = useState(() => readKept(name));
  const change = useCallback(
    (next: string) => {
      keep(name, next);
      setText(next);
    },
    [name],
  );
  return [text, change];
};
