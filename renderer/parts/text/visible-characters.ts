/** A piece of untrusted text: plain, or one character that would otherwise be invisible. */
export type Piece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'mark'; readonly shown: string; readonly code: string };

/**
 * Characters that must not reach the screen as they are: controls, direction and zero width
 * characters (they can make a command read backwards, https://trojansource.codes), line and
 * paragraph separators, lone surrogates, and blank letters. Joiners stay: whole languages and half
 * of all emoji need them. Same set as app/format/visible.ts, which returns a text instead of
 * pieces.
 */
const invisible =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200C|\u200D|[\uFE00-\uFE0F])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Names of the C0 controls, U+0000 to U+001F: https://www.unicode.org/charts/PDF/U0000.pdf */
const controlNames =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

const shownAs = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (code === 10) return '⏎';
  if (code === 9) return '⇥';
  if (code === 127) return 'DEL';
  return controlNames[code] ?? codeOf(character);
};

/** Splits a text into pieces, in order; joined they are the text. */
export const visiblePieces = (text: string): readonly Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (index > from) pieces.push({ kind: 'plain', text: text.slice(from, index) });
    pieces.push({ kind: 'mark', shown: shownAs(character), code: codeOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'plain', text: text.slice(from) });
  return pieces;
};

/** Returns the same as one string, for names and tooltips. */
export const visibleText = (text: string): string =>
  visiblePieces(text)
    .map((piece) => (piece.kind === 'plain' ? piece.text : piece.shown))
    .join('');
