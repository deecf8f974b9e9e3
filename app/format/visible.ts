/** Pictures of the control characters: U+0000 is ␀, U+001B is ␛, U+007F is ␡. */
const picture = (code: number): string => String.fromCodePoint(code === 0x7f ? 0x2421 : 0x2400 + code);

const named = (code: number): string => `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;

/**
 * Control characters; format characters, including direction overrides (U+202E shows `exe.gpj` as
 * `jpg.exe`) and zero width ones; other characters without a glyph (fillers, tags); unpaired
 * surrogates; line and paragraph separators. Joiners (U+200C, U+200D) and variation selectors
 * (U+FE00 to U+FE0F) stay: whole languages and half of all emoji need them.
 */
const invisible =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200C|\u200D|[\uFE00-\uFE0F])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const plain = /^[ -~]*$/u;

/**
 * Returns untrusted text (command lines, paths, file names) as one line without invisible
 * characters: a line break becomes ⏎, a control character its picture, any other invisible one its
 * number. Guarantees: no control characters in the result; idempotent.
 */
export const visibleText = (text: string): string =>
  // Most texts are plain ASCII, and the other pattern takes 3 ms to be compiled (Node 24.21,
  // x86-64).
  plain.test(text)
    ? text
    : text.replace(invisible, (character) => {
        const code = character.codePointAt(0) ?? 0;
        if (character === '\n') return '⏎';
        return code < 0x20 || code === 0x7f ? picture(code) : named(code);
      });

/** Does the same for several lines: line feeds and tabs stay. */
export const visibleLines = (text: string): string => text.replace(/[^\n\t]+/gu, visibleText);
