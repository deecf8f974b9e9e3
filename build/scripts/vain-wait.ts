/** How a wait that came to nothing is told: by a stage, by vitest, by an action in a page, and by Playwright's `expect`, which waits too. */
const beginnings = [
  'waited in vain: ',
  'the stage could not be set: ',
  String.raw`(?:Test|Hook) timed out in \d`,
  String.raw`[a-zA-Z]+(?:\.[a-zA-Z]+)+: Timeout \d+ms exceeded`,
  // With the colours of a terminal, or without.
  String.raw`(?:\u001b\[\d+m)*expect\([^]*\nTimeout: +\d+ms\n`,
  String.raw`[^]*\n- Timeout \d+ms exceeded while waiting on the predicate`,
];

/**
 * Fits the message of an error that says no more than that something did not come in time, as on a machine that is busy with other things;
 * not that of an assertion which does not wait: that begins otherwise.
 */
export const vainWait = new RegExp(`^(?:${beginnings.join('|')})`);
