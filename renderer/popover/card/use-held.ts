import { useState, type FocusEvent } from 'react';

/** Returns handlers for an element, and whether the pointer or the keyboard focus is in it. */
export interface Held {
  readonly held: boolean;
  readonly handlers: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
}

/** See `steadyList`. */
export const useHeld = (): Held => {
  const [pointer, setPointer] = useState(false);
  const [focus, setFocus] = useState(false);
  return {
    held: pointer || focus,
    handlers: {
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocus(false);
      },
    },
  };
};
