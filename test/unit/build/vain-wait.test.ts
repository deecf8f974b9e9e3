import { expect, test } from 'vitest';
import { vainWait } from '../../../build/scripts/vain-wait.ts';
import { StageError, StageNotSetError } from '../../os/scene/stage-error.ts';

const red = '\u001b[31m';
const dim = '\u001b[2m';
const plain = '\u001b[39m';

/** What was seen of Playwright 1.65, in a terminal and without one. */
const fromPages: readonly string[] = [
  "expect(locator).toBeVisible() failed\n\nLocator: getByText('no')\nExpected: visible\nTimeout: 300ms\nError: element(s) not found\n",
  `${dim}expect(\u001b[22m${red}locator${plain}${dim}).\u001b[22mtoHaveCount failed\n\nLocator:  x\nExpected: 0\nReceived: 1\nTimeout:  300ms\n\nCall log:\n`,
  'x\n\nCall Log:\n- Timeout 300ms exceeded while waiting on the predicate',
  "locator.click: Timeout 300ms exceeded.\nCall log:\n  - waiting for getByText('no')\n",
  'page.waitForFunction: Timeout 300ms exceeded.',
];

test.each([
  new StageError('waited in vain: the end\n1 0 1 1 S perl').message,
  new StageNotSetError('the stage could not be set: Error: no').message,
  'Test timed out in 240000ms.\nIf this is a long-running test, pass a timeout value.',
  'Hook timed out in 120000ms.',
  ...fromPages,
])('a vain wait: %s', (message) => {
  expect(message).toMatch(vainWait);
});

test.each([
  'expected 1 to be 2 // Object.is equality',
  'expected [ { pid: 4 } ] to deeply equal []',
  'Process 4711 is in 0 jobs of\n[]',
  'actor 7 ended instead of answering wait',
  // Of Playwright's `expect`, at something that is no page: it does not wait.
  `${dim}expect(\u001b[22m${red}received${plain}${dim}).\u001b[22mtoBe${dim}(\u001b[22mexpected${dim})\u001b[22m\n\nExpected: 2\nReceived: 1`,
])('an assertion, or another error: %s', (message) => {
  expect(message).not.toMatch(vainWait);
});
