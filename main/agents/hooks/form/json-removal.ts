import { getNodePath, type Node } from 'jsonc-parser';
import { endOf, parseJsonText, propertyOf, valueIn } from './json-text.ts';
import { isHookCommand } from './hook-script.ts';

/** Agents name the command of a hook so. */
const commandNames = ['command', 'bash', 'powershell'] as const;

/** A command of our own, or a program that is given our script. */
const isOurs = (node: Node): boolean => {
  if (node.type !== 'object') return false;
  const args = valueIn(node, 'args');
  const texts = [...commandNames.map((name) => valueIn(node, name)), ...(args?.children ?? [])];
  return texts.some((value) => value?.type === 'string' && isHookCommand(String(value.value)));
};

/** The objects below `hooks` that call Curfew's script, by their command, wherever they stand. */
export const ownHooks = (root: Node): readonly Node[] => {
  const hooks = root.type === 'object' ? valueIn(root, 'hooks') : null;
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (isOurs(node)) found.push(node);
    else for (const child of node.children ?? []) visit(child);
  };
  if (hooks !== null) visit(hooks);
  return found;
};

/** Ours, and what only ours is in: the group, the event's list, and a `hooks` Curfew made. */
const outermost = (node: Node, made: (path: string) => boolean): Node => {
  const list = node.parent;
  if (list === undefined || list.children?.length !== 1) return node;
  const owner = list.type === 'array' ? list.parent : undefined;
  if (list.type === 'array' && owner?.type === 'property') {
    const group = owner.parent;
    // A group of an event, `{ "matcher"…, "hooks": [ours] }`, means nothing without its hooks.
    if (owner.children?.[0]?.value === 'hooks' && group?.parent?.type === 'array') return outermost(group, made);
    return made(getNodePath(list).join('.')) ? outermost(owner, made) : node;
  }
  if (list.type === 'object' && owner === undefined && list.parent?.type === 'property')
    return made(getNodePath(list).join('.')) ? outermost(list.parent, made) : node;
  return node;
};

interface Range {
  readonly from: number;
  readonly to: number;
}

const commaIn = (text: string, from: number, to: number): number | null => {
  // Only white space, comments and the one comma stand between two elements.
  const blank = text
    .slice(from, to)
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/gu, (comment) => ' '.repeat(comment.length));
  const at = blank.indexOf(',');
  return at === -1 ? null : from + at;
};

const rangesFor = (text: string, node: Node): readonly Range[] => {
  const container = node.parent;
  const siblings = container?.children ?? [node];
  const index = siblings.indexOf(node);
  const before = siblings[index - 1];
  const after = siblings[index + 1];
  const gapStart = before === undefined ? (container?.offset ?? 0) + 1 : endOf(before);
  const gap = text.slice(gapStart, node.offset);
  const rest = /^[ \t]*(?:,[ \t]*)?(?=[\r\n])/u.test(text.slice(endOf(node)));
  // The white space before it goes along, unless that is what ends a comment.
  const space = /[ \t\r\n]*$/u.exec(gap)?.[0].length ?? 0;
  const ends = /\/\/[^\r\n]*$/u.test(gap.slice(0, gap.length - space));
  const from = node.offset - (ends && !rest ? 0 : space);
  const own: Range = { from, to: endOf(node) };
  const comma =
    before !== undefined
      ? commaIn(text, gapStart, node.offset)
      : commaIn(text, endOf(node), after?.offset ?? endOf(container ?? node) - 1);
  return comma === null ? [own] : [own, { from: comma, to: comma + 1 }];
};

const cut = (text: string, ranges: readonly Range[]): string =>
  ranges
    .toSorted((left, right) => right.from - left.from)
    .reduce((result, { from, to }) => result.slice(0, from) + result.slice(to), text);

/**
 * Takes every hook of Curfew's out of a document that others changed since. Lists and objects in
 * which nothing else is left go too, when `made` says of their path (`hooks.Stop`) that Curfew made
 * them. Comments and all other hooks stay.
 * @returns null when the document can't be parsed
 */
export const removeOwnHooks = (text: string, made: (path: string) => boolean): string | null => {
  let result = text;
  for (;;) {
    const parsed = parseJsonText(result);
    if (!parsed.ok) return null;
    const [first] = parsed.root === null ? [] : ownHooks(parsed.root);
    if (first === undefined) return result;
    const next = cut(result, rangesFor(result, outermost(first, made)));
    if (next.length >= result.length) return null;
    result = next;
  }
};

/**
 * Takes one property out of a document, and objects in which nothing else is left when `made` says
 * of their path (`mcpServers`) that Curfew made them. Everything else stays.
 * @returns null when the document can't be parsed, or has no such property
 */
export const removeProperty = (
  text: string,
  path: readonly string[],
  made: (path: string) => boolean,
): string | null => {
  const parsed = parseJsonText(text);
  if (!parsed.ok || parsed.root === null) return null;
  let [object, property]: [Node | null, Node | null] = [parsed.root, null];
  for (const name of path) {
    if (object?.type !== 'object') return null;
    property = propertyOf(object, name);
    object = property?.children?.[1] ?? null;
  }
  return property === null ? null : cut(text, rangesFor(text, outermost(property, made)));
};
