import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText } from '../../../app/format/visible.ts';
import { endedNotice, failedNotice, noticesFor, type Notice } from '../../../app/notices/notice.ts';
import { bodyFor } from '../../../main/shell/notifications/body-for.ts';
import { incidentView } from '../../../app/documents/incident.ts';
import { incident } from '../../unit/contract/samples.ts';
import { overdue } from '../../unit/shell/overdue.ts';
import { snapshot } from '../../unit/contract/sample-snapshot.ts';
import { hostileText } from '../hostile-text.ts';
import { safe } from '../../unit/safe-text.ts';

/**
 * A notification that can be shown: a title on one line, few lines in its body, nothing invisible,
 * nothing endless.
 */
const isShowable = ({ title, body }: Notice): void => {
  expect(visibleText(title)).toBe(title);
  const lines = body.split('\n');
  expect(lines.length).toBeLessThanOrEqual(4);
  for (const line of lines) {
    expect(visibleText(line)).toBe(line);
    expect(line.isWellFormed()).toBe(true);
    expect([...new Intl.Segmenter('en').segment(line)].length).toBeLessThanOrEqual(320);
  }
  expect([...new Intl.Segmenter('en').segment(title)].length).toBeLessThanOrEqual(120);
  // What would be markup to a notification's server on Linux.
  expect(bodyFor('linux', body).replaceAll(/&(?:amp|lt|gt);/gu, '')).not.toMatch(/[<>&]/u);
};

const jobs = fc.array(
  fc.record({
    command: hostileText,
    project: fc.option(hostileText),
    text: hostileText,
    state: fc.constantFrom('overdue', 'orphaned', 'within'),
  }),
  { minLength: 1, maxLength: 5 },
);

test('whatever a command, a project and a reason are called, notifications of jobs can be shown', () => {
  fc.assert(
    fc.property(jobs, (all) => {
      const told = all.map(({ command, project, text, state }, number) =>
        overdue(`ab${number}`, {
          command: safe(command),
          project: project === null ? null : safe(project),
          verdict: {
            state,
            action: 'notify',
            at: null,
            endsAt: null,
            reasons: [{ code: 'diagnosis', text: safe(text), figures: {} }],
          },
        }),
      );
      const notices = noticesFor(told, snapshot);
      expect(notices.flatMap((one) => one.jobs)).toHaveLength(all.length);
      for (const notice of notices) isShowable(notice);
    }),
    { numRuns: 200 },
  );
});

test('so can those of what was ended, of what survived, and of what could not be done', () => {
  fc.assert(
    fc.property(
      hostileText,
      fc.constantFrom('reaped', 'killed', 'survived'),
      fc.option(hostileText),
      (text, outcome, advice) => {
        const ended = endedNotice([{ ...incidentView(incident), command: safe(text), outcome }], snapshot);
        if (ended !== null) isShowable(ended);
        isShowable(failedNotice(text, advice));
      },
    ),
    { numRuns: 200 },
  );
});
