/**
 * Characters that a terminal obeys or hides: DEL and the C1 controls (U+009B starts an escape
 * sequence as ESC [ does), format characters (bidirectional overrides and isolates, zero width,
 * tags), line and paragraph separators, and other characters without a glyph. JSON.stringify
 * escapes C0 and unpaired surrogates itself (RFC 8259, section 7).
 */
const unseen = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/**
 * Returns a JSON text with every character escaped (`\uXXXX`) that a terminal would obey or hide.
 * The value stays the same, because in JSON such characters occur in strings only.
 */
export const terminalSafeJson = (json: string): string => json.replace(unseen, escaped);

/** Returns a value as JSON that is safe on a terminal. `indent` in blanks; 0: on one line. */
export const jsonText = (value: unknown, indent = 0): string => terminalSafeJson(JSON.stringify(value, null, indent));

/** Parses JSON text; null where it is none. What comes out goes through a schema. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
};
