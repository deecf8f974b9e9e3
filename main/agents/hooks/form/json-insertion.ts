import { createScanner, type Node } from 'jsonc-parser';
import { endOf, parseJsonText, propertyOf } from './json-text.ts';

export type Addition =
  /** One more element at the end of the list there; what is missing on the way is made. */
  | { readonly kind: 'element'; readonly path: readonly [string, ...string[]]; readonly value: unknown }
  /** A property, unless there is one with that name already. */
  | { readonly kind: 'property'; readonly path: readonly [string, ...string[]]; readonly value: unknown };

interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** A piece that was put in, by its place in the text as it is afterwards. */
export interface InsertedPiece {
  readonly offset: number;
  readonly text: string;
}

/** The text with its additions, and where they are: without them it is the same byte for byte. */
export type InsertionResult =
  | { readonly ok: true; readonly text: string; readonly pieces: readonly InsertedPiece[] }
  | { readonly ok: false; readonly why: string };

interface Style {
  readonly lineBreak: string;
  readonly unit: string;
}

const styleOf = (text: string): Style => ({
  lineBreak: /\r\n|\r|\n/u.exec(text)?.[0] ?? '\n',
  unit: /(?:^|[\r\n])([ \t]+)(?=["{[])/u.exec(text)?.[1] ?? '  ',
});

const indentationAt = (text: string, offset: number): string => {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/u.exec(text.slice(lineStart, offset))?.[0] ?? '';
};

const hasLineBreak = (text: string): boolean => /[\r\n]/u.test(text);

/** A value as JSON: on one line, or on several with the indentation of the file. */
const jsonOf = (value: unknown, name: string | null, indentation: string | null, style: Style): string => {
  const key = name === null ? '' : JSON.stringify(name);
  if (indentation === null) return `${key}${name === null ? '' : ':'}${JSON.stringify(value)}`;
  const lines = JSON.stringify(value, null, style.unit).split('\n');
  return `${key}${name === null ? '' : ': '}${lines.join(`${style.lineBreak}${indentation}`)}`;
};

/** What stands behind a container's last element: a trailing comma, and that line's rest. */
const tailOf = (
  text: string,
  container: Node,
  last: Node,
): { readonly comma: number | null; readonly lineEnd: number | null } => {
  const scanner = createScanner(text);
  scanner.setPosition(endOf(last));
  let comma: number | null = null;
  let lineEnd = endOf(last);
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const token = text.slice(offset, offset + scanner.getTokenLength());
    if (offset >= endOf(container) - 1 || token === '') return { comma, lineEnd: null };
    if (/^[\r\n]/u.test(token)) return { comma, lineEnd };
    if (token === ',') comma = offset + 1;
    if (token.startsWith('/*') && hasLineBreak(token)) return { comma, lineEnd: null };
    if (token.trim() !== '') lineEnd = offset + token.length;
  }
};

const intoEmpty = (text: string, container: Node, name: string | null, value: unknown, style: Style): Insertion => {
  const offset = container.offset + 1;
  const inside = text.slice(offset, endOf(container) - 1);
  const onLines = hasLineBreak(text.trim()) && (hasLineBreak(inside) || inside.trim() === '');
  if (!onLines && text.trim() !== '{}') return { offset, text: jsonOf(value, name, null, style) };
  const outer = indentationAt(text, container.offset);
  const inner = outer + style.unit;
  const closing = hasLineBreak(inside) ? '' : `${style.lineBreak}${outer}`;
  return { offset, text: `${style.lineBreak}${inner}${jsonOf(value, name, inner, style)}${closing}` };
};

const afterLast = (
  text: string,
  container: Node,
  last: Node,
  name: string | null,
  value: unknown,
  style: Style,
): readonly Insertion[] => {
  const first = container.children?.[0] ?? last;
  const onLines = hasLineBreak(text.slice(container.offset, first.offset));
  const { comma, lineEnd } = tailOf(text, container, last);
  const separator = comma === null ? [{ offset: endOf(last), text: ',' }] : [];
  if (!onLines) return [...separator, { offset: comma ?? endOf(last), text: jsonOf(value, name, null, style) }];
  const inner = indentationAt(text, first.offset);
  // A comment at the end of the line stays with what it is about.
  const offset = lineEnd ?? comma ?? endOf(last);
  return [...separator, { offset, text: `${style.lineBreak}${inner}${jsonOf(value, name, inner, style)}` }];
};

const into = (text: string, container: Node, name: string | null, value: unknown): readonly Insertion[] => {
  const style = styleOf(text);
  const last = container.children?.at(-1);
  return last === undefined
    ? [intoEmpty(text, container, name, value, style)]
    : afterLast(text, container, last, name, value, style);
};

/** The value with everything around it that is missing in the file. */
const wrapped = (rest: readonly string[], addition: Addition): unknown =>
  rest.reduceRight<unknown>(
    (value, name) => ({ [name]: value }),
    addition.kind === 'element' ? [addition.value] : addition.value,
  );

const insertionsFor = (text: string, addition: Addition): readonly Insertion[] | string => {
  const parsed = parseJsonText(text);
  if (!parsed.ok) return parsed.why;
  if (parsed.root === null) {
    const value = JSON.stringify(wrapped(addition.path, addition), null, 2);
    return [{ offset: text.length, text: `${value}\n` }];
  }
  let node: Node = parsed.root;
  for (const [depth, name] of addition.path.entries()) {
    const where = depth === 0 ? 'the file' : addition.path.slice(0, depth).join('.');
    if (node.type !== 'object') return `${where} holds no object but ${node.type === 'array' ? 'a list' : 'a value'}`;
    const property = propertyOf(node, name);
    if (property === null) return into(text, node, name, wrapped(addition.path.slice(depth + 1), addition));
    const value = property.children?.[1];
    if (value === undefined) return `${where}.${name} has no value`;
    node = value;
  }
  if (addition.kind === 'property') return [];
  if (node.type !== 'array') return `${addition.path.join('.')} holds no list`;
  return into(text, node, null, addition.value);
};

/** The pieces after one more insertion; pieces that touch become one. */
const addPiece = (pieces: readonly InsertedPiece[], { offset, text }: Insertion): readonly InsertedPiece[] => {
  const added: InsertedPiece[] = [];
  let piece: InsertedPiece = { offset, text };
  for (const one of pieces) {
    const end = one.offset + one.text.length;
    if (offset < one.offset) added.push({ ...one, offset: one.offset + text.length });
    else if (offset > end) added.push(one);
    else {
      const at = offset - one.offset;
      piece = { offset: one.offset, text: one.text.slice(0, at) + piece.text + one.text.slice(at) };
    }
  }
  return [...added, piece].toSorted((left, right) => left.offset - right.offset);
};

const put = (text: string, { offset, text: added }: Insertion): string =>
  text.slice(0, offset) + added + text.slice(offset);

/** Takes pieces out again; null when they are not where they were put. */
export const withoutPieces = (text: string, pieces: readonly InsertedPiece[]): string | null => {
  let result = text;
  for (const piece of pieces.toReversed()) {
    if (result.slice(piece.offset, piece.offset + piece.text.length) !== piece.text) return null;
    result = result.slice(0, piece.offset) + result.slice(piece.offset + piece.text.length);
  }
  return result;
};

/**
 * Puts additions into a JSON document with comments. Every other byte stays: nothing is replaced,
 * moved or formatted anew. What is put in follows the document's own line breaks and indentation.
 * Not `modify` of jsonc-parser with formatting, which formats the whole line that it touches
 * (3.3.1, `withFormatting`).
 */
export const insertInto = (text: string, additions: readonly Addition[]): InsertionResult => {
  let result = text;
  let pieces: readonly InsertedPiece[] = [];
  for (const addition of additions) {
    const insertions = insertionsFor(result, addition);
    if (typeof insertions === 'string') return { ok: false, why: insertions };
    for (const insertion of insertions.toReversed()) {
      result = put(result, insertion);
      pieces = addPiece(pieces, insertion);
    }
  }
  const after = parseJsonText(result);
  if (!after.ok || withoutPieces(result, pieces) !== text)
    return { ok: false, why: 'it could not be changed without touching the rest of it' };
  return { ok: true, text: result, pieces };
};
