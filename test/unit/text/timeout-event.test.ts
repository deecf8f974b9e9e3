import { describe, expect, test } from 'vitest';
import { timeoutEventLine, type TimeoutEvent } from '../../../app/text/agents/timeout-event.ts';
import { safe } from '../safe-text.ts';

const event: TimeoutEvent = {
  atMs: Date.UTC(2026, 10, 21, 2, 0, 0, 123),
  outcome: 'reaped',
  firstSignal: 'TERM',
  decidedBy: 'rule',
  command: safe('npm run dev | tee log'),
  ageSeconds: 1900,
  reasons: [{ code: 'owner-gone', figures: { sinceSeconds: 720 } }],
  survivors: [],
};

describe('the line in the output file of what was ended', () => {
  test('says that, when, how and why a command was ended, and by what, on one line', () => {
    expect(timeoutEventLine(event)).toBe(
      '[curfew 2026-11-21T02:00:00Z] Curfew ended `npm run dev | tee log` after 31 min (TERM), by its rules: its session ended 12 min ago. ' +
        'If it has to run longer, start it with `curfew run --max-elapsed 4h -- COMMAND`, or use `curfew keep JOB` while it runs (`curfew scan` names it).\n',
    );
  });

  test('says that KILL was needed, and what is left', () => {
    expect(timeoutEventLine({ ...event, outcome: 'killed' })).toContain('(TERM, then KILL)');
    const survived = timeoutEventLine({ ...event, outcome: 'survived', survivors: [{ pid: 39 }, { pid: 40 }] });
    expect(survived).toContain('still running: 39, 40');
  });

  test('gives advice that depends on what decided', () => {
    expect(timeoutEventLine({ ...event, decidedBy: 'person' })).toMatch(/Ask before you start it again\.\n$/);
    expect(timeoutEventLine({ ...event, decidedBy: 'hook' })).toContain('curfew run --background');
  });

  test('stays short, however long the command was', () => {
    expect(timeoutEventLine({ ...event, command: safe(`echo ${'x'.repeat(9000)}`) }).length).toBeLessThan(600);
  });

  test('holds no control characters and no second line, whatever a reason was made of', () => {
    const reasons = [{ code: 'exempt', figures: { note: 'a\nb\u001b[31m' } } as const];
    const line = timeoutEventLine({ ...event, decidedBy: 'person', reasons });
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(line.endsWith('\n')).toBe(true);
  });
});
