/** Milliseconds within which a popover that went away by losing the focus lost it to the very click that now arrives. */
const sameClickMs = 250;

/**
 * What a click on the tray does to the popover. The click takes the focus from an open popover first, which hides it; without the
 * third case it would come straight back.
 */
export const clickMeans = (
  popover: { readonly visible: boolean; readonly blurredAtMs: number | null },
  nowMs: number,
): 'show' | 'hide' | 'nothing' => {
  if (popover.visible) return 'hide';
  return popover.blurredAtMs !== null && nowMs - popover.blurredAtMs < sameClickMs ? 'nothing' : 'show';
};
