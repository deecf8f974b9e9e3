import type {
  Assignment,
  ParsedScript,
  Redirection as ParsedRedirection,
  TestExpression,
  Word as ParsedWord,
  WordPart,
} from 'unbash';
import type { List, Redirection, Test, Word } from './script.ts';

type Nested = (script: ParsedScript | undefined) => List;

/** Thrown if a part is ambiguous, so that the whole command is not judged. */
export class Unsure extends Error {}

/**
 * Refuses what shells parse differently: the substitution of Bash 5.3 (`${ command; }`), the
 * arithmetic of old ones (`$[1+1]`), and extended globs, which agents switch off.
 */
const sure = (word: ParsedWord): ParsedWord => {
  const extended = word.parts?.some(({ type }) => type === 'ExtendedGlob') === true;
  if (extended || /\$(?:\{[\s|]|\[)/u.test(word.text)) throw new Unsure();
  return word;
};

const isFixed = (part: WordPart): boolean => {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.every((one) => one.type === 'Literal');
    default:
      return false;
  }
};

const substitutionsIn = (parts: readonly WordPart[], nested: Nested): readonly List[] =>
  parts.flatMap((part) => {
    if (part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution') return [nested(part.script)];
    return part.type === 'DoubleQuoted' ? substitutionsIn(part.parts, nested) : [];
  });

/** A word, or an assignment among the arguments (`env A=1`). */
export const wordOf = (word: ParsedWord | Assignment, nested: Nested): Word => {
  const place = { text: word.text, start: word.pos, end: word.end };
  if (word.type === 'Assignment') {
    const { value } = word;
    // Parsed for its substitutions too: one that the shell would reject spoils the whole command.
    for (const one of value.type === 'Word' ? [value] : value.elements) substitutionsIn(sure(one).parts ?? [], nested);
    const fixed =
      value.type === 'Word' && (value.parts ?? []).every(isFixed) && word.index === undefined && word.append !== true;
    return { ...place, value: fixed ? `${word.name}=${value.value}` : null, substitutions: [] };
  }
  sure(word);
  const parts = word.parts ?? [];
  // A leading tilde stands for a home folder.
  const fixed = parts.every(isFixed) && !word.text.startsWith('~');
  return { ...place, value: fixed ? word.value : null, substitutions: substitutionsIn(parts, nested) };
};

/** The redirections of a command, in order. A here-document and a here-string are input. */
export const redirectionsOf = (
  redirections: readonly ParsedRedirection[],
  source: string,
  nested: Nested,
): readonly Redirection[] =>
  redirections.map((one) => {
    const target = one.type === 'HereDoc' ? one.delimiter : one.target;
    if (target === undefined || target.text === '') throw new Unsure();
    if (target.type === 'Word') substitutionsIn(sure(target).parts ?? [], nested);
    // The parser accepts these and the shell doesn't: `> 2>&1`, and a delimiter with an unclosed
    // quote.
    if (/^\d+$/u.test(target.text) && /[<>]/u.test(source[target.end] ?? '')) throw new Unsure();
    if (one.type === 'HereDoc' && !/^(?:[\w.:!-]+|'[^'\n]+'|"[^"\n$`\\]+"|\\\w+)$/u.test(target.text))
      throw new Unsure();
    const input = one.operator.startsWith('<');
    const descriptor =
      one.descriptor === undefined
        ? input
          ? 0
          : 1
        : one.descriptor.type === 'FileDescriptor'
          ? one.descriptor.value
          : null;
    const duplicates = one.operator === '>&' || one.operator === '<&';
    return {
      kind: duplicates ? 'descriptor' : input ? 'input' : 'output',
      descriptor,
      start: one.pos,
      end: one.end,
    };
  });

/** Returns operator and operands of a `[[ … ]]` with one single test, else nothing. */
export const testWords = (expression: TestExpression, nested: Nested): Pick<Test, 'operator' | 'operands'> => {
  if (expression.type === 'TestUnary')
    return { operator: expression.operator, operands: [wordOf(expression.operand, nested)] };
  if (expression.type === 'TestBinary')
    return {
      operator: expression.operator,
      operands: [wordOf(expression.left, nested), wordOf(expression.right, nested)],
    };
  return { operator: null, operands: [] };
};
