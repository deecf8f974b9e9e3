let last: { readonly x: number; readonly y: number } | null = null;
let moved = false;

// In the capturing phase, before any component asks.
window.addEventListener(
  'pointermove',
  ({ screenX, screenY }) => {
    moved = last === null || last.x !== screenX || last.y !== screenY;
    last = { x: screenX, y: screenY };
  },
  { capture: true, passive: true },
);

/**
 * During a pointermove event: true if the pointer moved, false if only the page under it did
 * (browsers send a move after a layout, too).
 */
export const pointerMoved = (): boolean => moved;
