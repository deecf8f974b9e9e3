import { expect, test } from 'vitest';
import type { ReaderCheck } from '../../../app/process/reader-check.ts';
import { germanVoice } from '../../../app/text/de/voice.ts';
import { sayUnproved } from '../../../app/text/reader-check.ts';
import { inEnglish } from '../../../app/text/say.ts';

const check: ReaderCheck = {
  reader: 'libproc',
  parts: [
    { part: 'table', ok: true, found: '' },
    { part: 'arguments', ok: false, found: '[]' },
    { part: 'wrong-signal', ok: false, found: 'sent' },
  ],
};

test('what failed, what follows and the report are said in both languages', () => {
  const said = sayUnproved(check, 'ps');
  const [english, german] = [inEnglish(said), germanVoice.said(said)];
  for (const text of [english, german]) {
    expect(text).toContain('libproc');
    expect(text).toMatch(/ ps (?:instead)?|über ps\.|stattdessen über ps/u);
    expect(text).toContain('curfew doctor --json');
  }
  expect(english).toContain('the arguments of a process, a signal that must not reach another process');
  expect(german).toContain('die Argumente eines Prozesses, ein Signal, das keinen anderen Prozess erreichen darf');
  expect(german).toContain('beendet nichts');
});

test('a check that could not be made is said too', () => {
  expect(germanVoice.said(sayUnproved({ reader: 'procfs', parts: [] }, null))).toContain('ließ sich nicht durchführen');
});
