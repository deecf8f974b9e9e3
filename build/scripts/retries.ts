/** How a wait that ran out of time begins its message. Nothing else is ever run a second time. */
const beginnings = [
  // StageError, which the helpers in test/os throw.
  'waited in vain: ',
  // An action of Playwright, as `locator.click`.
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
 * Fits the message of an error that says no more than that something did not come in time. It does
 * not fit an assertion that does not wait, nor one about a signal or about what lives.
 */
export const vainWait = new RegExp(`^(?![^]*(?:${aboutSignals}))(?:${beginnings.join('|')})`);

/** Tests of signals, of identities and of what must not be touched. The rest of the rule is `subjects`. */
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

/** Only tests that wait for processes or for pages can fail for a wait. */
const waiting = ['test/os/', 'test/ui/', 'test/desktop/'];

/** What a test file of signals, identities or innocents says or imports somewhere. */
const subjects =
  /innocent|bystander|expectSpared|expectUntouched|expectGone|signaller|signals|pidfd|recycled|identity/iu;

/**
 * Whether a test file of this path (from the root of the project) and text may run a test again
 * after a vain wait. Never one on signals, identity or who was touched, whatever its message says:
 * a wrong signal that is sent rarely is as bad as one that is sent often.
 */
export const mayRetry = (file: string, source: string): boolean =>
  waiting.some((folder) => file.startsWith(folder)) &&
  !places.some((place) => file.startsWith(place)) &&
  !subjects.test(source);

/**
 * Whether a test of such a file that passed at a later try counts as passed: each error of the
 * tries before it was a vain wait. `messages` are those of vitest's report, which begin with the
 * name of the error.
 */
export const countsAsPassed = (file: string, source: string, messages: readonly string[]): boolean =>
  mayRetry(file, source) && messages.every((message) => vainWait.test(message.replace(/^\w*Error: /u, '')));
