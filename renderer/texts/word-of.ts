/**
 * Returns the word for a code that comes from the engine. A newer engine may send a code without a
 * word here; then the code stands for itself, or what is given instead.
 */
export const wordOf = (words: Readonly<Record<string, string>>, code: string, otherwise = code): string =>
  Object.hasOwn(words, code) ? (words[code] ?? otherwise) : otherwise;

/** Returns a word of a sentence as one that stands alone. */
export const alone = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
