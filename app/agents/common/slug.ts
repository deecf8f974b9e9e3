import type { MarkerEnvironment } from '../../process/facts.ts';

/**
 * The variables in which agents name themselves to what they start: documented by
 * https://github.com/vercel/detect-agent and read first by https://github.com/unjs/std-env, and its
 * rival. A wrapper keeps the name of an outer agent.
 */
export const slugNames = ['AI_AGENT', 'AGENT'] as const;

/** Foreign text: a name in plain letters, `name` or `name@version`, of at most 40. */
const form = /^(?<name>[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*)(?:@[a-z0-9][a-z0-9._-]*)?$/u;
const maxLength = 40;

const before = 'calls-itself:';

/** Returns the names that agents gave themselves in an environment, without versions. */
export const slugsIn = (environment: MarkerEnvironment): readonly string[] =>
  slugNames.flatMap((variable) => {
    const value = (environment[variable] ?? '').toLowerCase();
    const name = value.length > maxLength ? undefined : form.exec(value)?.groups?.['name'];
    return name === undefined ? [] : [name];
  });

/** Returns the rule by which an agent without a dossier is known. */
export const ruleOfSlug = (slug: string): string => `${before}${slug}`;

/** Returns what an agent calls itself that this rule recognised; null for any other rule. */
export const slugOfRule = (rule: string): string | null => (rule.startsWith(before) ? rule.slice(before.length) : null);
