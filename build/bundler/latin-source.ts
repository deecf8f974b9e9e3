import { parseSync, type Plugin } from 'vite';

const isBeyondLatin = (text: string): boolean => /[\u0100-\uffff]/u.test(text) || /[\u{10000}-\u{10ffff}]/u.test(text);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Returns whether a raw template (`String.raw`) is written with such a character: an escape would
 * change its meaning.
 */
const readRaw = (value: unknown, code: string): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if ('type' in value && value.type === 'TaggedTemplateExpression' && 'start' in value && 'end' in value)
    if (isBeyondLatin(code.slice(Number(value.start), Number(value.end)))) return true;
  return Object.values(value).some((one) => readRaw(one, code));
};

/**
 * Writes characters beyond Latin-1 as escapes. V8 keeps the source of every module with one byte
 * per character, or with two if a single character needs them: an ellipsis in a text doubled a file
 * of 250 kB.
 */
export const latinSource = (environments: readonly string[]): Plugin => ({
  name: 'curfew:latin-source',
  applyToEnvironment: ({ name }) => environments.includes(name),
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (
          file.type !== 'chunk' ||
          !isBeyondLatin(file.code) ||
          readRaw(parseSync('chunk.js', file.code).program, file.code)
        )
          continue;
        // By code units: a pair of surrogates as two escapes means the same.
        file.code = file.code.replaceAll(/[\u0100-\uffff]/g, escaped);
      }
    },
  },
});
