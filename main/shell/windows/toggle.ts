/**
 * Milliseconds within which a popover that lost the focus lost it to the click that now arrives.
 */
const sameClickMs = 250;

/**
 * Returns what a click on the tray does to the popover. The click first takes the focus from an
 * open popover, which hides it; without the third case it would reopen at once.
 */
export const clickMeans = (
  popover: { readonly visible: boolean; readonly blurredAtMs: number | null },
  nowMs: number,
): 'show' | 'hide' | 'nothing' => {
  if (popover.visible) return 'hide';
  return popover.blurredAtMs !== null && nowMs - popover.blurredAtMs < sameClickMs ? 'nothing' : 'show';
};
