/** The languages of windows, menus and notifications. */
export const languageIds = ['en', 'de'] as const;

export type LanguageId = (typeof languageIds)[number];

/**
 * Returns the language to use: the chosen one, or with `system` the first of the user's languages
 * (BCP 47, most wanted first) that there is. English if there is none.
 */
export const languageOf = (chosen: LanguageId | 'system', wanted: readonly string[]): LanguageId => {
  if (chosen !== 'system') return chosen;
  const primary = wanted.map((tag) => tag.toLowerCase().split('-', 1)[0]);
  return primary.flatMap((tag) => languageIds.find((id) => id === tag) ?? []).at(0) ?? 'en';
};
