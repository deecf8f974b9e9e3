import { defaultSettings } from './defaults.ts';
import { claudeBlockKeys } from './keys.ts';
import type { Settings } from './settings.ts';
import { shownValue } from './notice.ts';
import { parseSettings, type ParsedSettings } from './parse.ts';
import { asRawObject } from './raw.ts';

const blockOf = (settings: unknown): unknown => {
  const object = asRawObject(settings);
  return object !== null && Object.hasOwn(object, 'bash') ? object['bash'] : undefined;
};

/**
 * Reads the layer between the compiled defaults and Curfew's own file: the keys of the original
 * proposal in the `bash` block of the user's `~/.claude/settings.json`, checked like Curfew's own.
 * Nothing else of that file is looked at, and nothing in it can force anything: where it makes no
 * sense the layer below stands, with a notice.
 */
export const parseClaudeSettings = (claudeSettings: unknown, below: Settings = defaultSettings): ParsedSettings => {
  const block = blockOf(claudeSettings);
  if (block === undefined) return { settings: below, notices: [], forcesObserve: false, bad: false };
  const object = asRawObject(block);
  if (object === null) {
    const problem = { code: 'claude-block-no-object', shown: shownValue(block) } as const;
    return { settings: below, notices: [{ field: 'bash', problem }], forcesObserve: false, bad: true };
  }
  const own = claudeBlockKeys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]] as const);
  const { settings, notices, bad } = parseSettings(Object.fromEntries(own), below);
  return {
    settings,
    notices: notices.map(({ field, problem }) => ({
      field: `bash.${String(field)}`,
      problem: { code: 'in-claude-block', problem },
    })),
    forcesObserve: false,
    bad,
  };
};
