/** Why a pattern is not accepted. */
export type PatternProblem =
  | { readonly code: 'empty' }
  | { readonly code: 'too-long'; readonly length: number; readonly longest: number }
  | { readonly code: 'invalid'; readonly message: string }
  | { readonly code: 'look-around' }
  | { readonly code: 'back-reference' }
  | { readonly code: 'nested-repetition' }
  | { readonly code: 'too-many-choices' };

/** A compiled pattern, or what is wrong with it. */
export type PatternResult =
  | { readonly ok: true; readonly regex: RegExp }
  | { readonly ok: false; readonly problem: PatternProblem };

const longestPattern = 256;
/** Each open repetition multiplies the work by the length of the text, each choice doubles it. */
const mostOpenRepetitions = 3;
const mostChoices = 12;

/** Longer texts are not matched at all; 1024 characters with three open repetitions stay below a second. */
export const longestMatchedText = 1024;

interface Group {
  varies: boolean;
}

const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

/** Reads one quantifier: how much choice it adds. */
const choiceOf = (text: string): 'fixed' | 'choice' | 'open' => {
  if (text.startsWith('?')) return 'choice';
  const bounds = /^\{(\d+)(?:(,)(\d*))?\}/.exec(text);
  if (bounds === null || (bounds[2] === ',' && bounds[3] === '')) return 'open';
  const least = Number(bounds[1]);
  const most = bounds[2] === undefined ? least : Number(bounds[3]);
  if (most === least && most <= 64) return 'fixed';
  return most - least <= 2 && most <= 64 ? 'choice' : 'open';
};

/**
 * Finds what can make a backtracking matcher take exponential time: repetitions inside repetitions, back references, look-around,
 * and too many choices. Stricter than needed, because a pattern that hangs would stop the supervisor.
 * https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS
 */
const problemOf = (pattern: string): PatternProblem | null => {
  const groups: Group[] = [{ varies: false }];
  let openRepetitions = 0;
  let choices = 0;
  let closed: Group | null = null;
  const vary = (): void => {
    for (const group of groups) group.varies = true;
  };
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const repeated = quantifier.exec(rest);
    if (repeated !== null && at > 0) {
      const kind = choiceOf(repeated[0]);
      if (closed?.varies === true) return { code: 'nested-repetition' };
      if (kind === 'open') openRepetitions += 1;
      if (kind === 'choice') choices += 1;
      if (kind !== 'fixed') vary();
      at += repeated[0].length;
      closed = null;
      continue;
    }
    closed = null;
    if (rest.startsWith('\\')) {
      if (/^\\(?:[1-9]|k<)/.test(rest)) return { code: 'back-reference' };
      at += 2;
    } else if (rest.startsWith('[')) {
      const set = /^\[\^?(?:\\.|[^\]\\])*\]/.exec(rest);
      at += set === null ? 1 : set[0].length;
    } else if (rest.startsWith('(')) {
      if (/^\(\?(?:[=!]|<[=!])/.test(rest)) return { code: 'look-around' };
      groups.push({ varies: false });
      at += /^\((?:\?:|\?<[^>]*>)?/.exec(rest)?.[0].length ?? 1;
    } else if (rest.startsWith(')')) {
      closed = groups.length > 1 ? (groups.pop() ?? null) : null;
      at += 1;
    } else {
      if (rest.startsWith('|')) {
        choices += 1;
        vary();
      }
      at += 1;
    }
  }
  return openRepetitions > mostOpenRepetitions || choices > mostChoices ? { code: 'too-many-choices' } : null;
};

/** Compiles a person's pattern so that it must match a whole text, and refuses one that could take for ever. Never throws. */
export const compilePattern = (pattern: string): PatternResult => {
  if (pattern === '') return { ok: false, problem: { code: 'empty' } };
  if (pattern.length > longestPattern)
    return { ok: false, problem: { code: 'too-long', length: pattern.length, longest: longestPattern } };
  let regex: RegExp;
  try {
    // Compiled alone first: `a)|(b` would become valid, and unanchored, inside our own group.
    void new RegExp(pattern, 'u');
    regex = new RegExp(`^(?:${pattern})$`, 'su');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: { code: 'invalid', message: error.message } };
  }
  const problem = problemOf(pattern);
  return problem === null ? { ok: true, regex } : { ok: false, problem };
};
