import { useEffect, useLayoutEffect, useRef, type FocusEvent } from 'react';

const cardOf = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest('article')?.id ?? null) : null;

/**
 * Keeps the focus on a card whose focused button disappeared (Reap, once the reaping began):
 * otherwise it falls to the body, and the next Tab lands on another job's button. Returns handlers
 * for the element around the cards.
 */
export const useCardFocus = (): {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
} => {
  const card = useRef<string | null>(null);
  useEffect(() => {
    // A press beside the cards leaves them.
    const left = (event: PointerEvent): void => {
      card.current = cardOf(event.target);
    };
    document.addEventListener('pointerdown', left, { capture: true });
    return () => document.removeEventListener('pointerdown', left, { capture: true });
  }, []);
  useLayoutEffect(() => {
    if (card.current === null || card.current === '' || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`#${CSS.escape(card.current)}`)?.focus({ preventScroll: true });
  });
  return {
    onFocus: ({ target }) => {
      card.current = cardOf(target);
    },
    onBlur: ({ relatedTarget }) => {
      if (relatedTarget !== null) card.current = cardOf(relatedTarget);
    },
  };
};
