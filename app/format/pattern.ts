import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';

/** Why a pattern is refused. `sayPatternProblem` has the sentence. */
export type PatternProblem =
  | { readonly code: 'empty' }
  | { readonly code: 'too-long'; readonly length: number; readonly max: number }
  /** Its repetitions multiply to more steps per character than `maxProgramSize`. */
  | { readonly code: 'too-large'; readonly max: number }
  | { readonly code: 'look-around' }
  | { readonly code: 'back-reference' }
  | { readonly code: 'invalid'; readonly message: string };

/** A compiled pattern. Both functions take time linear in the text, for any pattern. */
export interface Pattern {
  /** True if the pattern matches the whole text. Texts longer than `maxMatchedText` never match. */
  readonly fits: (text: string) => boolean;
  /** True if the pattern matches somewhere in the first `maxSearchedText` characters. */
  readonly occursIn: (text: string) => boolean;
}

/** A compiled pattern, or the reason why it is refused. */
export type PatternResult =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly problem: PatternProblem };

const maxPatternLength = 256;
/**
 * Instructions of a compiled pattern, each visited once per character. 1024 characters with 1,800
 * instructions take 12 ms (re2js 2.10.0, Node 24, one core of a shared machine).
 */
const maxProgramSize = 1_000;

/** Maximum length of a text that is matched as a whole, in UTF-16 code units. */
export const maxMatchedText = 1_024;
/** Length of the searched part of a text, in UTF-16 code units. */
const maxSearchedText = 65_536;

/** `(?=`, `(?!`, `(?<=`, `(?<!`, as the engine quotes them. */
const lookAround = /^\(\?<?[=!]/u;
/** `\1`, `\k<name>`. */
const backReference = /^\\(?:[1-9]|k)/u;

const problemOf = (error: RE2JSException): PatternProblem => {
  const part = error instanceof RE2JSSyntaxException ? (error.input ?? '') : '';
  if (lookAround.test(part)) return { code: 'look-around' };
  if (backReference.test(part)) return { code: 'back-reference' };
  const message = error instanceof RE2JSSyntaxException ? error.error : error.message;
  const shown = part === '' || part.length > 40 ? '' : `: ${part}`;
  return { code: 'invalid', message: `${message}${shown}` };
};

/**
 * Compiles a user's pattern with RE2, which never backtracks. RE2 has no look-around and no back
 * references, because neither can be matched in linear time
 * (https://github.com/google/re2/wiki/WhyRE2). `.` matches line breaks too. Never throws.
 */
export const compilePattern = (text: string): PatternResult => {
  if (text === '') return { ok: false, problem: { code: 'empty' } };
  if (text.length > maxPatternLength)
    return { ok: false, problem: { code: 'too-long', length: text.length, max: maxPatternLength } };
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(text, RE2JS.DOTALL);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { ok: false, problem: problemOf(error) };
  }
  if (compiled.programSize() > maxProgramSize)
    return { ok: false, problem: { code: 'too-large', max: maxProgramSize } };
  return {
    ok: true,
    pattern: {
      fits: (given) => given.length <= maxMatchedText && compiled.testExact(given),
      occursIn: (given) => compiled.test(given.slice(0, maxSearchedText)),
    },
  };
};
