/** How the message of a timed-out wait begins. No other failure is retried. */
const beginnings = [
  // StageError, which the helpers in test/os throw.
  'waited in vain: ',
  // An action of Playwright, such as `locator.click`.
  String.raw`[a-zA-Z]+(?:\.[a-zA-Z]+)+: Timeout \d+ms exceeded`,
  // Playwright's `expect` of a page, with the colours of a terminal or without.
  String.raw`(?:\u001b\[\d+m)*expect\([^]*\nTimeout: +\d+ms\n`,
  // Playwright's `expect.poll`.
  String.raw`[^]*\n- Timeout \d+ms exceeded while waiting on the predicate`,
];

/**
 * How a message says that a process was signalled or lives: a helper that waits may carry such a
 * message inside its own. `touched: ` is of `expectUntouched` (test/os/scene/innocents.ts), the
 * bare booleans are of `expect(alive).toBe(true)`, 'sent' and 'gone' of the signaller.
 */
const aboutSignals = String.raw`touched: |expected (?:true|false) to be |'(?:sent|gone)'`;

/**
 * Matches the message of an error that only reports a timed-out wait: neither an assertion that
 * does not wait, nor one about a signal or about what lives.
 */
export const vainWait = new RegExp(`^(?![^]*(?:${aboutSignals}))(?:${beginnings.join('|')})`);

/**
 * Tests of signals, of identities and of what must not be touched. `subjects` is the rest of the
 * rule.
 */
const places = [
  'test/safety/',
  'test/os/spared/',
  'test/os/safety/',
  'test/os/faults/',
  'test/os/incidents/',
  'test/os/run/',
  'test/os/signaller',
  'test/os/process-source',
];

/** Only tests that wait for processes or pages can fail by a timeout. */
const waiting = ['test/os/', 'test/ui/', 'test/desktop/', 'test/electron/'];

/** What a test file of signals, identities or innocents contains or imports. */
const subjects =
  /innocent|bystander|expectSpared|expectUntouched|expectGone|signaller|signals|pidfd|recycled|identity/iu;

/**
 * Returns whether a test of this file (path from the root of the project) may run again after a
 * timed-out wait. Never one on signals, identity or innocents, whatever its message: a wrong signal
 * that is sent rarely is as bad as one that is sent often.
 */
export const mayRetry = (file: string, source: string): boolean =>
  waiting.some((folder) => file.startsWith(folder)) &&
  !places.some((place) => file.startsWith(place)) &&
  !subjects.test(source);

/**
 * Returns whether a test of such a file that passed at a later try counts as passed: each earlier
 * error was a timed-out wait. `messages` are those of vitest's report, which begin with the name of
 * the error.
 */
export const countsAsPassed = (file: string, source: string, messages: readonly string[]): boolean =>
  mayRetry(file, source) && messages.every((message) => vainWait.test(message.replace(/^\w*Error: /u, '')));
