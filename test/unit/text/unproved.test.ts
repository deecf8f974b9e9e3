import { expect, test } from 'vitest';
import type { ReaderCheck } from '../../../app/process/reader-check.ts';
import { germanUnproved } from '../../../app/text/de/reader-check.ts';
import { sayUnproved } from '../../../app/text/machine/reader-check.ts';

const check: ReaderCheck = {
  reader: 'libproc',
  parts: [
    { part: 'table', ok: true, found: '' },
    { part: 'arguments', ok: false, found: '[]' },
    { part: 'wrong-signal', ok: false, found: 'sent' },
  ],
};

test('what failed, what follows and the report are said in both languages', () => {
  const english = sayUnproved(check, 'ps');
  const german = germanUnproved({ reader: 'libproc', parts: 'arguments wrong-signal', fallback: 'ps' });
  for (const text of [english, german]) {
    expect(text).toContain('libproc');
    expect(text).toMatch(/ ps (?:instead)?|über ps\./u);
    expect(text).toContain('curfew doctor --json');
  }
  expect(english).toContain('the arguments of a process, a signal that must not reach another process');
  expect(german).toContain('die Argumente eines Prozesses, ein Signal, das keinen anderen Prozess erreichen darf');
  expect(german).toContain('nichts beendet');
});

test('a check that could not be made, and a part that is new, are said too', () => {
  expect(germanUnproved({ reader: 'procfs', parts: '' })).toContain('nicht durchführbar');
  expect(germanUnproved({ reader: 'procfs', parts: 'later' })).toContain('later');
});
