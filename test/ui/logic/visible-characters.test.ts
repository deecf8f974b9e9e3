import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText as visibleInTerminal } from '../../../app/format/visible.ts';
import { visiblePieces, visibleText } from '../../../renderer/parts/text/visible-characters.ts';

test('nothing invisible is left, whatever the text, and what is plain stays as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visibleText(text)).not.toMatch(/\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|(?![\u200C\u200D])\p{Cf}/u);
      const plain = visiblePieces(text).map((piece) => (piece.kind === 'plain' ? piece.text : ''));
      expect(text).toContain(plain.at(0) ?? '');
    }),
  );
});

test('terminal and windows agree on which texts have something invisible in them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const marked = visiblePieces(text).some((piece) => piece.kind === 'mark');
      expect(marked || visibleInTerminal(text) === text).toBe(true);
    }),
  );
});

test('controls have their names, direction marks their numbers, emoji and scripts stay whole', () => {
  expect(visibleText('a\u001B[31m\u0007')).toBe('aESC[31mBEL');
  expect(visibleText('\u202Egpj.exe')).toBe('U+202Egpj.exe');
  expect(visibleText('שלום 👩🏽‍💻')).toBe('שלום 👩🏽‍💻');
});
