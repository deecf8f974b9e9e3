/**
 * Pages that a window may open in the user's own browser: the agents' documentation of what Curfew
 * writes into their settings. Each is an origin with the beginning of a path.
 */
const allowed: readonly string[] = [
  'https://code.claude.com/docs/',
  'https://developers.openai.com/codex/',
  'https://docs.github.com/en/copilot/',
  'https://geminicli.com/docs/',
  'https://opencode.ai/docs/',
  'https://cursor.com/docs/',
];

/**
 * Returns the address to open in the browser when a page asks for it, or null. The system's action
 * depends on the scheme, up to starting programs, so only https pages of the list pass, as the
 * parser writes them (point 15 of https://www.electronjs.org/docs/latest/tutorial/security).
 */
export const externalLink = (url: string): string | null => {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') return null;
  return allowed.some((start) => parsed.href.startsWith(start)) ? parsed.href : null;
};
