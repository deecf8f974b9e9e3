import { redactCommand } from './redact.ts';

/** Fields of views with text that a program, a user or a file gave. Commands are `SafeText`. */
const foreign = new Set(
  'text evidence ownerEvidence name image task project output locks figures note refusal endWith word'.split(' '),
);

/** Sentences and names come again at every look. */
const known = new Map<string, string>();
const maxKnown = 4_000;

/** Returns a name or a sentence without secrets; what came before costs nothing. */
export const safeName = (text: string): string => {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= maxKnown) known.clear();
  const shown = redactCommand(text);
  known.set(text, shown);
  return shown;
};

const shown = (value: unknown, isForeign: boolean): unknown => {
  if (typeof value === 'string') return isForeign ? safeName(value) : value;
  if (Array.isArray(value)) return value.map((one) => shown(one, isForeign));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, shown(one, isForeign || foreign.has(name))]),
  );
};

/**
 * Returns a view without secrets in its free texts: paths, names of containers and programs,
 * figures, evidence and the sentences made of them. Ids, codes, moments and numbers stay. The
 * border of every document: no maker of a text has to remember it.
 */
export const safeView = <View extends object>(view: View): View => shown(view, false) as View;
