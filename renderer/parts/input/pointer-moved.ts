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

/** In a pointermove: true if the pointer moved, not just the page below (after a layout). */
export const pointerMoved = (): boolean => moved;
