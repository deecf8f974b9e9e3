import { parseTree, type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';

/** A JSON document with its places in the text, comments and trailing commas allowed. */
export type JsonText = { readonly ok: true; readonly root: Node | null } | { readonly ok: false; readonly why: string };

const positionOf = (text: string, offset: number): string => {
  const before = text.slice(0, offset);
  return `line ${before.split(/\r\n|\r|\n/u).length}`;
};

/** The text with a blank for its byte order mark, so that every place stays the same. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text);

/** Parses a document. `root` is null for only white space or a byte order mark. Never throws. */
export const parseJsonText = (text: string): JsonText => {
  if (/^\uFEFF?\s*$/u.test(text)) return { ok: true, root: null };
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    // Thousands of brackets inside each other end the parser's stack.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, why: 'it is nested too deeply' };
  }
  const [error] = errors;
  if (error !== undefined)
    return { ok: false, why: `${positionOf(text, error.offset)}: ${printParseErrorCode(error.error)}` };
  return root === undefined ? { ok: false, why: 'there is no value in it' } : { ok: true, root };
};

export const endOf = (node: Node): number => node.offset + node.length;

/** The last property of that name: where a name stands twice, JSON.parse takes the last. */
export const propertyOf = (object: Node, name: string): Node | null =>
  object.children?.findLast((property) => property.children?.[0]?.value === name) ?? null;

/** The value of a property, or null. */
export const valueIn = (object: Node, name: string): Node | null => propertyOf(object, name)?.children?.[1] ?? null;
