import { redactCommand } from './redact.ts';
import type { Found, SafeText } from './safe-text.ts';

/**
 * Fields of views and records with text that a program, a user or a file gave: all whose type is
 * `SafeText`, but commands and arguments, which are made as such.
 */
export const foreignFields: ReadonlySet<string> = new Set(
  (
    'text evidence ownerEvidence name image task project projects output outputTail locks figures note refusal endWith ' +
    'word problem advice unreachable diagnoses folder branch path'
  ).split(' '),
);

/** Sentences and names come again at every look. */
const known = new Map<string, SafeText>();
const maxKnown = 4_000;
const maxKnownLength = 500;

/** Returns a name or a sentence without secrets; what came before costs nothing. */
export const safeName = (text: string): SafeText => {
  if (text.length > maxKnownLength) return redactCommand(text);
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
    Object.entries(value).map(([name, one]) => [name, shown(one, isForeign || foreignFields.has(name))]),
  );
};

/**
 * Returns a view or a record without secrets in its free texts: paths, names of containers and
 * programs, figures, evidence and the sentences made of them. Ids, codes, moments and numbers stay.
 * The border of every document and store: their texts have a type that nothing else makes.
 */
export const safeView = <View extends object>(view: Found<View>): View => shown(view, false) as View;
