import { shownValue } from './sentences.ts';
import { defaultSettings } from './defaults.ts';
import { proposalKeys } from './fields.ts';
import { parseSettings } from './parse.ts';
import { asRawObject } from './schema.ts';
import type { ParsedSettings } from './settings.ts';

const block = (settings: unknown): unknown => {
  const object = asRawObject(settings);
  return object !== null && Object.hasOwn(object, 'bash') ? object['bash'] : undefined;
};

/**
 * The layer between the compiled defaults and Curfew's own file: the four keys of the original proposal in the `bash` block of the
 * person's `~/.claude/settings.json`, checked like Curfew's own. Nothing else of that file is looked at, and nothing in it can force
 * anything: where it makes no sense the defaults stand, with a notice.
 */
export const parseClaudeSettings = (claudeSettings: unknown): ParsedSettings => {
  const given = block(claudeSettings);
  if (given === undefined) return { settings: defaultSettings, notices: [], forcesObserve: false, bad: false };
  const object = asRawObject(given);
  if (object === null) {
    const text = `In Claude Code's settings, bash is ${shownValue(given)}, which is no block of settings. Curfew passes it over.`;
    return { settings: defaultSettings, notices: [{ field: 'bash', text }], forcesObserve: false, bad: true };
  }
  const own = proposalKeys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]] as const);
  const { settings, notices, bad } = parseSettings(Object.fromEntries(own));
  return {
    settings,
    notices: notices.map(({ field, text }) => ({
      field: `bash.${String(field)}`,
      text: `In Claude Code's settings, bash.${text}`,
    })),
    forcesObserve: false,
    bad,
  };
};
